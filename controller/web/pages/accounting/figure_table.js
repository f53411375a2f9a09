// Figure table: rows of figures under titles. On a narrow screen each row is a block in which every
// figure has its name. Laws: the first cell is the head of its row; figures are aligned to the
// right.
import { box, element } from "./element.js";
import { entry_link } from "./page_parts.js";
import { date_and_time } from "./words.js";

// A column: [title, cell, foot]. The title is "Table", or "#Handle" for a column of figures. cell:
// the content for a row. foot: the content under the rows, if a column has any.
// class_of: the class of a row.
export function figure_table(caption, columns, rows, { kind = "", class_of = () => null } = {}) {
  const names = columns.map(([title]) => title.replace(/^#/, ""));
  const number = columns.map(([title]) => (title.startsWith("#") ? "number" : null));
  const head = (name, at) =>
    element("th", { scope: "col", role: "columnheader", class: number[at] }, name);
  const cell = (content, at) =>
    at === 0
      ? element("th", { scope: "row", role: "rowheader", class: number[at] }, content)
      : element("td", { role: "cell", class: number[at], "data-title": names[at] }, content);
  const line = (cells, kind_of_row) => element("tr", { role: "row", class: kind_of_row }, cells);
  const body = rows.map((row) =>
    line(
      columns.map(([, content], at) => cell(content(row), at)),
      class_of(row),
    ),
  );
  const has_foot = columns.some(([, , foot]) => foot !== undefined);
  const foot = has_foot && line(columns.map(([, , content], at) => cell(content, at)));
  const table = element(
    "table",
    { class: `figures ${kind}`, role: "table" },
    element("caption", { class: "unseen" }, caption),
    element("thead", { role: "rowgroup" }, line(names.map(head))),
    element("tbody", { role: "rowgroup" }, body),
    foot && element("tfoot", { role: "rowgroup" }, foot),
  );
  return box("figures_frame", table);
}

// Columns of many tables.
export const ENTRY = ["Entry", ({ entry }) => entry_link(entry)];
export const WHEN = ["When", ({ at }) => date_and_time(at)];
export const NOTE = ["Note", ({ note }) => note];
