// How hard an answer is looked for, as chosen in this tab.
import { storage } from "./storage.js";

const KEY = "effort";

export class Effort {
  constructor(box) {
    this.box = box;
    const kept = this.radios.find((radio) => radio.value === storage.get(KEY));
    if (kept) kept.checked = true;
    box?.addEventListener("change", () => {
      storage.set(KEY, this.value);
      this.tell();
    });
    box?.addEventListener("keydown", (event) => this.pressed(event));
    document.addEventListener("click", (event) => {
      if (!box?.contains(event.target)) this.close();
    });
    this.tell();
  }

  get radios() {
    return [...(this.box?.querySelectorAll("[name=effort]") ?? [])];
  }

  get chosen() {
    return this.radios.find((radio) => radio.checked);
  }

  get value() {
    return this.chosen?.value;
  }

  tell() {
    if (this.box) this.box.querySelector("[data-chosen]").textContent = this.chosen.nextElementSibling.textContent;
  }

  // Enter in the choice takes it; it must not send the message.
  pressed(event) {
    if (event.key !== "Escape" && !(event.key === "Enter" && event.target.matches("input"))) return;
    event.preventDefault();
    this.close();
    this.box.querySelector("summary").focus();
  }

  close() {
    this.box?.removeAttribute("open");
  }
}
