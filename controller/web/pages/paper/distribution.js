// How the payout of a Bad Beat is shared (§ 553.20(f)-(h)): every seat's part to the cent, who
// verified it, and what became of the notice and the display. Laws: what stands here is what the
// journal says at this moment; shares that do not sum to the award are not passed over.
import { by_id, element, show } from "./element.js";
import { hand } from "./cards.js";
import { Session, ask } from "./sign_in.js";
import { date_and_time, dollars, lower_words, words } from "./words.js";

const number = Number.parseInt(location.pathname.split("/")[2], 10);

const row = ([label, ...value]) =>
  element("div", {}, element("dt", {}, label), element("dd", {}, value));

const step = (told) => (told ? `${date_and_time(told.at)} by ${told.by}` : "not yet");
const at_by = (at, by) => (at ? `${date_and_time(at)} by ${by}` : "");

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
    element(
      "tfoot",
      {},
      element("tr", {}, foot, element("td", { class: "number" }, dollars(sum))),
    ),
  );
}

function display_words({ display_adjusted: adjusted }) {
  if (!adjusted) return "not yet";
  const amounts = `shown ${dollars(adjusted.shown)}, kept ${dollars(adjusted.kept)}`;
  return `${step(adjusted)}, before ${adjusted.witness}: ${amounts}`;
}

function paper_of(told) {
  const is_whole = told.difference === "0.00";
  return element(
    "article",
    {},
    element(
      "header",
      {},
      element(
        "div",
        {},
        element("p", { class: "house" }, told.house),
        element("h1", {}, `Bad Beat payout of ${told.link}`),
      ),
      element("p", { class: "award_amount amount" }, dollars(told.award)),
    ),
    element(
      "dl",
      { class: "facts" },
      [
        ["Table", [told.table, told.asset].filter(Boolean).join(", ")],
        ["Round", told.round],
        ["Won", date_and_time(told.raised_at)],
        ["Beaten", `${lower_words(told.line)}`],
        ["Pot", dollars(told.pot)],
        ["Board", hand(told.board, "The board")],
      ].map(row),
    ),
    element("div", { class: "shares_place" }, table_of(told)),
    is_whole
      ? null
      : element("p", { class: "off" }, `The shares differ from the award by ${told.difference}`),
    told.rejected === "0.00"
      ? null
      : element("p", { class: "off" }, `Rejected, back in the fund: ${dollars(told.rejected)}`),
    element(
      "dl",
      { class: "steps" },
      [
        ["Pending adjustment posted", step(told.notice_posted)],
        ["Display adjusted", display_words(told)],
        ["Pending adjustment cleared", step(told.notice_cleared)],
      ].map(row),
    ),
    element(
      "div",
      { class: "signature_lines" },
      ["Poker shift supervisor", "Finance", "Delivered by"].map((who) =>
        element("p", { class: "under" }, who),
      ),
    ),
    element(
      "p",
      { class: "evidence" },
      `Journal: won with entry ${told.entry}, by the configuration of entry ${told.configuration}. 58 Pa. Code § 553.20`,
    ),
  );
}

async function read() {
  const answer = await ask(`/api/claims/${number}/distribution`);
  show(by_id("tools"), answer.ok);
  if (answer.status === 401) session.still_stands();
  by_id("paper").replaceChildren(
    answer.ok ? paper_of(answer.body) : element("p", { class: "error" }, answer.body.message),
  );
}

const session = new Session(by_id("sign_in"), {
  title: `Distribution of claim ${number}`,
  signed_in: read,
  signed_out: () => {
    by_id("paper").replaceChildren();
    show(by_id("tools"), false);
  },
});
document.title = `Distribution of claim ${number} · Linkmeter`;
by_id("print").addEventListener("click", async () => {
  await read();
  if (!by_id("tools").hidden) window.print();
});
document.addEventListener("visibilitychange", () => {
  if (!document.hidden && session.person !== null) read();
});
session.begin();
