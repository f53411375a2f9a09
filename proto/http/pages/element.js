// Element: how the pages make what they show. Laws: text becomes a text node, never markup; style
// is a class or the CSSOM. So nothing that a server or a person wrote can run here.

const SVG = "http://www.w3.org/2000/svg";

function put(node, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on_")) node.addEventListener(name.slice(3), value);
    else if (name === "value") node.value = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(
    ...children.flat(9).filter((child) => child !== null && child !== undefined && child !== false),
  );
  return node;
}

// element("button", { class: "main", on_click: act }, "Pay"). Null and false are left out.
export const element = (tag, properties = {}, ...children) =>
  put(document.createElement(tag), properties, children);

// The most common elements, with their class: paragraph("quiet", "No such link.").
export const span = (kind, ...children) => element("span", { class: kind }, children);
export const paragraph = (kind, ...children) => element("p", { class: kind }, children);
export const box = (kind, ...children) => element("div", { class: kind }, children);
export const strong = (...children) => element("strong", {}, children);
export const list = (kind, items, kind_of_item) =>
  element(
    "ul",
    { class: kind },
    items.map((item) => element("li", { class: kind_of_item }, item)),
  );
// A row of a list of terms.
export const term = (label, value, kind) =>
  element("div", { class: kind }, element("dt", {}, label), element("dd", {}, value));

// Messages that a screen reader reads when they change.
export const error_line = (text) => element("p", { class: "error", role: "alert" }, text);
export const status_line = (kind, text) => element("p", { class: kind, role: "status" }, text);

export const button = (label, on_click, properties = {}) =>
  element("button", { type: "button", on_click, ...properties }, label);
// A button that shows whether something is on.
export const toggle = (id, is_on, label, on_click, properties = {}) =>
  button(label, on_click, { id, "aria-pressed": String(is_on), ...properties });
// A button that opens a dialog.
export const dialog_button = (label, on_click, kind) =>
  button(label, on_click, { class: kind, "aria-haspopup": "dialog" });
export const anchor = (href, kind, ...children) => element("a", { class: kind, href }, children);
// A link to a document of its own.
export const new_tab = (href, kind, ...children) =>
  element("a", { class: kind, href, target: "_blank", rel: "noopener" }, children);

// Fields. A badge is typed in capitals; a PIN is never shown and never stored.
export const text_input = (id, properties) =>
  element("input", { id, type: "text", autocomplete: "off", maxlength: 200, ...properties });
export const badge_input = (id, properties) =>
  text_input(id, {
    autocapitalize: "characters",
    spellcheck: "false",
    maxlength: 64,
    ...properties,
  });
export const pin_input = (id, properties) =>
  text_input(id, { type: "password", inputmode: "numeric", maxlength: 64, ...properties });
export const label_of = (id, ...words) => element("label", { for: id }, words);

export const drawing = (tag, properties = {}, ...children) =>
  put(document.createElementNS(SVG, tag), properties, children);

export const by_id = (id) => document.getElementById(id);

// Sets the text only if it changed: screen readers do not read it again, and the browser does not
// lay it out again.
export function set_text(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

export function show(node, is_shown) {
  if (node.hidden === is_shown) node.hidden = !is_shown;
}

// Marks the one of several that the page shows. as: "page" for a link, "true" otherwise.
export function set_current(node, is_current, as) {
  if (is_current) node.setAttribute("aria-current", as);
  else node.removeAttribute("aria-current");
}

// Choices that the browser stores for this screen. If it stores nothing, they last until the page
// is closed.
export function remembered(name) {
  try {
    return localStorage.getItem(`linkmeter.${name}`);
  } catch {
    return null;
  }
}
export function remember(name, value) {
  try {
    localStorage.setItem(`linkmeter.${name}`, value);
  } catch {
    /* not stored */
  }
}
