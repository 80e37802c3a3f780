// The turn being written: the question, the answer as it streams, the stages as they end.
const STEPS = ["wm_manager", "visual_memory", "search", "synthesize", "reason"];
const words = document.getElementById("words")?.dataset ?? {};

function fromTemplate(id) {
  return document.getElementById(id).content.firstElementChild.cloneNode(true);
}

const nearEnd = () => innerHeight + scrollY > document.documentElement.scrollHeight - 160;

function keepAtEnd(change) {
  const isFollowing = nearEnd();
  change();
  if (isFollowing) scrollTo({ top: document.documentElement.scrollHeight });
}

// What was recalled, before the answer that will cite it is written.
function cards(hits) {
  const list = fromTemplate("live-cards");
  const blank = list.firstElementChild;
  for (const hit of hits) {
    const card = blank.cloneNode(true);
    card.querySelector(".number").textContent = hit.number ? `[${hit.number}]` : "";
    card.querySelector(".chip").classList.add(hit.type);
    card.querySelector(".chip").textContent = words[`type_${hit.type}`] ?? hit.type;
    card.querySelector("rect").setAttribute("width", Math.round(100 * hit.score));
    card.querySelector(".text").textContent = hit.text;
    card.querySelector(".foot").textContent = hit.turns?.[0]?.speaker ?? "";
    list.append(card);
  }
  blank.remove();
  return list;
}

// The newest question at the top, so that its answer is read from its beginning.
export function scrollToNewest(list) {
  const questions = list.querySelectorAll(".turn.mine");
  questions[questions.length - 1]?.scrollIntoView({ block: "start" });
}

export class LiveTurn {
  constructor(list, question, pictures = []) {
    this.list = list;
    document.querySelector(".welcome")?.remove();
    if (question !== null) {
      this.mine = fromTemplate("live-mine");
      this.mine.querySelector(".said").textContent = question;
      list.append(this.mine);
      if (pictures.length) {
        const shown = document.createElement("ul");
        shown.className = "pictures";
        shown.append(...pictures);
        this.mine.append(shown);
      }
    }
    this.theirs = fromTemplate("live-theirs");
    this.stage("visual_memory").hidden = !pictures.length;
    this.said = this.theirs.querySelector(".said");
    list.append(this.theirs);
    scrollTo({ top: document.documentElement.scrollHeight });
  }

  stage(step) {
    return this.theirs.querySelector(`[data-step="${step}"]`);
  }

  endStage(step, trace = {}) {
    const stage = this.stage(step);
    if (!stage) return;
    stage.className = trace.notes?.length ? "stage is-degraded" : "stage is-done";
    if (trace.ms !== undefined) stage.querySelector(".ms").textContent = `${Math.round(trace.ms)} ms`;
    stage.querySelector(".count").textContent = describe(step, trace);
    const skills = (trace.skills ?? []).map((skill) => ({ ...skill, type: "skill", text: skill.intent }));
    if (step === "search" && trace.hits.length + skills.length) {
      this.theirs.querySelector(".margin").append(cards([...trace.hits, ...skills]));
      this.stage("synthesize").hidden = trace.effort !== "deep" || !trace.hits.length;
    }
    const next = STEPS.slice(STEPS.indexOf(step) + 1).find((name) => !this.stage(name).hidden);
    if (next) this.stage(next).classList.add("is-running");
  }

  append(text) {
    keepAtEnd(() => this.said.append(text));
  }

  complete(text) {
    keepAtEnd(() => {
      this.said.textContent = text;
      this.said.classList.remove("is-writing");
    });
  }

  fail() {
    this.said.classList.remove("is-writing");
    this.theirs.querySelector(".stage.is-running")?.classList.replace("is-running", "is-failed");
    this.theirs.removeAttribute("aria-busy");
    if (!this.said.textContent) this.said.remove();
  }

  // The stored turns, as the server renders them, take the place of the live ones.
  replaceBy(turns) {
    this.mine?.remove();
    this.theirs.replaceWith(...turns);
    scrollToNewest(this.list);
  }

  remove() {
    this.mine?.remove();
    this.theirs.remove();
  }
}

function counted(n, thing) {
  return `${n.toLocaleString(document.documentElement.lang)} ${words[n === 1 ? thing : `${thing}s`]}`;
}

// The server tells the same of a stored answer (sessions_app/views/stages.py).
function describe(step, trace) {
  const notes = trace.notes ?? [];
  const told = {
    wm_manager: () => [condensed(trace), counted(trace.turns, "turn"), counted(trace.tokens, "token"), trace.note],
    visual_memory: () => [kept(trace), ...notes],
    search: () => [found(trace), trace.skills?.length && counted(trace.skills.length, "skill"), ...notes],
    synthesize: () => [useful(trace), ...notes],
    reason: () => [trace.model, ...notes],
  };
  return told[step]().filter(Boolean).join(" · ");
}

function condensed({ summaries = [] }) {
  const turns = summaries.reduce((sum, summary) => sum + summary.turns, 0);
  return turns ? words.summarised.replace("{n}", turns) : "";
}

function kept({ images, described }) {
  return words.pictures.replace("{n}", images.length).replace("{described}", described);
}

function found({ hits, dropped }) {
  return words.found.replace("{found}", hits.length + dropped.length).replace("{kept}", hits.length);
}

function useful({ scores, kept }) {
  return words.useful.replace("{judged}", scores.length).replace("{kept}", kept.length);
}
