// Current meters: every meter as the journal has it now, to eight decimals, and the sum of all. The
// page names the entry of the reading, and does not change by itself.
import { exact, sum_of, units_or_zero } from "./amounts.js";
import { element, span } from "./element.js";
import { figure_table } from "./figure_table.js";
import { price, words } from "./words.js";

const TITLES = {
  amount: "Meter",
  withheld: "Withheld",
  pending: "Pending",
  paid: "Paid",
  contributed: "Contributed",
  seeded: "Seeded",
};
const KEYS = Object.keys(TITLES);

const amount_of = (text) => exact(units_or_zero(text));

// The amounts of a reserve, under the keys of a level.
const reserve_of = ({ reserve, reserve_withheld, reserve_contributed }) => ({
  amount: reserve,
  withheld: reserve_withheld,
  contributed: reserve_contributed,
});
const has_reserve = (link) =>
  Object.values(reserve_of(link)).some((text) => units_or_zero(text) !== 0n);

const suspended = (link) =>
  link.status === "operating" ? null : [" ", span("chip bad", "suspended")];
const name_of = (link, at) => (at === 0 ? [link.link, suspended(link)] : span("unseen", link.link));

function rows_of(link) {
  const levels = link.levels.map((level, at) => ({
    class: at === 0 ? "first" : "",
    cells: [
      name_of(link, at),
      words(level.level),
      ...KEYS.map((key) => amount_of(level[key])),
      String(level.hits ?? ""),
    ],
  }));
  if (levels.length === 0) {
    const wager = link.unit ? `, ${price(link.unit)} wager` : "";
    const no_meter = span("quiet", `no meter: fixed awards${wager}`);
    levels.push({ class: "first", cells: [name_of(link, 0), no_meter, ...KEYS.map(() => ""), ""] });
  }
  if (!has_reserve(link)) return levels;
  const reserve = reserve_of(link);
  const cells = KEYS.map((key) => (key in reserve ? amount_of(reserve[key]) : ""));
  return [...levels, { class: "", cells: [name_of(link, 1), "Reserve", ...cells, ""] }];
}

function table_of(links) {
  const pools = links.flatMap((link) => [...link.levels, reserve_of(link)]);
  const sums = KEYS.map((key) => exact(sum_of(pools.map((pool) => pool[key]))));
  return figure_table(
    "Every meter of the floor",
    ["Link", "Level", ...KEYS.map((key) => `#${TITLES[key]}`), "#Hits"],
    links.flatMap(rows_of),
    { foot: [["All meters and reserves", "", ...sums, ""]], kind: "meters is_exact" },
  );
}

export async function show_meters(context) {
  const { entry, links } = await context.read("/api/accounting");
  return [
    element("h2", { tabindex: -1 }, "Current meters ", span("quiet", `entry ${entry}`)),
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
    table_of(links),
  ];
}
