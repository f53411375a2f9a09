// Owed: what to pay to which seat and from where, as the agent reports it; Envy under the hand that
// caused it; and the state of the table's claims, also of earlier rounds.
import { element, list, span, strong } from "./element.js";
import { claim_words } from "./panel_seats.js";
import { dollars, level_words, sentence, words } from "./words.js";

const state_chip = (state) =>
  (state === null ? span("chip", "ask the floor") : span("chip claim_state", claim_words(state)));

// A share of a Bad Beat names the beaten hand, whichever seat has the share.
const what_of = (award, is_pot) => (is_pot ? `Bad Beat share, ${words(award.line).toLowerCase()} beaten` : words(award.line));

const line_of = (award) => (award.kind === "envy" ? `Envy for the ${award.line_words} of seat ${award.holder}` : words(award.line));

// What is owed to one seat or for one hand: what it is called, and what follows.
const owed_box = (kind, title, ...content) =>
  element("article", { class: `award ${kind}` }, element("h3", {}, title), content);

function award_box(award, is_pot) {
  const is_claim = award.claim !== null;
  const title = `Seat ${award.seat}: ${is_pot ? "Bad Beat share" : line_of(award)}`;
  return owed_box(is_claim ? `claim ${award.claim_state ?? "unknown"}` : "",
    [title, is_claim && state_chip(award.claim_state)],
    span("amount", dollars(award.amount)),
    element("p", {}, `${award.words}.`));
}

function envy_box({ line_words, holder, to, corrected }) {
  const whose = holder === null ? "" : ` of seat ${holder}`;
  return owed_box("", `Envy for the ${line_words}${whose}`, list(null, to.map((one) => envy_line(one, corrected))));
}

function envy_line({ seat, amount: text, state, claim }, is_corrected) {
  const amount = strong(dollars(text));
  const at = `Seat ${seat}: `;
  if (state === "gone") return `${at}pay nothing, because claim ${claim} was rejected. If it was paid, take it back`;
  if (state === "owed" || state === "unknown") {
    return [at, "wait. Pay ", amount, ` when claim ${claim} is validated`, state === "unknown" && ". Ask the floor for its state"];
  }
  if (state === "paid_before") return [at, "keeps ", amount, ", which was paid before. Pay it only if it was not paid yet"];
  const take_back = is_corrected && claim === null ? "take back the payout for the old hand, then " : "";
  return [at, take_back, "pay ", amount, " from the rack now"];
}

const take_back_box = (award) =>
  owed_box("claim rejected", `Seat ${award.seat}: ${award.kind === "envy" ? "Envy" : words(award.line)}`,
    element("p", {}, `${award.words}.`));

function claim_box(claim, is_pot) {
  const what = [what_of(claim, is_pot), level_words(claim.level).toLowerCase()].filter(Boolean).join(", ");
  return owed_box(`claim ${claim.state}`, [`Claim ${claim.claim} · seat ${claim.seat}`, state_chip(claim.state)],
    element("p", {}, `${what} · `, strong(dollars(claim.amount))),
    element("p", {}, sentence(claim.words)));
}

const part = (title, boxes) => boxes.length > 0 && [element("h2", {}, title), boxes];

export function owed_view(picture) {
  const own = picture.awards.filter((award) => award.kind !== "envy" || award.claim !== null);
  const there = new Set(own.map((award) => award.claim));
  const claims = picture.claims.filter(({ claim }) => !there.has(claim)).reverse();
  const is_pot = picture.pot !== null;
  const is_over = (award) => ["paid", "rejected"].includes(award.claim_state);
  const before = own.filter((award) => award.pay === "paid_before");
  const left = own.filter((award) => !is_over(award) && award.pay !== "paid_before");
  const boxes = (list) => list.map((award) => award_box(award, is_pot));
  const with_claim = left.filter((award) => award.claim !== null);
  const without = left.filter((award) => award.claim === null);
  return [
    part("To take back", (picture.take_back ?? []).map(take_back_box)),
    part("To pay", [...boxes(with_claim), ...boxes(without), ...picture.envy.map(envy_box)]),
    part("Paid before", boxes(before)),
    part("Settled", boxes(own.filter(is_over))),
    part(own.length > 0 ? "Earlier claims" : "Claims of this table", claims.map((claim) => claim_box(claim, is_pot))),
  ];
}
