// A slip for paper: two equal parts. Laws: the page prints exactly the text of the stored copy, and
// nothing before that copy exists. A void slip says so across both parts. No text is cut off: a
// long text gets smaller letters.
import { box, by_id, element, list, paragraph, set_text, show, term } from "./element.js";
import { hand } from "./cards.js";
import { number, show_paper, signature_lines } from "./paper_page.js";
import { ask } from "./sign_in.js";
import { date_and_time } from "./words.js";

const AGAIN_MS = 1000;
const SMALLEST_PT = 5;

const row = ({ label, value }) => term(label, value);

function part_of({ document: slip, void: voided }, name) {
  const is_void = voided.length > 0;
  const facts = element("dl", { class: "slip_facts" }, slip.facts.map(row));
  // Down the first column, then down the second.
  facts.style.gridTemplateRows = `repeat(${Math.ceil(slip.facts.length / 2)}, auto)`;
  return element(
    "article",
    { class: "slip", "aria-label": `Slip ${slip.number}, ${name}`, "data-void": is_void },
    element(
      "header",
      {},
      box(null, paragraph("house", slip.house), paragraph(null, "Progressive payout slip")),
      box("which", paragraph("slip_number", `No. ${slip.number}`), paragraph("part_name", name)),
    ),
    is_void &&
      element("p", { class: "void_mark", "aria-hidden": "true" }, element("span", {}, "VOID")),
    box(
      "middle",
      paragraph("paid_amount amount", slip.amount),
      slip.cards.length > 0 && hand(slip.cards, "The hand that won"),
    ),
    voided.map((sentence) => paragraph("void_words", sentence)),
    facts,
    list("arithmetic", slip.arithmetic),
    element("p", { class: slip.is_taxable ? "taxable" : "not_taxable" }, slip.tax),
    element("dl", { class: "signed_by" }, slip.signed_by.map(row)),
    signature_lines(slip.to_be_signed),
    paragraph("evidence", slip.evidence),
  );
}

// The largest size that fits half of the page. The sizes inside are shares of it.
function fit(part) {
  for (let size = 9.5; size > SMALLEST_PT; size -= 0.25) {
    part.style.fontSize = `${size}pt`;
    if (part.scrollHeight <= part.clientHeight) return;
  }
}

function state_words({ state, paid_at, paid_by }) {
  if (state === "void") return "Void: do not pay";
  return state === "paid" ? `Paid ${date_and_time(paid_at)} by ${paid_by}` : "Not paid yet";
}

async function read(session) {
  const answer = await ask(`/api/slips/${number}`);
  const slip = answer.body;
  const has_copy = answer.ok && slip.document !== null;
  show(by_id("tools"), has_copy);
  if (has_copy) {
    const parts = slip.parts.map((name) => part_of(slip, name));
    const cut = element("p", { class: "cut", "aria-hidden": "true" });
    by_id("paper").replaceChildren(parts[0], cut, parts[1]);
    parts.forEach(fit);
    set_text(by_id("state"), state_words(slip));
    set_text(by_id("digest"), `SHA-256 of the stored copy: ${slip.digest}`);
    set_text(by_id("stored"), slip.state === "void" ? "VOID copy (PDF)" : "Stored copy (PDF)");
    return;
  }
  if (answer.status === 401) session.still_stands();
  const message = answer.ok
    ? (slip.copy?.message ?? "This page cannot show the stored copy. Print the PDF.")
    : slip.message;
  by_id("paper").replaceChildren(paragraph("error", message));
  if (slip.copy?.error === "copy_not_stored") setTimeout(() => read(session), AGAIN_MS);
}

by_id("stored").setAttribute("href", `/slips/${number}.pdf`);
show_paper(`Slip ${number}`, read);
