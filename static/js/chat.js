// The chat page: from what is typed to the stored turn, over a socket that may break.
import { Attachments } from "./attach.js";
import { Draft } from "./draft.js";
import { Effort } from "./effort.js";
import { LiveTurn, scrollToNewest } from "./live.js";
import { ChatSocket } from "./socket.js";

const main = document.getElementById("main");
const list = document.getElementById("turns");
const form = document.getElementById("composer");
const input = document.getElementById("message");
const words = document.getElementById("words").dataset;
const trouble = form.querySelector("[data-trouble]");
const effort = new Effort(form.querySelector("[data-effort]"));
const draft = new Draft(main.dataset.space, main.dataset.session);
const attached = new Attachments(form, words, tellOfFiles);
let socket = null;
let live = null;
let asked = "";
let images = []; // that were asked with it
let isAgain = false; // the question is stored already: only its answer is to come
let isFiled = true; // what is asked may become lasting memory
let isStopping = false;

const csrf = () => JSON.parse(document.body.getAttribute("hx-headers"))["X-CSRFToken"];
const BROKEN = ".turn:has([data-again])"; // the last answer, broken off: it may be made again
const lastIndex = () =>
  Number([...list.querySelectorAll(`.turn[data-index]:not(${BROKEN})`)].at(-1)?.dataset.index ?? -1);
const FINAL = ["invalid_input", "invalid_frame", "too_large"]; // the same again fails again
const oneLine = (text) => text.replace(/\s+/g, " ").trim();
const questionOf = (answer) => answer.previousElementSibling?.querySelector(".said")?.textContent ?? "";

function say(text) {
  form.querySelector("[data-connection]").textContent = text;
}

function showTrouble(text, canRetry) {
  trouble.hidden = false;
  trouble.querySelector("[data-words]").textContent = text;
  trouble.querySelector("[data-retry]").hidden = !canRetry;
}

// An empty text takes back what was told last of files, and nothing else.
let toldOfFiles = "";
function tellOfFiles(text) {
  if (text) showTrouble(text, false);
  else if (toldOfFiles && trouble.querySelector("[data-words]").textContent === toldOfFiles) trouble.hidden = true;
  toldOfFiles = text;
}

function setWriting(isWriting) {
  form.querySelector("[data-send]")?.toggleAttribute("hidden", isWriting);
  form.querySelector("[data-stop]")?.toggleAttribute("hidden", !isWriting);
  document.querySelector(".transcript").setAttribute("aria-busy", String(isWriting));
}

// A new conversation becomes a session with its first message, never before.
async function ensureSession() {
  if (main.dataset.session) return;
  const body = new FormData();
  const choice = form.querySelector("[name=private]:checked");
  if (choice) body.set("private", choice.value);
  const response = await fetch(main.dataset.create, { method: "POST", body, headers: { "X-CSRFToken": csrf() } });
  if (!response.ok) throw new Error(`status ${response.status}`);
  const made = await response.json();
  main.dataset.session = made.id;
  draft.move(made.id);
  history.replaceState(null, "", made.url);
  form.querySelector(".choice")?.remove();
}

function openSocket() {
  socket ??= new ChatSocket({
    session: main.dataset.session,
    space: main.dataset.space,
    onFrame: received,
    onState: (state) => say({ open: "", slow: words.slow, connecting: words.connecting }[state]),
    onRefused: refused,
    onDoubt: askAgainIfUnheard,
  });
  return socket;
}

async function ask(given, sent = []) {
  const text = given.trim() || attached.isEmpty ? given : words.look;
  if (live || !text.trim()) return;
  trouble.hidden = true;
  try {
    images = attached.isEmpty ? sent : await attached.images();
  } catch (error) {
    return showTrouble(error.message, false);
  }
  const pictures = await attached.pictures();
  asked = text;
  isAgain = makesRoom(text);
  if (input.value === text) input.value = "";
  setWriting(true);
  isStopping = false;
  live = new LiveTurn(list, isAgain ? null : text, pictures);
  try {
    await ensureSession();
    tellServer();
    if (isStopping) stop();
  } catch {
    giveBack(words.lost);
  }
  return undefined;
}

function tellServer() {
  openSocket().ask({ text: asked, effort: effort.value, consolidate: isFiled, images });
}

// An answer that broke off makes room when its question is sent again. Says whether it did.
function makesRoom(text) {
  for (const old of list.querySelectorAll("[data-live]")) old.remove();
  const broken = list.querySelector(BROKEN);
  const again = broken?.querySelector("[data-again]");
  const isSame = Boolean(broken) && oneLine(questionOf(broken)) === oneLine(text);
  isFiled = !isSame || again.dataset.unfiled === undefined; // it is the stored one only in the same way
  if (isSame) broken.remove();
  else again?.remove();
  return isSame;
}

// A sample goes where one types, to be finished or changed: it says nothing by itself.
function begin(sample) {
  input.value = sample.replace(/\s*…$/, " ");
  draft.text = input.value;
  input.focus();
  input.setSelectionRange(input.value.length, input.value.length);
}

// The line broke before anything came back: did the server hear the question?
async function askAgainIfUnheard() {
  const page = await fetchTurns();
  if (isAgain || page?.querySelector(".turn.mine")) socket.resume();
  else tellServer();
}

// The message never arrived: it goes back where it was typed.
function giveBack(reason, canRetry = true) {
  if (isAgain) return failed({ content: reason });
  live?.remove();
  live = null;
  setWriting(false);
  say("");
  input.value = asked;
  draft.text = asked;
  showTrouble(reason, canRetry);
}

function refused(why) {
  if (why === "signedOut") location.reload();
  else if (live && !socket.isAsked) giveBack(words[why]);
  else fail(words[why]);
}

function fail(reason) {
  live?.fail();
  live = null;
  setWriting(false);
  say("");
  showTrouble(reason, Boolean(asked));
}

function received(frame) {
  if (frame.type === "memory") return filed(frame);
  if (!live) return frame.type === "done" ? show() : undefined; // asked in another tab
  switch (frame.type) {
    case "step":
      if (draft.text === asked) draft.text = ""; // the question is stored by the first stage
      return live.endStage(frame.step, frame.trace_fragment);
    case "token":
      return live.append(frame.content);
    case "answer":
      return live.complete(frame.content);
    case "done":
      return settle();
    case "error":
      return frame.code === "session_busy" ? giveBack(words.busy) : failed(frame);
    default:
      return undefined;
  }
}

async function failed(frame) {
  if (draft.text === asked && !isAgain) return giveBack(frame.content, !FINAL.includes(frame.code));
  const isStopped = frame.code === "stopped";
  fail(frame.content);
  trouble.hidden = isStopped;
  await show();
  if (list.querySelector("[data-again]")) trouble.querySelector("[data-retry]").hidden = true;
  return undefined;
}

async function settle() {
  asked = "";
  images = [];
  attached.clear();
  await show(live);
  live = null;
  setWriting(false);
  say("");
}

async function fetchTurns() {
  const url = `${location.pathname}turns/?after=${lastIndex()}`;
  const response = await fetch(url, { headers: { "X-Requested-With": "fetch" } }).catch(() => null);
  if (!response?.ok) return null;
  const holder = document.createElement("template");
  holder.innerHTML = await response.text();
  return holder.content;
}

// The stored turns, rendered by the server: markdown, citations, stages, cards. If something was asked
// while they came, its own end shows them.
async function show(turn = null) {
  const page = await fetchTurns();
  if (!page || live !== turn) return;
  const isGaugeOpen = document.getElementById("gauge").open;
  for (const id of ["gauge", "engine"]) document.getElementById(id).replaceWith(page.getElementById(id));
  document.getElementById("gauge").open = isGaugeOpen;
  const title = page.querySelector("[data-new-title]").textContent.trim();
  document.querySelector("h1[data-title]").textContent = title;
  document.title = `${title} · Lychee Memory`;
  const turns = [...page.querySelectorAll(".turn")];
  if (turn && turns.length) turn.replaceBy(turns);
  else {
    for (const old of list.querySelectorAll(`[data-live], ${BROKEN}`)) old.remove();
    list.append(...turns);
  }
  for (const stored of turns) globalThis.htmx?.process(stored);
  globalThis.htmx?.ajax("GET", `${main.dataset.list}?session=${main.dataset.session}`, "#session-list");
}

function filed(frame) {
  if (frame.state === "done" && frame.records_added) say(words.filed);
}

input?.addEventListener("input", () => {
  draft.text = input.value;
});

input?.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  form.requestSubmit();
});

form.addEventListener("submit", (event) => {
  event.preventDefault();
  ask(input.value);
});

// Before the session is made there is nobody to tell: then the stop follows the message.
function stop() {
  isStopping = true;
  socket?.send({ type: "stop" });
}

form.querySelector("[data-stop]")?.addEventListener("click", stop);

trouble.querySelector("[data-retry]").addEventListener("click", () => {
  ask(input.value || asked, images);
});

document.addEventListener("click", (event) => {
  const again = event.target.closest("[data-again]");
  if (again) ask(questionOf(again.closest(".turn")));
  const prompt = event.target.closest("[data-prompt]");
  if (prompt) begin(prompt.textContent.trim());
  const cite = event.target.closest("a.cite");
  if (cite) {
    const card = document.querySelector(cite.getAttribute("href"));
    card?.closest("details")?.setAttribute("open", "");
  }
});

if (input) {
  input.value = draft.text;
  if (matchMedia("(hover: hover)").matches) input.focus({ preventScroll: true });
}
form.querySelector("[data-send]")?.removeAttribute("disabled");
main.dataset.ready = "";
if (list.dataset.pending !== undefined) {
  live = new LiveTurn(list, null);
  isAgain = true;
  setWriting(true);
  openSocket().resume();
} else if (!location.hash && main.dataset.session) {
  scrollToNewest(list);
}
