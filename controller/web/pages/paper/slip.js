// A slip for paper: two equal parts. Laws: what is printed is what the stored copy says, word for
// word, and nothing else; before there is a stored copy there is nothing to print; a void slip says
// so across both parts; nothing is cut: what is much is written smaller.
import { by_id, element, say, show } from "./element.js";
import { hand } from "./cards.js";
import { Session, ask } from "./sign_in.js";
import { date_and_time } from "./words.js";

const number = Number.parseInt(location.pathname.split("/")[2], 10);
const AGAIN_MS = 1000;
const SMALLEST_PT = 5;

const row = ({ label, value }) =>
  element("div", {}, element("dt", {}, label), element("dd", {}, value));

function part_of({ document: told, void: voided }, name) {
  const is_void = voided.length > 0;
  const facts = element("dl", { class: "slip_facts" }, told.facts.map(row));
  // Down the first column, then down the second.
  facts.style.gridTemplateRows = `repeat(${Math.ceil(told.facts.length / 2)}, auto)`;
  return element(
    "article",
    { class: "slip", "aria-label": `Slip ${told.number}, ${name}`, "data-void": is_void },
    element(
      "header",
      {},
      element(
        "div",
        {},
        element("p", { class: "house" }, told.house),
        element("p", {}, "Progressive payout slip"),
      ),
      element(
        "div",
        { class: "which" },
        element("p", { class: "slip_number" }, `No. ${told.number}`),
        element("p", { class: "part_name" }, name),
      ),
    ),
    is_void
      ? element("p", { class: "void_mark", "aria-hidden": "true" }, element("span", {}, "VOID"))
      : null,
    element(
      "div",
      { class: "middle" },
      element("p", { class: "paid_amount amount" }, told.amount),
      told.cards.length > 0 ? hand(told.cards, "The hand that won") : null,
    ),
    voided.map((sentence) => element("p", { class: "void_words" }, sentence)),
    facts,
    element(
      "ul",
      { class: "arithmetic" },
      told.arithmetic.map((line) => element("li", {}, line)),
    ),
    element("p", { class: told.is_taxable ? "taxable" : "not_taxable" }, told.tax),
    element("dl", { class: "signed_by" }, told.signed_by.map(row)),
    element(
      "div",
      { class: "signature_lines" },
      told.to_be_signed.map((who) => element("p", { class: "under" }, who)),
    ),
    element("p", { class: "evidence" }, told.evidence),
  );
}

// As large as it fits its half of the page; sizes within are shares of this one.
function fit(part) {
  for (let size = 9.5; size > SMALLEST_PT; size -= 0.25) {
    part.style.fontSize = `${size}pt`;
    if (part.scrollHeight <= part.clientHeight) return;
  }
}

function state_words({ state, paid_at, paid_by }) {
  if (state === "void") return "Void: it is not to be paid";
  return state === "paid" ? `Paid ${date_and_time(paid_at)} by ${paid_by}` : "To be paid";
}

async function read() {
  const answer = await ask(`/api/slips/${number}`);
  const told = answer.body;
  const has_copy = answer.ok && told.document !== null;
  show(by_id("tools"), has_copy);
  if (has_copy) {
    const parts = told.parts.map((name) => part_of(told, name));
    const cut = element("p", { class: "cut", "aria-hidden": "true" });
    by_id("paper").replaceChildren(parts[0], cut, parts[1]);
    parts.forEach(fit);
    say(by_id("state"), state_words(told));
    say(by_id("digest"), `SHA-256 of the stored copy: ${told.digest}`);
    say(by_id("stored"), told.state === "void" ? "VOID copy (PDF)" : "Stored copy (PDF)");
    return;
  }
  if (answer.status === 401) session.still_stands();
  const message = answer.ok
    ? (told.copy?.message ?? "the stored copy does not tell its facts: print the PDF")
    : told.message;
  by_id("paper").replaceChildren(element("p", { class: "error" }, message));
  if (told.copy?.error === "copy_not_stored") setTimeout(read, AGAIN_MS);
}

const session = new Session(by_id("sign_in"), {
  title: `Slip ${number}`,
  signed_in: read,
  signed_out: () => {
    by_id("paper").replaceChildren();
    show(by_id("tools"), false);
  },
});
document.title = `Slip ${number} · Linkmeter`;
by_id("stored").setAttribute("href", `/slips/${number}.pdf`);
// What was made void meanwhile is printed so.
by_id("print").addEventListener("click", async () => {
  await read();
  if (!by_id("tools").hidden) window.print();
});
document.addEventListener("visibilitychange", () => {
  if (!document.hidden && session.person !== null) read();
});
session.begin();
