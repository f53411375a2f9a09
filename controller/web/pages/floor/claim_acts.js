// Claim acts: the forms for what a claim needs now: validate or reject, sign second, make the slip,
// pay, void the slip. Laws: the controller decides, the forms only ask. After a refusal the claim
// is read again, because another person may have acted first.
import { ActForm } from "./act_dialog.js";
import { badge_field, radio_field, reason_fields } from "./act_fields.js";
import {
  box,
  button,
  element,
  error_line,
  new_tab,
  paragraph,
  set_text,
  status_line,
} from "./element.js";
import { source_words } from "./claim_view.js";
import { dollars, listed, lower_words, words } from "./words.js";

const REJECT_REASONS = {
  hand_misread: "The cards do not make this line",
  cards_missing: "Cards are missing",
  wager_not_made: "The seat had no accepted wager",
  round_irregular: "The round had to be voided",
  equipment_fault: "A device reported what did not happen",
  game_protection: "Game protection",
};
const VOID_REASONS = {
  misprint: "Misprint",
  wrong_source: "Wrong source",
  wrong_person: "Wrong person",
  other_error: "Another error",
};
const REJECTABLE = ["validation", "second_signature", "slip"];

export class ClaimActs {
  // changed(claim, text, refusal): an act was done, or the claim is not what this screen showed.
  constructor(session, changed) {
    this.session = session;
    this.changed = changed;
    this.result = status_line("result");
    this.error = error_line();
    this.place_of_form = box("act");
    this.place = box("acts", this.result, this.place_of_form, this.error);
    this.claim = null;
  }

  // Shows the form for what the claim needs. A form that still fits stays, with what was typed.
  offer(claim, needs) {
    const key = `${claim.claim} ${needs} ${claim.slips.length}`;
    this.claim = claim;
    if (key === this.key) return;
    if (this.key !== undefined && !this.key.startsWith(`${claim.claim} `)) this.announce("");
    set_text(this.error, "");
    this.key = key;
    this.needs = needs;
    this.show_needed();
  }

  announce(text) {
    set_text(this.result, text);
  }

  show_needed() {
    const forms = {
      validation: () => this.validation(),
      second_signature: () => this.second_signature(),
      slip: () => this.slip(),
      payment: () => this.payment(),
    };
    this.form = forms[this.needs]?.() ?? null;
    this.place_of_form.replaceChildren(...(this.form ? [this.form.node] : []));
  }

  // A form of this claim. `act` ends its path.
  make(act, spec) {
    const { claim } = this.claim;
    const is_same = () => this.claim.claim === claim;
    return new ActForm(this.session, {
      id: "claim",
      heading: "h3",
      path: `/api/claims/${claim}/${act}`,
      error: this.error,
      done: (answer) => is_same() && this.changed(answer.body.claim ?? null, answer.body.text),
      refused: (answer) => is_same() && this.refused(answer),
      ...spec,
    });
  }

  // If another person acted first, or the outcome is unknown, the claim is read again.
  refused({ status, body }) {
    const is_unknown = status === 0 || body.error === "outcome_unknown";
    if (status === 409 || is_unknown) this.changed(null, "", body.message);
    else this.form?.focus();
  }

  // A button that replaces the form by another one.
  button_to(label, make, kind = "danger") {
    const open = () => {
      set_text(this.error, "");
      make();
      this.place_of_form.querySelector("input, textarea, button")?.focus();
    };
    return button(label, open, { class: kind });
  }

  replace_by(form) {
    this.form = form;
    this.place_of_form.replaceChildren(form.node);
  }

  reject_button() {
    return this.button_to("Reject…", () => this.replace_by(this.rejection()));
  }

  back_button() {
    return this.button_to("Back", () => this.show_needed(), "plain");
  }

  // Why the person who is signed in may not do this after an earlier act; "" if nothing is against
  // it.
  barred_by(is_barred, why) {
    const { badge } = this.session.person;
    return is_barred(badge) ? `${badge} ${why}.` : "";
  }

  validation() {
    const { amount, verified_by, corrects } = this.claim;
    const is_bad_beat = verified_by === "poker_shift_supervisor";
    return this.make("validate", {
      title: "Are the cards and the wager correct?",
      // § 553.20(f)(2): the person who brings the money to the table is notified at once.
      fields: [
        is_bad_beat &&
          badge_field("notified", "Person notified in security or finance (badge, if known)"),
      ],
      signer: {
        who: `a ${lower_words(verified_by)}`,
        right: is_bad_beat ? "verify_bad_beats" : "validate_claims",
        barred: this.barred_by(
          (badge) => corrects?.by === badge,
          "corrected this hand, so another person must validate it",
        ),
      },
      button: `Validate ${dollars(amount)}`,
      others: this.reject_button(),
      body: ({ notified }) => (notified ? { notified } : {}),
    });
  }

  rejection() {
    return this.make("reject", {
      title: `Reject: ${dollars(this.claim.amount)} will not be paid`,
      fields: reason_fields(REJECT_REASONS),
      button: "Reject the claim",
      kind: "danger",
      others: this.back_button(),
    });
  }

  second_signature() {
    const { second_signature: second } = this.claim;
    const roles = listed((second?.roles ?? []).map(lower_words), "or");
    return this.make("countersign", {
      title: "A second person signs",
      about: paragraph("quiet", `Needed from ${dollars(second?.from)}: ${roles}.`),
      signer: { who: roles, is_other: true },
      button: "Sign second",
      others: this.reject_button(),
    });
  }

  // Persons who validated the claim or signed it second neither make its slip nor pay it.
  barred_signer(what) {
    const is_signer = (badge) => this.claim.signatures.some((one) => one.badge === badge);
    return this.barred_by(is_signer, `signed this claim, so another person must ${what}`);
  }

  slip() {
    const { sources, not_from, section } = this.claim;
    const is_chosen = sources.length === 1;
    const not_allowed = (one) => `${source_words(one)}: ${section} does not allow it`;
    const options = [
      ...sources.map((one) => [one, source_words(one), { is_chosen }]),
      ...not_from.map((one) => [one, not_allowed(one), { is_off: true }]),
    ];
    return this.make("slip", {
      title: "Make the slip",
      fields: [
        radio_field("source", "Paid from", options, { need: "Choose where it is paid from." }),
      ],
      signer: {
        who: "a floorperson, poker shift supervisor or cashier",
        right: "issue_slips",
        barred: this.barred_signer("make its slip"),
      },
      button: "Make the slip",
      others: this.reject_button(),
    });
  }

  payment() {
    const { amount, slips } = this.claim;
    const open = slips.find((slip) => slip.state === "issued");
    return this.make("pay", {
      title: `Pay on slip ${open?.slip ?? ""}`,
      about: element(
        "p",
        {},
        new_tab(`/slips/${open?.slip}`, "print", `Open slip ${open?.slip} to print`),
        ` · ${lower_words(source_words(open?.source))}`,
      ),
      signer: { who: "a cashier", right: "pay_claims", barred: this.barred_signer("pay it") },
      button: `Paid ${dollars(amount)}`,
      others: this.button_to("Void the slip…", () => this.replace_by(this.voiding(open))),
      body: { slip: open?.slip },
    });
  }

  voiding({ slip }) {
    return this.make("", {
      path: `/api/slips/${slip}/void`,
      title: `Void slip ${slip}. It is kept, and another slip can be made.`,
      fields: reason_fields(VOID_REASONS),
      button: `Void slip ${slip}`,
      kind: "danger",
      others: this.back_button(),
    });
  }

  // For the keyboard: moves to the PIN; opens the rejection.
  go_to_signature() {
    this.form?.focus();
  }
  go_to_rejection() {
    if (!REJECTABLE.includes(this.needs)) return;
    this.replace_by(this.rejection());
    this.place_of_form.querySelector("input")?.focus();
  }
}

export const need_words = (needs) =>
  ({
    validation: "Validate",
    second_signature: "Second signature",
    slip: "Make slip",
    payment: "Pay",
  })[needs] ?? words(needs);
