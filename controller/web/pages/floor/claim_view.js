// Claim view: one claim in full: cards, amount and how it was reached, the rule, signatures,
// warnings. The forms to act on a claim are in claim_acts.js.
import { hand } from "./cards.js";
import { anchor, box, element, list, new_tab, paragraph, span, strong, term } from "./element.js";
import {
  cents,
  date_and_time,
  dollars,
  dollars_of,
  dotted,
  level_words,
  listed,
  lower_words,
  time_of,
  words,
} from "./words.js";

const FLAGS = {
  keyed_line_differs: "The dealer entered another line",
  late_report: "Reported late",
  count_mismatch: "The chip count did not match",
  near_simultaneous: "Another win within 2 s",
};
const SIGNED = {
  validated: "Validated",
  countersigned: "Second signature",
  rejected: "Rejected",
  paid: "Paid",
  slip: "Slip made",
  issued: "Slip made",
};
const SLIP_STATES = { issued: "open", void: "void", paid: "paid" };
const CARDS_STAY = {
  winners: "The winner's cards stay on the table.",
  winners_and_dealers: "The winner's and the dealer's cards stay on the table.",
};

export const source_words = (source) =>
  ({
    hand_pay: "Hand pay at the cage",
    table_inventory: "Table inventory",
    game_account: "Game account",
  })[source] ?? words(source);

export const flag_words = (flag) => FLAGS[flag] ?? words(flag);

const fact = (label, value, kind = "") => value && term(label, value, `fact ${kind}`);

const part = (title, ...children) =>
  element("section", { class: "part" }, element("h3", {}, title), children);

// Amounts under each other, with their labels. rows: [label, amount as text, class].
const sum_table = (caption, rows, foot) =>
  element(
    "table",
    { class: "sum" },
    caption,
    element(
      "tbody",
      {},
      rows
        .filter(Boolean)
        .map(([label, text, kind = ""]) =>
          element(
            "tr",
            { class: kind },
            element("th", { scope: "row" }, label),
            element("td", { class: "number amount" }, text),
          ),
        ),
    ),
    foot && element("tfoot", {}, element("tr", {}, element("td", { colspan: 2 }, foot))),
  );

// "C4-01 · T-1041 · seat 2"
export const where = (claim) =>
  `Table ${claim.table}${claim.asset ? ` · ${claim.asset}` : ""} · seat ${claim.seat}` +
  ((claim.holder ?? null) === null ? "" : ` · Envy for the hand of seat ${claim.holder}`);

// How the meter reached its amount: from its opening to the hit.
function how_reached(claim) {
  const { how } = claim;
  if (!how || claim.level_before === null || claim.level_before === undefined) return null;
  const opened_by = how.opened_by === "seed" ? "seed" : `after ${how.opened_by}`;
  const partial = cents(how.partial_awards) ?? 0;
  return sum_table(element("caption", { class: "unseen" }, "How the amount was reached"), [
    [`Opened (${opened_by})`, dollars(how.opened)],
    ["Contributions and adjustments since then", `+ ${dollars(how.contributions)}`],
    partial !== 0 && ["Partial awards", dollars_of(-partial)],
    [`${level_words(claim.level, "Meter")} at the hit`, dollars(claim.level_before), "total"],
    ["This award", dollars(claim.amount), "total gold"],
  ]);
}

// " (§ 633a.13)"; "" if no rule is named.
const section_words = (rule) => (rule ? ` (§ ${String(rule).replace(/^§ */, "")})` : "");

function share_table({ claim, seat: own, share, verified_by }) {
  if (!share) return null;
  const rule = section_words(share.rule);
  return sum_table(
    element("caption", {}, `The hit of ${dollars(share.call_amount)} is shared`, rule),
    share.seats.map(({ seat, amount }) => [
      `Seat ${seat}`,
      dollars(amount),
      seat === own ? "gold" : "",
    ]),
    verified_by === "poker_shift_supervisor" &&
      new_tab(`/distribution/${claim}`, null, "Distribution list"),
  );
}

const limit_words = ({ limit }) =>
  limit &&
  element(
    "p",
    {},
    `The award of ${dollars(limit.before)} is over the payout limit of ${dollars(limit.limit)}.`,
  );

const hand_place = (label, cards, kind = "") =>
  box(`hand_place ${kind}`, paragraph("label", label), hand(cards ?? [], label));

function cards_part(claim) {
  const seat = `Seat ${claim.holder ?? claim.seat}${claim.folded ? ", folded" : ""}`;
  const hands = [
    [claim.on === "dealer" ? "Dealer (winning hand)" : seat, claim.cards],
    ["Dealer", claim.on === "dealer" ? [] : claim.dealer],
    ["Board", claim.board],
  ].filter(([, cards], index) => cards?.length > 0 || index === 0);
  return box(
    "hands",
    hands.map(([label, cards], index) => hand_place(label, cards, index === 0 ? "winner" : "")),
  );
}

// For a corrected hand: what the dealer had entered.
function corrects_part(claim) {
  const { corrects } = claim;
  if (!corrects) return null;
  const place = corrects.seat ? `at seat ${corrects.seat}` : "for the dealer";
  const what = `Corrects entry ${corrects.entry}: ${lower_words(corrects.reason)}`;
  return element(
    "section",
    { class: "part corrected" },
    element(
      "p",
      {},
      `${what}, by ${corrects.by}`,
      corrects.note && span("quiet", ` ${corrects.note}`),
    ),
    hand_place(`Entered before ${place}${corrects.folded ? ", folded" : ""}`, corrects.cards),
  );
}

const flags_part = ({ flags }) =>
  flags?.length > 0 &&
  list(
    "flags",
    flags.map(({ flag, why }) => [strong(flag_words(flag)), why ? ` ${why}` : ""]),
  );

const sources_words = (sources, last) =>
  listed(
    (sources ?? []).map((one) => lower_words(source_words(one))),
    last,
  );

function rule_part(claim) {
  const { second_signature: second } = claim;
  const roles = second && listed(second.roles.map(lower_words), "or");
  return element(
    "dl",
    { class: "facts" },
    fact("Rule", claim.section),
    fact("Verified by", lower_words(claim.verified_by)),
    fact("Second signature", second ? `${roles}, from ${dollars(second.from)}` : "not needed"),
    fact("May be paid from", sources_words(claim.sources, "or")),
    fact("Not from", sources_words(claim.not_from, "nor"), "bad"),
    fact("Taxable", claim.taxable ? "yes: a tax form is needed before payment" : "no"),
    fact("Cards", CARDS_STAY[claim.cards_stay]),
  );
}

function steps_part(claim) {
  const step = (words, by, at) =>
    element(
      "li",
      {},
      element("span", {}, words),
      span("quiet", by),
      element("time", { datetime: at }, time_of(at)),
    );
  const { reject_reason: reason, reject_note: note } = claim;
  return element(
    "ol",
    { class: "steps" },
    step("Raised", `entry ${claim.entry}`, claim.raised_at),
    (claim.signatures ?? []).map((one) =>
      step(SIGNED[one.as] ?? words(one.as), `${one.badge} ${one.name ?? ""}`, one.at),
    ),
    reason && element("li", {}, span("bad", words(reason)), span("quiet note", note ?? "")),
  );
}

function slips_part({ slips }) {
  if (!slips?.length) return null;
  const rows = slips.map(({ slip, state, source, void_reason: reason }) => [
    new_tab(`/slips/${slip}`, null, `Slip ${slip}`),
    span("chip", SLIP_STATES[state] ?? state),
    span("quiet", dotted(lower_words(source_words(source)), reason && lower_words(reason))),
  ]);
  return part("Slips", list("slips", rows));
}

function near_part({ near }) {
  if (!near?.length) return null;
  const rows = near.map((other) => [
    anchor(`#${other.claim}`, null, `Claim ${other.claim}`),
    ` table ${other.table} seat ${other.seat}, ${dollars(other.amount)}: `,
    `${other.order}. ${other.why}`,
  ]);
  return part("Other wins near this time", list("near", rows));
}

// Everything about the claim, in the order in which a floorperson needs it. `acts`: the node with
// the forms.
export function claim_nodes(claim, acts) {
  const { line, claim: number, link, level, round, raised_at } = claim;
  const reached = [how_reached(claim), share_table(claim), limit_words(claim)].filter(Boolean);
  return [
    element(
      "header",
      { class: "claim_head" },
      element(
        "div",
        {},
        element(
          "h2",
          { id: "claim_title", tabindex: -1 },
          words(line),
          span("quiet", ` claim ${number}`),
        ),
        paragraph("where", where(claim)),
        paragraph(
          "quiet small",
          dotted(link, level_words(level), `round ${round}`, date_and_time(raised_at)),
        ),
      ),
      paragraph("claim_amount amount", dollars(claim.amount)),
    ),
    box(
      "claim_body",
      box(
        "seen",
        flags_part(claim),
        cards_part(claim),
        corrects_part(claim),
        reached.length > 0 && part("How it was reached", reached),
        near_part(claim),
      ),
      box(
        "done",
        acts,
        part("The rule", rule_part(claim)),
        part("Signed", steps_part(claim)),
        slips_part(claim),
      ),
    ),
  ];
}
