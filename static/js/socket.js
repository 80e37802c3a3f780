// The websocket of one session: opens on demand, comes back by itself, resumes where it broke.
const REFUSED = { 4401: "signedOut", 4403: "forbidden", 4404: "gone" };
const LONGEST_WAIT_MS = 8000;

const named = (images) => ({
  images: images.map(({ url }) => url),
  image_names: images.map(({ name }) => name),
});

export class ChatSocket {
  constructor({ session, space, onFrame, onState, onRefused, onDoubt }) {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.url = `${scheme}://${location.host}/ws/chat/${session}?space=${encodeURIComponent(space)}`;
    Object.assign(this, { onFrame, onState, onRefused, onDoubt });
    this.lastSeq = 0;
    this.failures = 0;
    this.isAwaited = false;
    this.waiting = [];
  }

  // Sends now, or as soon as the connection stands, in the order of sending.
  send(frame) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(frame));
    else {
      this.waiting.push(frame);
      this.connect();
    }
  }

  ask({ images, ...message }) {
    this.isAwaited = true;
    this.isAsked = this.isResuming = false;
    this.send({ type: "message", ...message, ...(images.length ? named(images) : {}) });
  }

  resume() {
    this.isAwaited = this.isAsked = this.isResuming = true;
    this.send({ type: "resume", last_seq: this.lastSeq });
  }

  connect() {
    if (this.socket && this.socket.readyState <= WebSocket.OPEN) return;
    clearTimeout(this.timer);
    const socket = new WebSocket(this.url);
    this.socket = socket;
    socket.addEventListener("open", () => this.opened());
    socket.addEventListener("message", (event) => this.received(JSON.parse(event.data)));
    socket.addEventListener("close", (event) => this.closed(event.code));
  }

  opened() {
    this.failures = 0;
    this.onState("open");
    const frames = this.waiting;
    this.waiting = [];
    if (frames.length) for (const frame of frames) this.socket.send(JSON.stringify(frame));
    else if (this.isAwaited && this.isAsked) this.resume();
    else if (this.isAwaited) this.onDoubt();
  }

  received(frame) {
    if (frame.seq !== undefined) {
      if (frame.seq <= this.lastSeq) return;
      this.lastSeq = frame.seq;
    }
    // The answer is written elsewhere: it is asked for until it is there, or known to be lost.
    if (frame.code === "session_busy" && this.isResuming) {
      this.timer = setTimeout(() => this.resume(), 1000 * frame.retry_after);
      return;
    }
    this.isAsked = true;
    if (frame.type === "done" || frame.type === "error") this.isAwaited = false;
    this.onFrame(frame);
  }

  closed(code) {
    if (REFUSED[code]) {
      this.isAwaited = false;
      this.onRefused(REFUSED[code]);
      return;
    }
    this.failures += 1;
    if (!this.isAwaited) return;
    if (this.failures > 6) {
      this.isAwaited = false;
      this.waiting = [];
      this.onRefused("lost");
      return;
    }
    this.onState(code === 4429 ? "slow" : "connecting");
    const wait = Math.min(LONGEST_WAIT_MS, 250 * 2 ** this.failures);
    this.timer = setTimeout(() => this.connect(), wait);
  }
}
