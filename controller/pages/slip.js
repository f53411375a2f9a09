// A slip for paper: two equal parts, each with every fact of the claim. Laws: what is printed is
// what the controller has; a void slip says so across both parts; the number is never anything but
// its own.
import { by_id, element, show } from "./element.js";
import { hand } from "./cards.js";
import { limit_words, section_words, source_words } from "./claim_view.js";
import { Session, ask } from "./sign_in.js";
import { dollars, level_words, lower_words, progressive_words, utc, words } from "./words.js";

const number = Number.parseInt(location.pathname.split("/")[2], 10);
const PARTS = ["Original: cage", "Duplicate: accounting"];
const SIGNATURES = [
  ["validated", "Validated"],
  ["countersigned", "Second signature"],
  ["paid", "Paid by"],
];

const fact = (label, ...value) =>
  element("div", {}, element("dt", {}, label), element("dd", {}, value));

// "$10,000.70 at the call = $5,000.00 opened + $5,000.70 contributions"
function arithmetic(claim) {
  const lines = [];
  const { how } = claim;
  if (how && claim.level_before) {
    const opened_by = how.opened_by === "seed" ? "seed" : `after ${how.opened_by}`;
    const partial = /[1-9]/.test(how.partial_awards ?? "")
      ? ` − ${dollars(how.partial_awards)} partial awards`
      : "";
    lines.push(
      `${level_words(claim.level, "Meter")} at the call ${dollars(claim.level_before)} = ` +
        `${dollars(how.opened)} (${opened_by}) + ${dollars(how.contributions)} contributions and adjustments` +
        partial,
    );
  }
  if (claim.share) {
    const seats = claim.share.seats.map(({ seat, amount }) => `seat ${seat} ${dollars(amount)}`);
    const call = dollars(claim.share.call_amount);
    lines.push(`Call of ${call} shared${section_words(claim.share.rule)}: ${seats.join(" + ")}`);
  }
  const limit = limit_words(claim);
  if (limit) lines.push(limit);
  return lines;
}

function signature_line(claim, slip, [as, label]) {
  const is_others = as === "paid" && slip.state !== "paid"; // of the claim's other slip
  const signed = is_others ? undefined : claim.signatures.find((one) => one.as === as);
  if (as === "countersigned" && !signed && !claim.second_signature) return null;
  return element(
    "div",
    { class: "signature_line" },
    element(
      "p",
      { class: "signed" },
      signed ? `${signed.badge} ${signed.name ?? ""}, ${utc(signed.at)}` : "",
    ),
    element("p", { class: "under" }, label),
  );
}

function part_of(slip, name) {
  const { claim } = slip;
  return element(
    "article",
    { class: "slip", "aria-label": `Slip ${slip.slip}, ${name}`, "data-state": slip.state },
    element(
      "header",
      {},
      element(
        "div",
        {},
        element("p", { class: "house" }, slip.house ?? ""),
        element("p", {}, "Progressive payout slip"),
        element("p", { class: "part_name" }, name),
      ),
      element("p", { class: "slip_number" }, element("span", {}, "No."), ` ${slip.slip}`),
    ),
    slip.state === "void" ? element("p", { class: "void_mark" }, "VOID") : null,
    element(
      "div",
      { class: "middle" },
      element("p", { class: "paid_amount amount" }, dollars(slip.amount ?? claim.amount)),
      element(
        "p",
        { class: "won" },
        words(claim.line),
        level_words(claim.level) ? ` · ${lower_words(claim.level)}` : "",
      ),
      (slip.taxable ?? claim.taxable)
        ? element("p", { class: "taxable" }, "Taxable")
        : element("p", { class: "not_taxable" }, "Not taxable"),
    ),
    element(
      "dl",
      { class: "slip_facts" },
      fact("Table", `${claim.table}${claim.asset ? ` (${claim.asset})` : ""}, seat ${claim.seat}`),
      fact(
        "Game",
        [slip.game, progressive_words(slip.progressive)].filter(Boolean).join(", ") || claim.link,
      ),
      fact("Link", claim.link),
      fact("Claim", `${claim.claim}, entry ${claim.entry}, round ${claim.round}`),
      fact("Won", utc(claim.raised_at)),
      fact("Rule", claim.section ?? ""),
      fact("Paid from", source_words(slip.source)),
      fact(
        "Slip made",
        `${utc(slip.issued_at)} by ${slip.issued_by?.badge ?? slip.issued_by ?? "–"}`,
      ),
      slip.state === "void"
        ? fact("Void", [lower_words(slip.void_reason), slip.void_note].filter(Boolean).join(": "))
        : null,
    ),
    element(
      "div",
      { class: "cards_line" },
      hand(claim.cards ?? [], `Seat ${claim.seat}`),
      element(
        "ul",
        { class: "arithmetic" },
        arithmetic(claim).map((line) => element("li", {}, line)),
      ),
    ),
    element(
      "div",
      { class: "signature_lines" },
      SIGNATURES.map((one) => signature_line(claim, slip, one)),
      element(
        "div",
        { class: "signature_line" },
        element("p", { class: "signed" }),
        element("p", { class: "under" }, "Received by the patron"),
      ),
    ),
    slip.digest ? element("p", { class: "digest" }, `Stored copy SHA-256 ${slip.digest}`) : null,
  );
}

async function read() {
  const answer = await ask(`/api/slips/${number}`);
  if (!answer.ok) {
    if (answer.status === 401) session.still_stands();
    by_id("paper").replaceChildren(element("p", { class: "error" }, answer.body.message));
    return;
  }
  show(by_id("tools"), true);
  by_id("paper").replaceChildren(
    part_of(answer.body, PARTS[0]),
    element("p", { class: "cut", "aria-hidden": "true" }),
    part_of(answer.body, PARTS[1]),
  );
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
by_id("print").addEventListener("click", () => window.print());
session.begin();
