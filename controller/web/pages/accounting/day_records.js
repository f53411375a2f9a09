// Day records: what people and machines recorded on a day: pending claims, counts, readings,
// counters of the tables, and events. Law: a part without records is one quiet line.
import { amount_or_dash, difference, exact_text, units, units_or_zero } from "./amounts.js";
import { element, paragraph, span } from "./element.js";
import { explained } from "./explain_tree.js";
import { entry_link, figure_table, folded, sheet_part } from "./figure_table.js";
import { age_text, count_of, date_and_time, level_words, words } from "./words.js";

const COUNT_KINDS = {
  poker_box: "Poker box",
  fund_kept: "Fund kept by finance",
  chips: "Progressive chips",
};
const quiet_line = (text) => paragraph("quiet", text);

export function claims_part({ claims_pending: claims }) {
  if (claims.length === 0) return quiet_line("No claim was pending at the end of the day.");
  const sum = claims.reduce((all, { amount }) => all + units_or_zero(amount), 0n);
  return sheet_part(
    "Pending claims",
    `${count_of(claims.length, "claim")}, ${exact_text(sum)} in total, oldest first.`,
    figure_table(
      "Claims pending at the end of the day",
      ["Claim", "#Amount", "#Age", "Line", "Where", "State", "Raised"],
      [...claims]
        .sort((one, other) => other.age_s - one.age_s)
        .map((claim) => [
          `Claim ${claim.claim}`,
          explained(units(claim.amount), claim, `claim ${claim.claim}`, { has_fine: false }),
          age_text(claim.age_s * 1000),
          words(claim.line),
          `${claim.table} · ${claim.link}`,
          words(claim.state),
          date_and_time(claim.raised_at),
        ]),
    ),
  );
}

function counted(count) {
  if (count.expected === null || count.expected === undefined) return "–";
  return difference(units_or_zero(count.amount) - units_or_zero(count.expected));
}

export function counts_part({ counts }) {
  if (counts.length === 0) return quiet_line("No count was recorded.");
  return sheet_part(
    "Counts",
    null,
    figure_table(
      "Counts of money and chips",
      ["What", "Where", "#Counted", "#Expected", "#Difference", "By, witness", "Note", "Entry"],
      counts.map((count) => [
        [
          COUNT_KINDS[count.kind] ?? words(count.kind),
          count.counts === false ? span("quiet", " replaced") : null,
        ],
        [count.table, count.link].filter(Boolean).join(" · "),
        amount_or_dash(count.amount),
        amount_or_dash(count.expected),
        counted(count),
        `${count.by}, ${count.witness}`,
        count.note,
        entry_link(count.entry),
      ]),
    ),
  );
}

function seen_words({ link, level, amount, told }) {
  const name = `${link} ${level_words(level)}`.trim();
  const seen = `${name} ${exact_text(units_or_zero(amount))}`;
  if (!told || units_or_zero(told) === units_or_zero(amount)) return element("span", {}, seen);
  const differs = `${seen}, published ${exact_text(units_or_zero(told))}`;
  return element("strong", { class: "bad" }, differs);
}

export function readings_part({ readings }) {
  if (readings.length === 0) return quiet_line("No person took a reading.");
  return folded(
    [element("strong", {}, "Readings"), element("span", {}, `${readings.length} taken by people`)],
    readings.some(({ seen }) => seen.length > 0),
    figure_table(
      "Readings of every meter, taken by people",
      ["When", "By", "Seen on signs", "Note", "Entry"],
      readings.map(({ entry, at, by, seen, note }) => [
        date_and_time(at),
        by,
        span("seen_words", seen.length > 0 ? seen.map(seen_words) : "–"),
        note,
        entry_link(entry),
      ]),
    ),
  );
}

// Counters that differ from the journal are items of the report.
export function counters_part({ counters, items }) {
  const off = new Set(
    items.filter(({ kind }) => kind.startsWith("counters")).map(({ table }) => table),
  );
  if (counters.length === 0 && off.size === 0) return quiet_line("No table sent its counters.");
  const is_off = ({ table }) => off.has(table);
  const same = counters.filter((one) => !is_off(one)).length;
  const silent = [...off].filter((name) => !counters.some(({ table }) => table === name));
  return folded(
    [
      element("strong", {}, "Counters of the tables"),
      element("span", {}, `${same} equal to the journal`),
      off.size > 0 ? element("strong", { class: "bad" }, `· ${off.size} different`) : null,
    ],
    off.size > 0,
    figure_table(
      "Counters of the tables, as last sent on this day",
      ["Table", "State", "#Times sent", "Last sent", "Messages", "Entry"],
      [
        ...silent.map((table) => [
          table,
          element("strong", { class: "bad" }, "sent nothing"),
          "–",
          "–",
          "–",
          "",
        ]),
        ...[...counters.filter(is_off), ...counters.filter((one) => !is_off(one))].map((one) => [
          one.table,
          is_off(one)
            ? element("strong", { class: "bad" }, "different")
            : span("quiet", "equal to the journal"),
          String(one.told),
          date_and_time(one.at),
          `${one.from_message} to ${one.up_to_message}`,
          entry_link(one.entry),
        ]),
      ],
    ),
  );
}

export function events_part({ events }) {
  if (events.length === 0) return quiet_line("No unusual events.");
  return sheet_part(
    "Events",
    null,
    element(
      "ul",
      { class: "events" },
      events.map(({ kind, entry, words: said }) =>
        element("li", {}, element("strong", {}, words(kind)), ` ${said} `, entry_link(entry)),
      ),
    ),
  );
}

export const COUNT_CHOICES = Object.entries(COUNT_KINDS);
