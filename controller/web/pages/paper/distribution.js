// Distribution of a Bad Beat payout (§ 553.20(f)-(h)): the share of every seat to the cent, who
// verified it, and the state of the notice and the display. Laws: the page shows what the journal
// says now. If the shares do not sum to the award, it says so.
import { box, by_id, element, paragraph, show, term } from "./element.js";
import { hand } from "./cards.js";
import { number, show_paper, signature_lines } from "./paper_page.js";
import { ask } from "./sign_in.js";
import { date_and_time, dollars, lower_words, words } from "./words.js";

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

// [title, cell].
const COLUMNS = [
  ["Seat", ({ seat }) => String(seat)],
  ["For", part_of],
  [
    "Hand",
    (one) => (one.hand.length > 0 ? hand(one.hand, `Hand of seat ${one.seat}`) : "not shown"),
  ],
  ["Claim", ({ claim }) => String(claim)],
  ["Slip", ({ slips }) => String(slips.at(-1) ?? "")],
  ["State", standing],
  ["Amount", ({ amount }) => dollars(amount)],
];

function table_of({ shares, sum }) {
  const last = COLUMNS.length - 1;
  const kind = (at) => (at === last ? "number" : null);
  const head = ([title], at) => element("th", { scope: "col", class: kind(at) }, title);
  const row = (cells) => element("tr", {}, cells);
  return element(
    "table",
    { class: "shares" },
    element("thead", {}, row(COLUMNS.map(head))),
    element(
      "tbody",
      {},
      shares.map((share) =>
        row(COLUMNS.map(([, cell], at) => element("td", { class: kind(at) }, cell(share)))),
      ),
    ),
    element(
      "tfoot",
      {},
      row([
        element("td", { colspan: last }, "Sum of the shares"),
        element("td", { class: "number" }, dollars(sum)),
      ]),
    ),
  );
}

function display_words({ display_adjusted: adjusted }) {
  if (!adjusted) return "not yet";
  const amounts = `shown ${dollars(adjusted.shown)}, kept by finance ${dollars(adjusted.kept)}`;
  return `${step(adjusted)}, witness ${adjusted.witness}: ${amounts}`;
}

function paper_of(payout) {
  return element(
    "article",
    { class: "distribution" },
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
      ].map((row) => term(...row)),
    ),
    box("shares_place", table_of(payout)),
    payout.difference !== "0.00" &&
      paragraph("off", `The shares differ from the award by ${payout.difference}`),
    payout.rejected !== "0.00" &&
      paragraph("off", `Rejected and returned to the fund: ${dollars(payout.rejected)}`),
    element(
      "dl",
      { class: "steps" },
      [
        ["Pending adjustment posted", step(payout.notice_posted)],
        ["Display adjusted", display_words(payout)],
        ["Pending adjustment cleared", step(payout.notice_cleared)],
      ].map((row) => term(...row)),
    ),
    signature_lines(["Poker shift supervisor", "Finance", "Delivered by"]),
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
