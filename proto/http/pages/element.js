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

// The two most common elements: paragraph("error", "No such link.").
export const span = (kind, ...children) => element("span", { class: kind }, children);
export const paragraph = (kind, ...children) => element("p", { class: kind }, children);

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
