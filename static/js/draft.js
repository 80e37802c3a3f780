// What a person typed and has not got an answer to, kept in the tab until the server has it.
import { storage } from "./storage.js";

export class Draft {
  constructor(space, session) {
    this.space = space;
    this.use(session);
  }

  use(session) {
    this.key = `draft:${this.space}:${session || "new"}`;
  }

  get text() {
    return storage.get(this.key);
  }

  set text(text) {
    storage.set(this.key, text);
  }

  move(session) {
    const { text } = this;
    this.text = "";
    this.use(session);
    this.text = text;
  }
}
