// Behaviour of every page: theme, drawer, dialogs, passwords, the browser's time zone.
const root = document.documentElement;

function showTheme() {
  const theme = root.dataset.theme ?? "auto";
  for (const toggle of document.querySelectorAll("[data-theme-toggle]")) {
    toggle.querySelector("span").textContent = toggle.dataset[theme];
  }
}

function nextTheme() {
  const order = ["auto", "light", "dark"];
  const next = order[(order.indexOf(root.dataset.theme ?? "auto") + 1) % order.length];
  if (next === "auto") delete root.dataset.theme;
  else root.dataset.theme = next;
  try {
    localStorage.setItem("theme", next);
  } catch {
    // Then the choice lasts for this page.
  }
  showTheme();
}

function setDrawer(isOpen) {
  const shell = document.querySelector(".shell");
  if (!shell) return;
  shell.classList.toggle("is-open", isOpen);
  shell.querySelector(".room").inert = isOpen;
  shell.querySelector(".opener")?.setAttribute("aria-expanded", String(isOpen));
  shell.querySelector(isOpen ? ".closer" : ".opener")?.focus();
}

function reveal(button) {
  const input = document.getElementById(button.dataset.reveal);
  const isShown = input.type === "text";
  input.type = isShown ? "password" : "text";
  button.setAttribute("aria-pressed", String(!isShown));
}

document.addEventListener("click", (event) => {
  const found = (selector) => event.target.closest(selector);
  if (found("[data-theme-toggle]")) nextTheme();
  else if (found(".opener")) setDrawer(true);
  else if (found(".closer, .backdrop")) setDrawer(false);
  else if (found("[data-reveal]")) reveal(found("[data-reveal]"));
  else if (found("[data-opens]")) {
    event.preventDefault(); // without scripts it is a link to a page that asks the same
    document.getElementById(found("[data-opens]").dataset.opens).showModal();
  }
  else if (found("[data-closes]")) found("dialog").close();
  else if (found("[data-dismisses]")) {
    found(".notice").remove();
    document.getElementById("main").focus();
  }
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  const open = document.querySelector("[data-panel][open]");
  if (!open && document.querySelector(".shell.is-open")) setDrawer(false);
  open?.removeAttribute("open");
  open?.querySelector("summary").focus();
});

// A form that takes the place of an item has the focus, and gives it back to what opened it.
const openers = new Map();

document.addEventListener("htmx:beforeRequest", ({ detail }) => {
  const item = detail.elt.closest(".record");
  const place = item ? [...item.querySelectorAll(".acts a")].indexOf(detail.elt) : -1;
  if (place >= 0) openers.set(item.id, place);
});

document.addEventListener("htmx:afterSettle", ({ detail }) => {
  const item = document.getElementById(detail.target.id);
  if (!item?.matches(".record") || document.activeElement !== document.body) return;
  const field = item.querySelector("form [data-keeps]") && item.querySelector("form :is(textarea, input:not([type=hidden]))");
  const acts = item.querySelectorAll(".acts :is(a, button)");
  (field ?? acts[openers.get(item.id)] ?? acts[0] ?? item.querySelector("a"))?.focus();
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") event.target.closest(".record form")?.querySelector("[data-keeps]")?.click();
});

// What hangs over the page goes when something else is pressed.
document.addEventListener("click", (event) => {
  for (const open of document.querySelectorAll("[data-panel][open]"))
    if (!open.contains(event.target)) open.removeAttribute("open");
});

// A second click must not send a form twice.
document.addEventListener("submit", (event) => {
  if (!event.target.matches("[data-once]")) return;
  const button = event.target.querySelector("[type=submit]");
  button.setAttribute("aria-disabled", "true");
  if (event.target.dataset.sent) event.preventDefault();
  event.target.dataset.sent = "yes";
});

addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("[data-once]")) {
    delete form.dataset.sent;
    form.querySelector("[type=submit]").removeAttribute("aria-disabled");
  }
});

const zone = document.querySelector("input[name=time_zone]");
if (zone) zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
showTheme();
