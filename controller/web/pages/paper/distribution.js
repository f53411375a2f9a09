// Distribution of a Bad Beat payout (§ 553.20(f)-(h)): the share of every seat to the cent, who
// verified it, and the state of the notice and the display. Laws: the page shows what the journal
// says now. If the shares do not sum to the award, it says so.
import { by_id, element, paragraph, show } from "./element.js";
import { hand } from "./cards.js";
import { number, show_paper } from "./paper_page.js";
import { ask } from "./sign_in.js";
import { date_and_time, dollars, lower_words, words } from "./words.js";

const row = ([label, ...value]) =>
  element("div", {}, element("dt", {}, label), element("dd", {}, value));

const at_by = (at, by) => `${date_and_time(at)} by ${by}`;
const step = (done) => (done ? at_by(done.at, done.by) : "not yet");

// "Losing hand, 50%", "Table, 25% among 6".
const part_of = ({ for: what, part, among }) =>
  `${words(what)}, ${part}${among > 1 ? ` among ${among}` : ""}`;

function standing({ state, verified_at, verified_by, paid_at, paid_by, rejected_at, rejected_by }) {
  return [
    words(state),
    verified_at && `verified ${at_by(verified_at, verified_by)}`,
    paid_at && `paid ${at_by(paid_at, paid_by)}`,
    rejected_at && `rejected ${at_by(rejected_at, rejected_by)}`,
  ]
    .filter(Boolean)
    .map((line) => element("p", {}, line));
}

function share_row(share) {
  return element(
    "tr",
    {},
    element("td", {}, String(share.seat)),
    element("td", {}, part_of(share)),
    element(
      "td",
      {},
      share.hand.length > 0 ? hand(share.hand, `Hand of seat ${share.seat}`) : "not shown",
    ),
    element("td", {}, String(share.claim)),
    element("td", {}, share.slips.length > 0 ? String(share.slips.at(-1)) : ""),
    element("td", {}, standing(share)),
    element("td", { class: "number" }, dollars(share.amount)),
  );
}

function table_of({ shares, sum }) {
  const heads = ["Seat", "For", "Hand", "Claim", "Slip", "State"];
  const foot = element("td", { colspan: heads.length }, "Sum of the shares");
  return element(
    "table",
    { class: "shares" },
    element(
      "thead",
      {},
      element(
        "tr",
        {},
        heads.map((head) => element("th", { scope: "col" }, head)),
        element("th", { scope: "col", class: "number" }, "Amount"),
      ),
    ),
    element("tbody", {}, shares.map(share_row)),
    element("tfoot", {}, element("tr", {}, foot, element("td", { class: "number" }, dollars(sum)))),
  );
}

function display_words({ display_adjusted: adjusted }) {
  if (!adjusted) return "not yet";
  const amounts = `shown ${dollars(adjusted.shown)}, kept by finance ${dollars(adjusted.kept)}`;
  return `${step(adjusted)}, witness ${adjusted.witness}: ${amounts}`;
}

function paper_of(payout) {
  const is_whole = payout.difference === "0.00";
  return element(
    "article",
    {},
    element(
      "header",
      {},
      element(
        "div",
        {},
        paragraph("house", payout.house),
        element("h1", {}, `Bad Beat payout of ${payout.link}`),
      ),
      paragraph("award_amount amount", dollars(payout.award)),
    ),
    element(
      "dl",
      { class: "facts" },
      [
        ["Table", [payout.table, payout.asset].filter(Boolean).join(", ")],
        ["Round", payout.round],
        ["Won", date_and_time(payout.raised_at)],
        ["Beaten", `${lower_words(payout.line)}`],
        ["Pot", dollars(payout.pot)],
        ["Board", hand(payout.board, "The board")],
      ].map(row),
    ),
    element("div", { class: "shares_place" }, table_of(payout)),
    is_whole ? null : paragraph("off", `The shares differ from the award by ${payout.difference}`),
    payout.rejected === "0.00"
      ? null
      : paragraph("off", `Rejected and returned to the fund: ${dollars(payout.rejected)}`),
    element(
      "dl",
      { class: "steps" },
      [
        ["Pending adjustment posted", step(payout.notice_posted)],
        ["Display adjusted", display_words(payout)],
        ["Pending adjustment cleared", step(payout.notice_cleared)],
      ].map(row),
    ),
    element(
      "div",
      { class: "signature_lines" },
      ["Poker shift supervisor", "Finance", "Delivered by"].map((who) => paragraph("under", who)),
    ),
    paragraph(
      "evidence",
      `Journal: entry ${payout.entry}, configuration of entry ${payout.configuration}. ` +
        "58 Pa. Code § 553.20",
    ),
  );
}

async function read(session) {
  const answer = await ask(`/api/claims/${number}/distribution`);
  show(by_id("tools"), answer.ok);
  if (answer.status === 401) session.still_stands();
  by_id("paper").replaceChildren(
    answer.ok ? paper_of(answer.body) : paragraph("error", answer.body.message),
  );
}

show_paper(`Distribution of claim ${number}`, read);
