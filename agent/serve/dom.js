// Elements from plain values. Text from repositories and models is only ever set as text: nothing here parses HTML.

export const byId = (id) => document.getElementById(id);

/** An element with properties, attributes in `attributes`, and children that are elements or strings. */
export function make(tag, properties = {}, ...children) {
  const { attributes = {}, ...rest } = properties;
  const element = Object.assign(document.createElement(tag), rest);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

export function button(label, onClick, properties = {}) {
  const element = make("button", { type: "button", ...properties }, label);
  element.addEventListener("click", onClick);
  return element;
}

export const chip = (text, title = "", kind = "") => make("span", { className: `chip ${kind}`.trim(), title }, text);

export const number = (value) => Number(value).toLocaleString("en");

export const plural = (count, noun) => `${number(count)} ${noun}${count === 1 ? "" : "s"}`;

export const lines = (first, last) => (first === last ? `${first}` : `${first}–${last}`);

/** Numbered lines of code; those from `marked[0]` to `marked[1]` stand out. */
export function listing(numbered, marked = null) {
  const box = make("div", { className: "code" });
  for (const [at, text] of numbered) {
    const inside = marked !== null && at >= marked[0] && at <= marked[1];
    const row = make("div", { className: inside ? "line marked" : "line" });
    if (inside) row.setAttribute("aria-current", "true");
    row.append(make("span", { className: "at", attributes: { "data-at": at ?? "" } }), make("code", {}, text || " "));
    box.append(row);
  }
  return box;
}
