// Page parts: what the accounting pages have in common: titles, verdicts, links to entries and to
// other pages, parts of a sheet, details that fold.
import { anchor, element, paragraph, span } from "./element.js";

export const page_title = (...words) => element("h2", { tabindex: -1 }, words);

// The state of what the page shows: "good", "warn" or "bad", and the words for it.
export const verdict = (state, ...words) =>
  element("p", { class: "verdict", "data-state": state }, words);

export const entry_link = (entry) =>
  entry ? anchor(`#journal/${entry}`, "entry", `entry ${entry}`) : null;
export const day_link = (day) => anchor(`#day/${day}`, "entry", day);

export const link_button = (href, words, is_here = false) =>
  element("a", { class: "button", href, "aria-current": is_here ? "page" : null }, words);

// Buttons and lists that lead to other pages.
export const choices = (label, ...children) =>
  element("nav", { class: "choices", "aria-label": label }, children);

// A list that leads to the address of what is chosen: [value, words, whether it is shown now].
export const page_list = (properties, address, choices) =>
  element(
    "select",
    {
      ...properties,
      on_change: (event) => {
        location.hash = address(event.target.value);
      },
    },
    choices.map(([value, words, selected]) => element("option", { value, selected }, words)),
  );

// A part of a page: a title, a quiet note, and what is under it.
export const sheet_part = (title, note, ...children) =>
  element(
    "section",
    { class: "sheet_part", "aria-label": title },
    element("h3", {}, title),
    note ? paragraph("quiet", note) : null,
    children,
  );

// Details that are not needed every day, folded under one line. Paper shows them unfolded.
export function folded(words, is_open, ...children) {
  const name = span("folded_words", words);
  return element(
    "details",
    { class: "folded", open: is_open, "aria-label": name.textContent },
    element("summary", {}, turn_mark(), name),
    children,
  );
}

export const turn_mark = () => element("span", { class: "turn", "aria-hidden": "true" }, "›");
