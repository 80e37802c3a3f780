// Images to go with a message: picked, pasted or dropped, shown before they are sent.
// How many, and how large, the server says in the list that shows them.
const SIDES = [4096, 2048, 1280, 768]; // tried in turn where the originals are too large

const toDataUrl = (blob) =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(reader.result));
    reader.addEventListener("error", () => reject(reader.error));
    reader.readAsDataURL(blob);
  });

// Drawn, not linked: the policy of the page lets no image in that is not the server's.
async function drawn(file, side) {
  const bitmap = await createImageBitmap(file);
  const share = Math.min(1, side / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(bitmap.width * share));
  canvas.height = Math.max(1, Math.round(bitmap.height * share));
  canvas.getContext("2d").drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  return canvas;
}

async function smaller(file, side) {
  const canvas = await drawn(file, side);
  const blob = await new Promise((resolve) => {
    canvas.toBlob(resolve, "image/jpeg", 0.85);
  });
  return toDataUrl(blob);
}

export class Attachments {
  constructor(form, words, onTrouble) {
    this.list = form.querySelector("[data-attached]");
    this.input = form.querySelector("[data-pick]");
    Object.assign(this, { words, onTrouble, files: [] });
    const { most, imageBytes, messageBytes } = this.list?.dataset ?? {};
    Object.assign(this, { most: Number(most), imageBytes: Number(imageBytes), messageBytes: Number(messageBytes) });
    this.input?.addEventListener("change", () => {
      this.add([...this.input.files]); // the list itself is emptied with the field
      this.input.value = "";
    });
    form.addEventListener("paste", (event) => this.take(event, event.clipboardData));
    const room = document.getElementById("main");
    room.addEventListener("dragover", (event) => {
      if ([...event.dataTransfer.types].includes("Files")) event.preventDefault();
    });
    room.addEventListener("drop", (event) => this.take(event, event.dataTransfer));
  }

  get isEmpty() {
    return !this.files.length;
  }

  take(event, data) {
    const images = [...data.files].filter((file) => file.type.startsWith("image/"));
    if (!this.list || !images.length) return;
    event.preventDefault();
    this.add(images);
  }

  async add(files) {
    this.onTrouble("");
    for (const file of files) {
      if (!/^image\/(?!svg)/.test(file.type) && !/\.hei[cf]$/i.test(file.name)) this.onTrouble(this.words.unreadable);
      else if (this.files.length >= this.most) this.onTrouble(this.words.toomany);
      else {
        this.files.push(file);
        this.list.append(await this.item(file));
      }
    }
    this.list.hidden = this.isEmpty;
  }

  async item(file) {
    const item = document.createElement("li");
    item.append(await this.preview(file));
    const remove = document.createElement("button");
    remove.type = "button";
    remove.className = "button round";
    remove.textContent = "×";
    remove.setAttribute("aria-label", `${this.words.remove}: ${file.name}`);
    remove.addEventListener("click", () => {
      this.files.splice(this.files.indexOf(file), 1);
      item.remove();
      this.list.hidden = this.isEmpty;
      this.input.focus();
    });
    item.append(remove);
    return item;
  }

  // A format that the browser cannot draw is shown by its name; the server may read it.
  async preview(file) {
    const canvas = await drawn(file, 160).catch(() => null);
    const shown = canvas ?? document.createElement("span");
    if (!canvas) shown.textContent = file.name;
    else {
      shown.setAttribute("role", "img");
      shown.setAttribute("aria-label", file.name);
    }
    return shown;
  }

  // What is sent, and what the page shows of it meanwhile.
  async images() {
    const urls = await this.urls();
    return urls.map((url, place) => ({ url, name: this.files[place].name }));
  }

  async urls() {
    let urls = await Promise.all(this.files.map(toDataUrl));
    for (const side of SIDES) {
      if (this.fit(urls)) return urls;
      const again = (file, place) => smaller(file, side).catch(() => urls[place]);
      urls = await Promise.all(this.files.map(again));
    }
    if (this.fit(urls)) return urls;
    throw new Error(this.words.toolarge);
  }

  // In base64 four characters stand for three bytes.
  fit(urls) {
    const isEachSmall = urls.every((url) => url.length * 0.75 <= this.imageBytes);
    return isEachSmall && urls.reduce((sum, url) => sum + url.length, 0) <= this.messageBytes;
  }

  async pictures() {
    const shown = await Promise.all(this.files.map((file) => this.preview(file)));
    return shown.map((picture) => {
      const item = document.createElement("li");
      item.append(picture);
      return item;
    });
  }

  clear() {
    this.files = [];
    this.list.replaceChildren();
    this.list.hidden = true;
  }
}
