// Day tables: for every table its handle, contributions and payouts, and its § 605a.7 counters.
// Laws: the tables of a link are folded under one line with their sums. Attendant paid plus device
// paid must be the total paid; if not, the page says so.
import { amount_or_dash, exact, exact_text, sum_of, units, units_or_zero } from "./amounts.js";
import { element, strong } from "./element.js";
import { explained } from "./explain_tree.js";
import { figure_table } from "./figure_table.js";
import { folded } from "./page_parts.js";
import { count_of, level_words, number_text } from "./words.js";

function paid_words(attendant, device, whole) {
  const left = units_or_zero(attendant) + units_or_zero(device) - units_or_zero(whole);
  return [
    amount_or_dash(whole),
    left === 0n ? null : element("strong", { class: "bad" }, ` off by ${exact_text(left)}`),
  ];
}

const is_off = (table) =>
  ["", "_ever"].some(
    (when) =>
      sum_of([table[`attendant_paid${when}`], table[`device_paid${when}`]]) !==
      units_or_zero(table[`progressive_paid${when}`]),
  );

// Awards that no meter pays (M13).
function fixed_words({ count, amount, reversed_count: back, reversed }) {
  if (count === 0 && back === 0) return null;
  const paid = exact_text(units_or_zero(amount));
  const less = back === 0 ? "" : `, ${exact_text(units_or_zero(reversed))} of them reversed`;
  return element("span", {}, `· ${count_of(count, "fixed award")} ${paid}${less}`);
}

const TABLE = ({ table }) => table;

function taken_table({ link, tables }, last) {
  const levels = Object.keys(tables[0]?.contributed ?? {});
  const sum = (amount_of) => sum_of(tables.map(amount_of));
  const counted = (title, key) => [
    title,
    (table) => number_text(table[key]),
    number_text(tables.reduce((all, table) => all + table[key], 0)),
  ];
  const handle = ({ handle: amount }) => amount;
  return figure_table(
    `${link}: handle and contributions by table`,
    [
      ["Table", TABLE, "All tables"],
      counted("#Rounds", "rounds"),
      counted("#Wagers", "wagers"),
      ["#Handle", (table) => amount_or_dash(table.handle), exact(sum(handle), { has_fine: false })],
      ...levels.map((level) => {
        const name = level_words(level, "meter");
        const contributed = (table) => table.contributed[level];
        return [
          `#To ${name.toLowerCase()}`,
          (table) =>
            explained(
              units(contributed(table)),
              { link, level, at: last },
              `${table.table} to ${link} ${name}`,
            ),
          exact(sum(contributed)),
        ];
      }),
    ],
    tables,
  );
}

const paid_columns = (when, key) => [
  [`#Attendant, ${when}`, (table) => amount_or_dash(table[`attendant_paid${key}`])],
  [`#Device, ${when}`, (table) => amount_or_dash(table[`device_paid${key}`])],
  [
    `#Total, ${when}`,
    (table) =>
      paid_words(
        ...["attendant_paid", "device_paid", "progressive_paid"].map((name) => table[name + key]),
      ),
  ],
];
const PAID = [["Table", TABLE], ...paid_columns("day", ""), ...paid_columns("lifetime", "_ever")];

function link_tables(link, last, is_named) {
  const { tables } = link;
  const sum = (key) => exact_text(sum_of(tables.map((table) => table[key])));
  return folded(
    [
      strong(link.link),
      element("span", {}, `${count_of(tables.length, "table")} ·`),
      element("span", {}, `handle ${sum("handle")} ·`),
      element("span", {}, `paid ${sum("progressive_paid")}`),
      fixed_words(link.fixed_awards),
    ],
    is_named || tables.some(is_off),
    taken_table(link, last),
    element("h4", {}, "Paid (§ 605a.7)"),
    figure_table(`${link.link}: § 605a.7 counters by table`, PAID, tables, { kind: "paid" }),
  );
}

// Links with an open item are unfolded.
export const day_tables = (report) =>
  report.links.map((link) =>
    link_tables(
      link,
      report.entries.last,
      report.items.some((item) => item.open && item.link === link.link && item.table),
    ),
  );
