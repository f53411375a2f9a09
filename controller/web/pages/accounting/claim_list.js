// Claim list: the pending claims by age, and the newest settled ones. Law: the number and the sum
// of pending claims are those that the controller counted. If it lists fewer, the page says so.
import { amount_or_dash, exact_text, units, units_or_zero } from "./amounts.js";
import { anchor, element, paragraph } from "./element.js";
import { explained } from "./explain_tree.js";
import { figure_table } from "./figure_table.js";
import { page_title, verdict } from "./page_parts.js";
import {
  age_text,
  count_of,
  date_and_time,
  dotted,
  level_words,
  number_text,
  words,
} from "./words.js";

const PENDING = ["raised", "validated"];

// Columns of every table of claims.
export const CLAIM = ["Claim", ({ claim }) => `Claim ${claim}`];
export const STANDING = [
  ["Where", ({ table, link }) => `${table} · ${link}`],
  ["State", ({ state }) => words(state)],
  ["Raised", ({ raised_at }) => date_and_time(raised_at)],
];

// An amount; a click shows how the payout was reached.
export const explained_claim = (claim) =>
  explained(units(claim.amount), claim, `claim ${claim.claim}`, { has_fine: false });

// By the clock of the controller, if it sends the age.
const age_of = ({ age_s, raised_at: at }) =>
  age_text(age_s === undefined ? Date.now() - Date.parse(at) : age_s * 1000);

const table_of = (caption, claims, last_column) =>
  figure_table(
    caption,
    [
      CLAIM,
      ["#Amount", (claim) => (claim.level ? explained_claim(claim) : amount_or_dash(claim.amount))],
      ["Line", ({ line, level }) => dotted(words(line), level_words(level).toLowerCase())],
      ...STANDING,
      last_column,
    ],
    claims,
  );

// The note over a list that is not complete.
const cut_note = (listed, of_all, text) => (listed < of_all ? paragraph("quiet", text) : null);

export async function show_claims(context) {
  const { claims, pending: open, settled: ended } = await context.read("/api/accounts/claims");
  const by_age = [...claims].sort((one, other) => (one.raised_at < other.raised_at ? -1 : 1));
  const pending = by_age.filter(({ state }) => PENDING.includes(state));
  const settled = by_age.filter(({ state }) => !PENDING.includes(state)).reverse();
  const sum = exact_text(units_or_zero(open.sum));
  const oldest = `This list shows the oldest ${number_text(pending.length)} of them.`;
  const all = count_of(ended.count, "claim");
  const newest = `This list shows the newest ${number_text(settled.length)} of ${all}.`;
  const entry = ({ entry: at }) => anchor(`#journal/${at}`, "entry", String(at));
  return [
    page_title("Claims"),
    open.count === 0
      ? verdict("good", "No claim is pending.")
      : verdict("warn", `${count_of(open.count, "claim")} pending, ${sum} in total.`),
    cut_note(pending.length, open.count, oldest),
    pending.length > 0 && table_of("Pending claims, oldest first", pending, ["#Age", age_of]),
    settled.length > 0 && [
      element("h3", {}, "Settled"),
      cut_note(settled.length, ended.count, newest),
      table_of("Settled claims, newest first", settled, ["Entry", entry]),
    ],
  ];
}
