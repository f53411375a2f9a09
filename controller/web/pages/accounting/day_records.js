// Day records: what people and machines recorded on a day: pending claims, counts, readings,
// counters of the tables, and events. Law: a part without records is one quiet line.
import { amount_or_dash, difference, exact_text, sum_of, units_or_zero } from "./amounts.js";
import { CLAIM, STANDING, explained_claim } from "./claim_list.js";
import { element, list, paragraph, span, strong } from "./element.js";
import { ENTRY, NOTE, WHEN, figure_table } from "./figure_table.js";
import { entry_link, folded, sheet_part } from "./page_parts.js";
import { age_text, count_of, date_and_time, dotted, level_words, words } from "./words.js";

const COUNT_KINDS = {
  poker_box: "Poker box",
  fund_kept: "Fund kept by finance",
  chips: "Progressive chips",
};
export const COUNT_CHOICES = Object.entries(COUNT_KINDS);

const quiet_line = (text) => paragraph("quiet", text);
const bad = (text) => element("strong", { class: "bad" }, text);

const CLAIMS = [
  CLAIM,
  ["#Amount", explained_claim],
  ["#Age", ({ age_s }) => age_text(age_s * 1000)],
  ["Line", ({ line }) => words(line)],
  ...STANDING,
];

export function claims_part({ claims_pending: claims }) {
  if (claims.length === 0) return quiet_line("No claim was pending at the end of the day.");
  const sum = exact_text(sum_of(claims.map(({ amount }) => amount)));
  const by_age = [...claims].sort((one, other) => other.age_s - one.age_s);
  return sheet_part(
    "Pending claims",
    `${count_of(claims.length, "claim")}, ${sum} in total, oldest first.`,
    figure_table("Claims pending at the end of the day", CLAIMS, by_age),
  );
}

function counted({ amount, expected }) {
  if (expected === null || expected === undefined) return "–";
  return difference(units_or_zero(amount) - units_or_zero(expected));
}

const COUNTS = [
  [
    "What",
    ({ kind, counts }) => [
      COUNT_KINDS[kind] ?? words(kind),
      counts === false ? span("quiet", " replaced") : null,
    ],
  ],
  ["Where", ({ table, link }) => dotted(table, link)],
  ["#Counted", ({ amount }) => amount_or_dash(amount)],
  ["#Expected", ({ expected }) => amount_or_dash(expected)],
  ["#Difference", counted],
  ["By, witness", ({ by, witness }) => `${by}, ${witness}`],
  NOTE,
  ENTRY,
];

export function counts_part({ counts }) {
  if (counts.length === 0) return quiet_line("No count was recorded.");
  return sheet_part("Counts", null, figure_table("Counts of money and chips", COUNTS, counts));
}

function seen_words({ link, level, amount, told }) {
  const name = `${link} ${level_words(level)}`.trim();
  const seen = `${name} ${exact_text(units_or_zero(amount))}`;
  if (!told || units_or_zero(told) === units_or_zero(amount)) return element("span", {}, seen);
  return bad(`${seen}, published ${exact_text(units_or_zero(told))}`);
}

const READINGS = [
  WHEN,
  ["By", ({ by }) => by],
  ["Seen on signs", ({ seen }) => span("seen_words", seen.length > 0 ? seen.map(seen_words) : "–")],
  NOTE,
  ENTRY,
];

export function readings_part({ readings }) {
  if (readings.length === 0) return quiet_line("No person took a reading.");
  return folded(
    [strong("Readings"), element("span", {}, `${readings.length} taken by people`)],
    readings.some(({ seen }) => seen.length > 0),
    figure_table("Readings of every meter, taken by people", READINGS, readings),
  );
}

// A table that sent nothing has no entry.
const counters_columns = (is_off) => [
  ["Table", ({ table }) => table],
  [
    "State",
    (one) => {
      if (!one.entry) return bad("sent nothing");
      return is_off(one) ? bad("different") : span("quiet", "equal to the journal");
    },
  ],
  ["#Times sent", ({ told = "–" }) => String(told)],
  ["Last sent", ({ at }) => date_and_time(at)],
  ["Messages", (one) => (one.entry ? `${one.from_message} to ${one.up_to_message}` : "–")],
  ENTRY,
];

// Counters that differ from the journal are items of the report.
export function counters_part({ counters, items }) {
  const off = new Set(
    items.filter(({ kind }) => kind.startsWith("counters")).map(({ table }) => table),
  );
  if (counters.length === 0 && off.size === 0) return quiet_line("No table sent its counters.");
  const is_off = ({ table }) => off.has(table);
  const same = counters.filter((one) => !is_off(one));
  const silent = [...off].filter((name) => !counters.some(({ table }) => table === name));
  return folded(
    [
      strong("Counters of the tables"),
      element("span", {}, `${same.length} equal to the journal`),
      off.size > 0 ? bad(`· ${off.size} different`) : null,
    ],
    off.size > 0,
    figure_table("Counters of the tables, as last sent on this day", counters_columns(is_off), [
      ...silent.map((table) => ({ table })),
      ...counters.filter(is_off),
      ...same,
    ]),
  );
}

export function events_part({ events }) {
  if (events.length === 0) return quiet_line("No unusual events.");
  const event = ({ kind, entry, words: said }) => [
    strong(words(kind)),
    ` ${said} `,
    entry_link(entry),
  ];
  return sheet_part("Events", null, list("events", events.map(event)));
}
