// Day tables: for every table its handle, contributions and payouts, and its § 605a.7 counters.
// Laws: the tables of a link are folded under one line with their sums. Attendant paid plus device
// paid must be the total paid; if not, the page says so.
import { amount_or_dash, exact, exact_text, sum_of, units, units_or_zero } from "./amounts.js";
import { element } from "./element.js";
import { explained } from "./explain_tree.js";
import { figure_table, folded } from "./figure_table.js";
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

function link_tables(link, last, is_named) {
  const levels = Object.keys(link.tables[0]?.contributed ?? {});
  const sum = (key) => sum_of(link.tables.map((table) => table[key]));
  const of_level = (level) => sum_of(link.tables.map((table) => table.contributed[level]));
  const taken = figure_table(
    `${link.link}: handle and contributions by table`,
    [
      "Table",
      "#Rounds",
      "#Wagers",
      "#Handle",
      ...levels.map((level) => `#To ${level_words(level, "meter").toLowerCase()}`),
    ],
    link.tables.map((table) => [
      table.table,
      number_text(table.rounds),
      number_text(table.wagers),
      amount_or_dash(table.handle),
      ...levels.map((level) =>
        explained(
          units(table.contributed[level]),
          { link: link.link, level, at: last },
          `${table.table} to ${link.link} ${level_words(level, "meter")}`,
        ),
      ),
    ]),
    {
      foot: [
        [
          "All tables",
          number_text(link.tables.reduce((all, { rounds }) => all + rounds, 0)),
          number_text(link.tables.reduce((all, { wagers }) => all + wagers, 0)),
          exact(sum("handle"), { has_fine: false }),
          ...levels.map((level) => exact(of_level(level))),
        ],
      ],
    },
  );
  const paid_row = (table) => {
    const [day, ever] = ["", "_ever"].map((when) =>
      ["attendant_paid", "device_paid", "progressive_paid"].map((key) => table[key + when]),
    );
    return [
      table.table,
      amount_or_dash(day[0]),
      amount_or_dash(day[1]),
      paid_words(...day),
      amount_or_dash(ever[0]),
      amount_or_dash(ever[1]),
      paid_words(...ever),
    ];
  };
  const paid = figure_table(
    `${link.link}: § 605a.7 counters by table`,
    ["Table", "#Attendant, day", "#Device, day", "#Total, day"].concat([
      "#Attendant, lifetime",
      "#Device, lifetime",
      "#Total, lifetime",
    ]),
    link.tables.map(paid_row),
    { kind: "paid" },
  );
  const words = [
    element("strong", {}, link.link),
    element("span", {}, `${count_of(link.tables.length, "table")} ·`),
    element("span", {}, `handle ${exact_text(sum("handle"))} ·`),
    element("span", {}, `paid ${exact_text(sum("progressive_paid"))}`),
    fixed_words(link.fixed_awards),
  ];
  return folded(
    words,
    is_named || link.tables.some(is_off),
    taken,
    element("h4", {}, "Paid (§ 605a.7)"),
    paid,
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
