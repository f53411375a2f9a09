// Claim list: every claim with its state, the pending ones first and by age.
import { amount_or_dash, exact_text, sum_of, units } from "./amounts.js";
import { element } from "./element.js";
import { explained } from "./explain_tree.js";
import { figure_table } from "./figure_table.js";
import { age_text, count_of, date_and_time, level_words, words } from "./words.js";

const PENDING = ["raised", "validated"];

// How the payout was reached.
const amount_cell = (claim) =>
  claim.level
    ? explained(units(claim.amount), claim, `claim ${claim.claim}`, { has_fine: false })
    : amount_or_dash(claim.amount);

// By the controller's clock, where it tells.
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

export async function show_claims(desk) {
  const { claims } = await desk.read("/api/accounts/claims");
  const by_age = [...claims].sort((one, other) => (one.raised_at < other.raised_at ? -1 : 1));
  const pending = by_age.filter(({ state }) => PENDING.includes(state));
  const settled = by_age.filter(({ state }) => !PENDING.includes(state)).reverse();
  const sum = exact_text(sum_of(pending.map(({ amount }) => amount)));
  return [
    element("h2", { tabindex: -1 }, "Claims"),
    element(
      "p",
      { class: "verdict", "data-state": pending.length > 0 ? "warn" : "good" },
      pending.length === 0
        ? "No claim is pending."
        : `${count_of(pending.length, "claim")} pending, ${sum} in all.`,
    ),
    pending.length > 0 ? table_of("Claims pending, the oldest first", pending, true) : null,
    settled.length > 0
      ? [element("h3", {}, "Settled"), table_of("Claims settled, the newest first", settled, false)]
      : null,
  ];
}
