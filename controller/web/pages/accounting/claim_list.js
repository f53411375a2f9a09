// Claim list: the pending claims by age, and the newest settled ones. Law: the number and the sum
// of pending claims are those that the controller counted. If it lists fewer, the page says so.
import { amount_or_dash, exact_text, units, units_or_zero } from "./amounts.js";
import { element, paragraph } from "./element.js";
import { explained } from "./explain_tree.js";
import { figure_table } from "./figure_table.js";
import { age_text, count_of, date_and_time, level_words, number_text, words } from "./words.js";

const PENDING = ["raised", "validated"];

// How the payout was reached.
const amount_cell = (claim) =>
  claim.level
    ? explained(units(claim.amount), claim, `claim ${claim.claim}`, { has_fine: false })
    : amount_or_dash(claim.amount);

// By the clock of the controller, if it sends the age.
const age_of = ({ age_s, raised_at: at }) =>
  age_text(age_s === undefined ? Date.now() - Date.parse(at) : age_s * 1000);

const table_of = (caption, claims, is_pending) =>
  figure_table(
    caption,
    ["Claim", "#Amount", "Line", "Where", "State", "Raised", is_pending ? "#Age" : "Entry"],
    claims.map((claim) => [
      `Claim ${claim.claim}`,
      amount_cell(claim),
      [words(claim.line), level_words(claim.level).toLowerCase()].filter(Boolean).join(" · "),
      `${claim.table} · ${claim.link}`,
      words(claim.state),
      date_and_time(claim.raised_at),
      is_pending
        ? age_of(claim)
        : element("a", { class: "entry", href: `#journal/${claim.entry}` }, String(claim.entry)),
    ]),
  );

// The note over a list that is not complete.
const cut_note = (listed, of_all, text) => (listed < of_all ? paragraph("quiet", text) : null);

export async function show_claims(context) {
  const { claims, pending: open, settled: ended } = await context.read("/api/accounts/claims");
  const by_age = [...claims].sort((one, other) => (one.raised_at < other.raised_at ? -1 : 1));
  const pending = by_age.filter(({ state }) => PENDING.includes(state));
  const settled = by_age.filter(({ state }) => !PENDING.includes(state)).reverse();
  const sum = exact_text(units_or_zero(open.sum));
  return [
    element("h2", { tabindex: -1 }, "Claims"),
    element(
      "p",
      { class: "verdict", "data-state": open.count > 0 ? "warn" : "good" },
      open.count === 0
        ? "No claim is pending."
        : `${count_of(open.count, "claim")} pending, ${sum} in total.`,
    ),
    cut_note(
      pending.length,
      open.count,
      `This list shows the oldest ${number_text(pending.length)} of them.`,
    ),
    pending.length > 0 ? table_of("Pending claims, oldest first", pending, true) : null,
    settled.length > 0
      ? [
          element("h3", {}, "Settled"),
          cut_note(
            settled.length,
            ended.count,
            `This list shows the newest ${number_text(settled.length)} of ${count_of(ended.count, "claim")}.`,
          ),
          table_of("Settled claims, newest first", settled, false),
        ]
      : null,
  ];
}
