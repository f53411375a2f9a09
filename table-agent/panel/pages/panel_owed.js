// Owed: what to pay to which seat and from where, as the agent reports it; Envy under the hand that
// caused it; and the state of the table's claims, also of earlier rounds.
import { element, span } from "./element.js";
import { dollars, level_words, sentence, words } from "./words.js";

const STATES = { raised: "pending", validated: "validated", paid: "paid", rejected: "rejected" };
const state_chip = (state) => (state === null ? span("chip", "ask the floor") :
  span(`chip claim_${state}`, STATES[state] ?? words(state)));

// A share of a Bad Beat names the beaten hand, whichever seat has the share.
const what_of = (award, is_pot) => (is_pot ? `Bad Beat share, ${words(award.line).toLowerCase()} beaten` : words(award.line));

const line_of = (award) => (award.kind === "envy" ? `Envy for the ${award.line_words} of seat ${award.holder}` : words(award.line));

function award_box(award, is_pot) {
  const is_claim = award.claim !== null;
  return element("article", { class: `award ${is_claim ? `claim ${award.claim_state ?? "unknown"}` : ""}` },
    element("h3", {}, `Seat ${award.seat}: ${is_pot ? "Bad Beat share" : line_of(award)}`, is_claim && state_chip(award.claim_state)),
    span("amount", dollars(award.amount)),
    element("p", {}, `${award.words}.`));
}

function envy_box(list) {
  const whose = list.holder === null ? "" : ` of seat ${list.holder}`;
  return element("article", { class: "award" },
    element("h3", {}, `Envy for the ${list.line_words}${whose}`),
    element("ul", {}, list.to.map((one) => envy_line(one, list.corrected))));
}

function envy_line(one, is_corrected) {
  const amount = element("strong", {}, dollars(one.amount));
  if (one.state === "gone") {
    return element("li", {}, `Seat ${one.seat}: pay nothing, because claim ${one.claim} was rejected. If it was paid, take it back`);
  }
  if (one.state === "owed" || one.state === "unknown") {
    return element("li", {}, `Seat ${one.seat}: wait. Pay `, amount, ` when claim ${one.claim} is validated`,
      one.state === "unknown" && ". Ask the floor for its state");
  }
  if (one.state === "paid_before") {
    return element("li", {}, `Seat ${one.seat}: keeps `, amount, ", which was paid before. Pay it only if it was not paid yet");
  }
  const take_back = is_corrected && one.claim === null ? "take back the payout for the old hand, then " : "";
  return element("li", {}, `Seat ${one.seat}: ${take_back}pay `, amount, " from the rack now");
}

function take_back_box(award) {
  return element("article", { class: "award claim rejected" },
    element("h3", {}, `Seat ${award.seat}: ${award.kind === "envy" ? "Envy" : words(award.line)}`),
    element("p", {}, `${award.words}.`));
}

function claim_box(claim, is_pot) {
  const what = [what_of(claim, is_pot), level_words(claim.level).toLowerCase()].filter(Boolean).join(", ");
  return element("article", { class: `award claim ${claim.state}` },
    element("h3", {}, `Claim ${claim.claim} · seat ${claim.seat}`, state_chip(claim.state)),
    element("p", {}, `${what} · `, element("strong", { class: "amount_inline" }, dollars(claim.amount))),
    element("p", {}, sentence(claim.words)));
}

export function owed_view(picture) {
  const own = picture.awards.filter((award) => award.kind !== "envy" || award.claim !== null);
  const there = new Set(own.map((award) => award.claim));
  const claims = picture.claims.filter(({ claim }) => !there.has(claim)).reverse();
  const is_pot = picture.pot !== null;
  const is_over = (award) => ["paid", "rejected"].includes(award.claim_state);
  const before = own.filter((award) => award.pay === "paid_before");
  const left = own.filter((award) => !is_over(award) && award.pay !== "paid_before"), over = own.filter(is_over);
  const to_pay = left.length > 0 || picture.envy.length > 0;
  const take_back = picture.take_back ?? [];
  return [
    take_back.length > 0 && element("h2", {}, "To take back"),
    ...take_back.map(take_back_box),
    to_pay && element("h2", {}, "To pay"),
    ...left.filter((award) => award.claim !== null).map((award) => award_box(award, is_pot)),
    ...left.filter((award) => award.claim === null).map((award) => award_box(award, is_pot)),
    ...picture.envy.map(envy_box),
    before.length > 0 && element("h2", {}, "Paid before"),
    ...before.map((award) => award_box(award, is_pot)),
    over.length > 0 && element("h2", {}, "Settled"),
    ...over.map((award) => award_box(award, is_pot)),
    claims.length > 0 && element("h2", {}, own.length > 0 ? "Earlier claims" : "Claims of this table"),
    ...claims.map((claim) => claim_box(claim, is_pot)),
  ].filter(Boolean);
}
