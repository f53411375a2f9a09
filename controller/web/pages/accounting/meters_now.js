// Current meters: every meter as the journal has it now, to eight decimals, and the sum of all. The
// page names the entry of the reading, and does not change by itself.
import { exact, units_or_zero as units } from "./amounts.js";
import { element } from "./element.js";
import { price, words } from "./words.js";

const SUMS = ["amount", "withheld", "pending", "paid", "contributed", "seeded"];
const TITLES = {
  amount: "Meter",
  withheld: "Withheld",
  pending: "Pending",
  paid: "Paid",
  contributed: "Contributed",
  seeded: "Seeded",
};

const cell = (...children) => element("td", { class: "number" }, ...children);

function level_row(link, level, is_first) {
  const status =
    link.status === "operating" ? null : element("span", { class: "chip bad" }, "suspended");
  return element(
    "tr",
    { class: is_first ? "first" : "" },
    element(
      "th",
      { scope: "row" },
      is_first ? [link.link, " ", status] : element("span", { class: "unseen" }, link.link),
    ),
    element("td", {}, words(level.level)),
    SUMS.map((name) => cell(exact(units(level[name])))),
    cell(String(level.hits ?? "")),
  );
}

function reserve_row(link) {
  return element(
    "tr",
    {},
    element("th", { scope: "row" }, element("span", { class: "unseen" }, link.link)),
    element("td", {}, "Reserve"),
    cell(exact(units(link.reserve))),
    cell(exact(units(link.reserve_withheld))),
    cell(),
    cell(),
    cell(exact(units(link.reserve_contributed))),
    cell(),
    cell(),
  );
}

function table_of(links) {
  const sums = Object.fromEntries(
    SUMS.map((name) => [
      name,
      links.flatMap((link) => link.levels).reduce((sum, level) => sum + units(level[name]), 0n),
    ]),
  );
  sums.amount += links.reduce((sum, link) => sum + units(link.reserve), 0n);
  sums.withheld += links.reduce((sum, link) => sum + units(link.reserve_withheld), 0n);
  sums.contributed += links.reduce((sum, link) => sum + units(link.reserve_contributed), 0n);
  return element(
    "table",
    {},
    element("caption", { class: "unseen" }, "Every meter of the floor"),
    element(
      "thead",
      {},
      element(
        "tr",
        {},
        element("th", { scope: "col" }, "Link"),
        element("th", { scope: "col" }, "Level"),
        SUMS.map((name) => element("th", { scope: "col", class: "number" }, TITLES[name])),
        element("th", { scope: "col", class: "number" }, "Hits"),
      ),
    ),
    element(
      "tbody",
      {},
      links.map((link) => [
        link.levels.length === 0
          ? element(
              "tr",
              { class: "first" },
              element("th", { scope: "row" }, link.link),
              element(
                "td",
                { class: "quiet", colspan: 8 },
                `no meter: fixed awards${link.unit ? `, ${price(link.unit)} wager` : ""}`,
              ),
            )
          : link.levels.map((level, at) => level_row(link, level, at === 0)),
        units(link.reserve) !== 0n ||
        units(link.reserve_withheld) !== 0n ||
        units(link.reserve_contributed) !== 0n
          ? reserve_row(link)
          : null,
      ]),
    ),
    element(
      "tfoot",
      {},
      element(
        "tr",
        {},
        element("th", { scope: "row", colspan: 2 }, "All meters and reserves"),
        SUMS.map((name) => cell(exact(sums[name]))),
        cell(),
      ),
    ),
  );
}

export async function show_meters(context) {
  const { entry, links } = await context.read("/api/accounting");
  return [
    element(
      "h2",
      { tabindex: -1 },
      "Current meters ",
      element("span", { class: "quiet" }, `entry ${entry}`),
    ),
    element(
      "div",
      { class: "buttons" },
      element("button", { type: "button", on_click: () => context.again() }, "Read again"),
      element(
        "button",
        { type: "button", "aria-haspopup": "dialog", on_click: () => context.acts.reading(links) },
        "Take a reading…",
      ),
    ),
    element(
      "div",
      { class: "meters is_exact", tabindex: 0, role: "group", "aria-label": "Meters" },
      table_of(links),
    ),
  ];
}
