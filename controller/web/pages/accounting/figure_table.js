// Figure table: rows of figures under titles. On a narrow screen each row is a block in which every
// figure has its name. Laws: the first cell is the head of its row; figures are aligned to the
// right.
import { element, paragraph, span } from "./element.js";

// Titles: "Table", or "#Handle" for a column of figures. A row: its cells, or {cells, class, id}.
export function figure_table(caption, titles, rows, { foot = [], kind = "" } = {}) {
  const is_figure = titles.map((title) => title.startsWith("#"));
  const names = titles.map((title) => title.replace(/^#/, ""));
  const line = (row) => {
    const { cells, ...more } = Array.isArray(row) ? { cells: row } : row;
    return element(
      "tr",
      { role: "row", ...more },
      cells.map((cell, at) =>
        element(
          at === 0 ? "th" : "td",
          {
            scope: at === 0 ? "row" : null,
            role: at === 0 ? "rowheader" : "cell",
            class: is_figure[at] ? "number" : null,
            "data-title": at === 0 ? null : names[at],
          },
          cell,
        ),
      ),
    );
  };
  const table = element(
    "table",
    { class: `figures ${kind}`, role: "table" },
    element("caption", { class: "unseen" }, caption),
    element(
      "thead",
      { role: "rowgroup" },
      element(
        "tr",
        { role: "row" },
        names.map((name, at) =>
          element(
            "th",
            { scope: "col", role: "columnheader", class: is_figure[at] ? "number" : null },
            name,
          ),
        ),
      ),
    ),
    element("tbody", { role: "rowgroup" }, rows.map(line)),
    foot.length > 0 ? element("tfoot", { role: "rowgroup" }, foot.map(line)) : null,
  );
  return element("div", { class: "figures_frame" }, table);
}

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

export const entry_link = (entry) =>
  entry ? element("a", { class: "entry", href: `#journal/${entry}` }, `entry ${entry}`) : null;
