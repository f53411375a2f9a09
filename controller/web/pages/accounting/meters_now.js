// Current meters: every meter as the journal has it now, to eight decimals, and the sum of all. The
// page names the entry of the reading, and does not change by itself.
import { exact, is_zero, sum_of, units_or_zero } from "./amounts.js";
import { box, button, dialog_button, span } from "./element.js";
import { figure_table } from "./figure_table.js";
import { page_title } from "./page_parts.js";
import { price, words } from "./words.js";

const TITLES = {
  amount: "Meter",
  withheld: "Withheld",
  pending: "Pending",
  paid: "Paid",
  contributed: "Contributed",
  seeded: "Seeded",
};
// The amounts of a reserve, under the keys of a level.
const reserve_of = ({ reserve, reserve_withheld, reserve_contributed }) => ({
  amount: reserve,
  withheld: reserve_withheld,
  contributed: reserve_contributed,
});
const has_reserve = (reserve) => Object.values(reserve).some((text) => !is_zero(text));

const suspended = (link) =>
  link.status === "operating" ? null : [" ", span("chip bad", "suspended")];

// The rows of a link: {link, name, pool, is_first}. A link without a meter has a row without
// amounts.
function rows_of(link) {
  const { levels, unit } = link;
  const fixed = `no meter: fixed awards${unit ? `, ${price(unit)} wager` : ""}`;
  const reserve = reserve_of(link);
  return [
    ...levels.map((pool) => ({ name: words(pool.level), pool })),
    ...(levels.length === 0 ? [{ name: span("quiet", fixed), pool: {} }] : []),
    ...(has_reserve(reserve) ? [{ name: "Reserve", pool: reserve }] : []),
  ].map((row, at) => ({ ...row, link, is_first: at === 0 }));
}

function table_of(links) {
  const pools = links.flatMap((link) => [...link.levels, reserve_of(link)]);
  const amounts = Object.entries(TITLES).map(([key, title]) => [
    `#${title}`,
    ({ pool }) => (key in pool ? exact(units_or_zero(pool[key])) : ""),
    exact(sum_of(pools.map((pool) => pool[key]))),
  ]);
  return figure_table(
    "Every meter of the floor",
    [
      [
        "Link",
        ({ link, is_first }) =>
          is_first ? [link.link, suspended(link)] : span("unseen", link.link),
        "All meters and reserves",
      ],
      ["Level", ({ name }) => name],
      ...amounts,
      ["#Hits", ({ pool }) => String(pool.hits ?? "")],
    ],
    links.flatMap(rows_of),
    { kind: "meters is_exact", class_of: ({ is_first }) => (is_first ? "first" : null) },
  );
}

export async function show_meters(context) {
  const { entry, links } = await context.read("/api/accounting");
  return [
    page_title("Current meters ", span("quiet", `entry ${entry}`)),
    box(
      "buttons",
      button("Read again", () => context.again()),
      dialog_button("Take a reading…", () => context.acts.reading(links)),
    ),
    table_of(links),
  ];
}
