// Day signing: the two signatures under the report of a day. Laws: what is signed is the report on
// this screen, identified by its SHA-256. The page says why a person cannot sign, and why the day
// cannot be signed or closed yet. The controller decides.
import { ActForm } from "./act_dialog.js";
import { box, button, element, paragraph, show, span, strong } from "./element.js";
import { count_of, date_and_time } from "./words.js";

const STEPS = {
  sign: {
    title: "First signature",
    who: "accountant",
    right: "reconcile",
    button: "Sign the report",
    statement: "I have read this report.",
  },
  close: {
    title: "Second signature",
    who: "finance manager",
    right: "close_days",
    button: "Close the day",
    statement: "This closes the day. Nothing more can be recorded about it.",
  },
};
const with_article = (who) => `${/^[aeiou]/.test(who) ? "an" : "a"} ${who}`;

// Why nobody can take this step now; "" if somebody can.
function hindrance(step, { record, open, before, digest }) {
  if (step === "sign") {
    const items = `${count_of(open, "item")} ${open === 1 ? "is" : "are"} open`;
    return open > 0 ? `${items}. Every item must be explained before the report is signed.` : "";
  }
  if (!record.signed_by) return "The first signature is missing.";
  if (record.report !== digest) {
    return "The report has changed since the first signature. An accountant must sign it again.";
  }
  if (before && before.state !== "closed") {
    return `${before.day} is not closed. Days are closed in order.`;
  }
  return "";
}

// signed_by: the badge of the person who has signed; null if nobody has.
function form_of(step, context, day, digest, signed_by = null) {
  const { session } = context;
  const { who, right, statement } = STEPS[step];
  const { badge, name } = session.person;
  const again = button("Read again", context.again);
  show(again, false);
  const barred = badge === signed_by ? `${badge} ${name} has already signed.` : "";
  const can_sign = session.has(right) && !barred;
  return new ActForm(session, {
    about: can_sign ? paragraph("quiet", statement) : null,
    signer: { who: barred ? `another ${who}` : with_article(who), right, barred },
    button: STEPS[step].button,
    others: again,
    path: `/api/days/${day}/${step}`,
    body: { report: digest },
    done: (answer) => context.done(answer.body.text),
    // The day has changed since it was read, or the outcome is unknown.
    refused: ({ status }) => show(again, status === 409 || status === 0 || status >= 500),
  }).node;
}

// The last signature counts. If the person who closes the day may have set the first signer's PIN,
// another accountant signs the same report.
function another_signer(context, day, digest, signed_by) {
  return element(
    "details",
    { class: "another_signer" },
    element("summary", {}, "Another accountant signs"),
    form_of("sign", context, day, digest, signed_by),
  );
}

// sheet: {report, digest, record, open, before}
export function day_signing(context, sheet) {
  const { report, digest, record } = sheet;
  const done = {
    sign: record.report === digest && [record.signed_by, record.signed_at, "signed"],
    close: [record.closed_by, record.closed_at, "closed"],
  };
  const content = (step) => {
    const [by, at, state] = done[step] || [];
    if (by) {
      return [
        paragraph("signed_by", strong(by), ` ${date_and_time(at)}`),
        span("chip good", state),
        step === "sign" &&
          !record.closed_by &&
          another_signer(context, report.day, digest, record.signed_by),
      ];
    }
    const why_not = hindrance(step, sheet);
    return why_not !== ""
      ? paragraph("why_not", why_not)
      : form_of(step, context, report.day, digest);
  };
  const card = (step) =>
    element(
      "div",
      { class: "signature_card", "data-step": step },
      element("h4", {}, `${STEPS[step].title} · ${STEPS[step].who}`),
      content(step),
      paragraph("paper_line", "Signature, badge, date"),
    );
  return element(
    "section",
    { class: "sheet_part signing", "aria-label": "Signatures" },
    element("h3", {}, "Signatures"),
    paragraph("digest", "SHA-256 of this report ", element("code", {}, digest)),
    box("signature_cards", card("sign"), card("close")),
  );
}
