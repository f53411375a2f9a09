// Day signing: the two signatures under a day's report. Laws: what is signed is the report on this
// screen, by its digest; whoever may not sign sees why, and so does everybody while the day is not
// ready for it; the controller decides.
import { element, say, show } from "./element.js";
import { Signature } from "./signature.js";
import { count_of, date_and_time } from "./words.js";

const STEPS = {
  sign: {
    title: "First signature",
    who: "accountant",
    one: "an accountant",
    right: "reconcile",
    button: "Sign the report",
    said: "I have read this report.",
  },
  close: {
    title: "Second signature",
    who: "finance manager",
    one: "a finance manager",
    right: "close_days",
    button: "Close the day",
    said: "With this the day is closed: nothing more is said of it.",
  },
};

// Why this step cannot be taken by anybody now; "" if it can.
function hindrance(step, { record, open, before, digest }) {
  const items = `${count_of(open, "item")} ${open === 1 ? "is" : "are"}`;
  if (step === "sign") {
    return open > 0 ? `${items} open: each is explained before anybody signs.` : "";
  }
  if (!record.signed_by) return "The first signature is missing.";
  if (record.report !== digest) return "The report has changed since: the accountant signs anew.";
  if (before && before.state !== "closed") {
    return `${before.day} is not closed: days are closed one after the other.`;
  }
  return "";
}

function signed(step, by, at) {
  return [
    element("p", { class: "signed_by" }, element("strong", {}, by), ` ${date_and_time(at)}`),
    element("span", { class: "chip good" }, step === "sign" ? "signed" : "closed"),
  ];
}

// `signed_by`: who has signed it so far; null: nobody.
function form_of(step, desk, day, digest, signed_by = null) {
  const { session } = desk;
  const told = STEPS[step];
  const { badge, name } = session.person;
  const has_signed = badge === signed_by;
  const may = session.has(told.right) && !has_signed;
  const signature = new Signature(session, { by_another: !may, who: told.who });
  const error = element("p", { class: "error", role: "alert" });
  const again = element("button", { type: "button", on_click: desk.again }, "Read again");
  show(again, false);
  const submit = async (event) => {
    event.preventDefault();
    say(error, "");
    const asked = signature.take();
    if (asked === null) {
      say(error, "Who signs, and the PIN.");
      return;
    }
    event.submitter.disabled = true;
    const body = { report: digest, ...asked };
    const answer = await session.post(`/api/days/${day}/${step}`, body);
    event.submitter.disabled = false;
    if (answer.ok) {
      desk.done(answer.body.text);
      return;
    }
    say(error, answer.body.message);
    // The day has changed since it was read, or nobody knows what became of it.
    show(again, answer.status === 409 || answer.status === 0 || answer.status >= 500);
  };
  return element(
    "form",
    { class: "act_form", on_submit: submit, novalidate: true },
    may
      ? element("p", { class: "quiet" }, told.said)
      : element(
          "p",
          { class: "why_not" },
          has_signed
            ? `${badge} ${name} has signed. `
            : `${badge} ${name} may not: ${told.one} does this. `,
          has_signed ? `Another ${told.who} can sign here.` : "That person can sign here.",
        ),
    signature.place,
    element("button", { type: "submit", class: "main" }, told.button),
    error,
    again,
  );
}

// The last signature counts: where one person may have made the first signer's PIN and closes the
// day, another accountant signs the same report.
function another_signer(desk, day, digest, signed_by) {
  return element(
    "details",
    { class: "another_signer" },
    element("summary", {}, "Another accountant signs"),
    form_of("sign", desk, day, digest, signed_by),
  );
}

// `sheet`: {report, digest, record, open, before}
export function day_signing(desk, sheet) {
  const { report, digest, record } = sheet;
  const by = {
    sign: [record.signed_by, record.signed_at],
    close: [record.closed_by, record.closed_at],
  };
  const stands = { sign: record.signed_by && record.report === digest, close: record.closed_by };
  const card = (step) => {
    const why_not = stands[step] ? "" : hindrance(step, sheet);
    return element(
      "div",
      { class: "signature_card", "data-step": step },
      element("h4", {}, `${STEPS[step].title} · ${STEPS[step].who}`),
      stands[step]
        ? [
            ...signed(step, ...by[step]),
            step === "sign" &&
              !record.closed_by &&
              another_signer(desk, report.day, digest, record.signed_by),
          ]
        : why_not !== ""
          ? element("p", { class: "why_not" }, why_not)
          : form_of(step, desk, report.day, digest),
      element("p", { class: "paper_line" }, "Signature, badge, date"),
    );
  };
  return element(
    "section",
    { class: "sheet_part signing", "aria-label": "Signatures" },
    element("h3", {}, "Signatures"),
    element("p", { class: "digest" }, "SHA-256 of this report ", element("code", {}, digest)),
    element("div", { class: "signature_cards" }, card("sign"), card("close")),
  );
}
