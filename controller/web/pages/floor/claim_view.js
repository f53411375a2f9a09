// Claim view: one claim in full: cards, amount and how it was reached, the rule, signatures,
// warnings. The forms to act on a claim are in claim_acts.js.
import { hand } from "./cards.js";
import { element, paragraph, span } from "./element.js";
import {
  cents,
  date_and_time,
  dollars,
  dollars_of,
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

const fact = (label, value, kind = "") =>
  value === null || value === undefined || value === ""
    ? null
    : element("div", { class: `fact ${kind}` }, element("dt", {}, label), element("dd", {}, value));

const part = (title, ...children) =>
  element("section", { class: "part" }, element("h3", {}, title), children);

const sum_row = (label, text, kind = "") =>
  element(
    "tr",
    { class: kind },
    element("th", { scope: "row" }, label),
    element("td", { class: "number amount" }, text),
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
  return element(
    "table",
    { class: "sum" },
    element("caption", { class: "unseen" }, "How the amount was reached"),
    element(
      "tbody",
      {},
      sum_row(`Opened (${opened_by})`, dollars(how.opened)),
      sum_row("Contributions and adjustments since then", `+ ${dollars(how.contributions)}`),
      partial === 0 ? null : sum_row("Partial awards", `${dollars_of(-partial)}`),
      sum_row(
        `${level_words(claim.level, "Meter")} at the hit`,
        dollars(claim.level_before),
        "total",
      ),
      sum_row("This award", dollars(claim.amount), "total gold"),
    ),
  );
}

// " (§ 633a.13)"; "" if no rule is named.
const section_words = (rule) => (rule ? ` (§ ${String(rule).replace(/^§ */, "")})` : "");

function share_table(claim) {
  if (!claim.share) return null;
  return element(
    "table",
    { class: "sum" },
    element(
      "caption",
      {},
      `The hit of ${dollars(claim.share.call_amount)} is shared`,
      section_words(claim.share.rule),
    ),
    element(
      "tbody",
      {},
      claim.share.seats.map(({ seat, amount }) =>
        sum_row(`Seat ${seat}`, dollars(amount), seat === claim.seat ? "gold" : ""),
      ),
    ),
    claim.verified_by === "poker_shift_supervisor"
      ? element(
          "tfoot",
          {},
          element(
            "tr",
            {},
            element(
              "td",
              { colspan: 2 },
              element(
                "a",
                { href: `/distribution/${claim.claim}`, target: "_blank", rel: "noopener" },
                "Distribution list",
              ),
            ),
          ),
        )
      : null,
  );
}

function limit_words(claim) {
  if (!claim.limit) return null;
  return (
    `The award of ${dollars(claim.limit.before)} is over the payout limit of ` +
    `${dollars(claim.limit.limit)}.`
  );
}

function cards_part(claim) {
  const seat = `Seat ${claim.holder ?? claim.seat}${claim.folded ? ", folded" : ""}`;
  const hands = [
    [claim.on === "dealer" ? "Dealer (winning hand)" : seat, claim.cards],
    ["Dealer", claim.on === "dealer" ? [] : claim.dealer],
    ["Board", claim.board],
  ].filter(([, cards], index) => cards?.length > 0 || index === 0);
  return element(
    "div",
    { class: "hands" },
    hands.map(([label, cards], index) =>
      element(
        "div",
        { class: index === 0 ? "hand_place winner" : "hand_place" },
        paragraph("label", label),
        hand(cards ?? [], label),
      ),
    ),
  );
}

// For a corrected hand: what the dealer had entered.
function corrects_part(claim) {
  const { corrects } = claim;
  if (!corrects) return null;
  const place = corrects.seat ? `at seat ${corrects.seat}` : "for the dealer";
  const was = `Entered before ${place}${corrects.folded ? ", folded" : ""}`;
  return element(
    "section",
    { class: "part corrected" },
    element(
      "p",
      {},
      `Corrects entry ${corrects.entry}: ${lower_words(corrects.reason)}, by ${corrects.by}`,
      corrects.note ? span("quiet", ` ${corrects.note}`) : null,
    ),
    element("div", { class: "hand_place" }, paragraph("label", was), hand(corrects.cards, was)),
  );
}

function flags_part(claim) {
  if (!claim.flags?.length) return null;
  return element(
    "ul",
    { class: "flags" },
    claim.flags.map(({ flag, why }) =>
      element("li", {}, element("strong", {}, flag_words(flag)), why ? ` ${why}` : ""),
    ),
  );
}

function rule_part(claim) {
  const { second_signature: second } = claim;
  return element(
    "dl",
    { class: "facts" },
    fact("Rule", claim.section),
    fact("Verified by", lower_words(claim.verified_by)),
    fact(
      "Second signature",
      second
        ? `${listed(second.roles.map(lower_words), "or")}, from ${dollars(second.from)}`
        : "not needed",
    ),
    fact(
      "May be paid from",
      listed(
        (claim.sources ?? []).map((one) => lower_words(source_words(one))),
        "or",
      ),
    ),
    fact(
      "Not from",
      listed(
        (claim.not_from ?? []).map((one) => lower_words(source_words(one))),
        "nor",
      ),
      "bad",
    ),
    fact("Taxable", claim.taxable ? "yes: a tax form is needed before payment" : "no"),
    fact("Cards", CARDS_STAY[claim.cards_stay]),
  );
}

function steps_part(claim) {
  const raised = element(
    "li",
    {},
    element("span", {}, "Raised"),
    span("quiet", `entry ${claim.entry}`),
    element("time", { datetime: claim.raised_at }, time_of(claim.raised_at)),
  );
  const signed = (claim.signatures ?? []).map((one) =>
    element(
      "li",
      {},
      element("span", {}, SIGNED[one.as] ?? words(one.as)),
      span("quiet", `${one.badge} ${one.name ?? ""}`),
      element("time", { datetime: one.at }, time_of(one.at)),
    ),
  );
  const rejected = claim.reject_reason
    ? element(
        "li",
        {},
        span("bad", words(claim.reject_reason)),
        span("quiet note", claim.reject_note ?? ""),
      )
    : null;
  return element("ol", { class: "steps" }, raised, signed, rejected);
}

function slips_part(claim) {
  if (!claim.slips?.length) return null;
  return part(
    "Slips",
    element(
      "ul",
      { class: "slips" },
      claim.slips.map((slip) =>
        element(
          "li",
          {},
          element(
            "a",
            { href: `/slips/${slip.slip}`, target: "_blank", rel: "noopener" },
            `Slip ${slip.slip}`,
          ),
          span("chip", SLIP_STATES[slip.state] ?? slip.state),
          span(
            "quiet",
            [
              lower_words(source_words(slip.source)),
              slip.void_reason && lower_words(slip.void_reason),
            ]
              .filter(Boolean)
              .join(" · "),
          ),
        ),
      ),
    ),
  );
}

function near_part(claim) {
  if (!claim.near?.length) return null;
  return part(
    "Other wins near this time",
    element(
      "ul",
      { class: "near" },
      claim.near.map((other) =>
        element(
          "li",
          {},
          element("a", { href: `#${other.claim}` }, `Claim ${other.claim}`),
          ` table ${other.table} seat ${other.seat}, ${dollars(other.amount)}: `,
          `${other.order}. ${other.why}`,
        ),
      ),
    ),
  );
}

// Everything about the claim, in the order in which a floorperson needs it. `acts`: the node with
// the forms.
export function claim_nodes(claim, acts) {
  const how = how_reached(claim);
  const share = share_table(claim);
  const limit = limit_words(claim);
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
          words(claim.line),
          span("quiet", ` claim ${claim.claim}`),
        ),
        paragraph("where", where(claim)),
        paragraph(
          "quiet small",
          [
            claim.link,
            level_words(claim.level),
            `round ${claim.round}`,
            date_and_time(claim.raised_at),
          ]
            .filter(Boolean)
            .join(" · "),
        ),
      ),
      paragraph("claim_amount amount", dollars(claim.amount)),
    ),
    element(
      "div",
      { class: "claim_body" },
      element(
        "div",
        { class: "seen" },
        flags_part(claim),
        cards_part(claim),
        corrects_part(claim),
        how || share || limit
          ? part("How it was reached", how, share, limit ? element("p", {}, limit) : null)
          : null,
        near_part(claim),
      ),
      element(
        "div",
        { class: "done" },
        acts,
        part("The rule", rule_part(claim)),
        part("Signed", steps_part(claim)),
        slips_part(claim),
      ),
    ),
  ];
}
