// What this tab remembers until it is closed.
export const storage = {
  get(key) {
    try {
      return sessionStorage.getItem(key) ?? "";
    } catch {
      return "";
    }
  },
  set(key, text) {
    try {
      if (text) sessionStorage.setItem(key, text);
      else sessionStorage.removeItem(key);
    } catch {
      // A full or forbidden storage costs what would have been kept over a reload, nothing else.
    }
  },
};
