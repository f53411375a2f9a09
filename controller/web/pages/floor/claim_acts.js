// Claim acts: what can be done with a claim now, as forms: validate or reject, sign second, make
// the slip, pay, void a slip. Laws: the controller decides, these forms only ask; a refusal is told
// in its own words and the claim is read anew, because somebody else may have been faster; nothing
// is sent twice, and nothing that was typed stays in a form after it was sent.
import { element, say } from "./element.js";
import { Signature } from "./signature.js";
import { source_words } from "./claim_view.js";
import { dollars, listed, lower_words, words } from "./words.js";

const REJECT_REASONS = {
  hand_misread: "The cards are not this line",
  cards_missing: "Cards are missing",
  wager_not_made: "The seat had no accepted wager",
  round_irregular: "The round had to be void",
  equipment_fault: "A device reported what did not happen",
  game_protection: "Game protection",
};
const VOID_REASONS = {
  misprint: "Misprint",
  wrong_source: "Wrong source",
  wrong_person: "Wrong person",
  other_error: "Another error",
};
const NOTE_LENGTH_MAX = 200;
let names = 0;

// A closed list of reasons, and a note.
export class Reasons {
  constructor(reasons) {
    names += 1;
    this.name = `reasons_${names}`;
    this.note = element("textarea", {
      id: `${this.name}_note`,
      rows: 2,
      maxlength: NOTE_LENGTH_MAX,
    });
    this.place = element(
      "fieldset",
      { class: "reasons" },
      element("legend", {}, "Reason"),
      Object.entries(reasons).map(([value, text]) =>
        element(
          "label",
          { class: "choice" },
          element("input", { type: "radio", name: this.name, value, required: true }),
          text,
        ),
      ),
      element("label", { for: `${this.name}_note` }, "Note"),
      this.note,
    );
  }
  // {reason, note}, or null if none is chosen.
  take() {
    const chosen = this.place.querySelector("input:checked");
    return chosen === null ? null : { reason: chosen.value, note: this.note.value.trim() };
  }
}

export class ClaimActs {
  // changed(claim, text): an act was done, or the claim turned out to be another than was thought.
  constructor(session, changed) {
    this.session = session;
    this.changed = changed;
    this.told = element("p", { class: "told", role: "status", tabindex: -1 });
    this.error = element("p", { class: "error", role: "alert" });
    this.form = element("div", { class: "act" });
    this.place = element("div", { class: "acts" }, this.told, this.form, this.error);
    this.claim = null;
    this.is_asking = false;
  }

  // The forms for what the claim needs. What was typed stays if it still needs the same.
  offer(claim, needs) {
    const key = `${claim.claim} ${needs} ${claim.slips.length}`;
    this.claim = claim;
    if (key === this.key) return;
    if (this.key !== undefined && !this.key.startsWith(`${claim.claim} `)) {
      say(this.told, "");
    }
    say(this.error, "");
    this.key = key;
    this.needs = needs;
    this.to_main();
  }

  tell(text) {
    say(this.told, text);
  }

  to_main() {
    const offers = {
      validation: () => this.validation(),
      second_signature: () => this.second_signature(),
      slip: () => this.slip(),
      payment: () => this.payment(),
    };
    this.signature = null;
    this.form.replaceChildren(...(offers[this.needs]?.() ?? []).filter(Boolean));
  }

  // One form: a title, fields, its buttons; `send` gives {path, body} or null.
  ask_for({ title, fields, button, kind = "main", others = [], signature, send }) {
    this.signature = signature;
    const submit = async (event) => {
      event.preventDefault();
      if (this.is_asking) return;
      const asked = send();
      if (asked === null) return;
      await this.send(asked, event.submitter);
    };
    return element(
      "form",
      { class: "act_form", on_submit: submit, novalidate: true },
      element("h3", {}, title),
      fields,
      signature.place,
      element(
        "div",
        { class: "buttons" },
        element("button", { type: "submit", class: kind }, button),
        others,
      ),
    );
  }

  async send({ path, body }, button) {
    this.is_asking = true;
    say(this.error, "");
    if (button) button.disabled = true;
    const { claim } = this.claim;
    const answer = await this.session.post(path, body);
    this.is_asking = false;
    if (button) button.disabled = false;
    if (this.claim.claim !== claim) return;
    if (answer.ok) {
      this.changed(answer.body.claim ?? null, answer.body.text);
      return;
    }
    say(this.error, answer.body.message);
    // Somebody was faster, or nobody knows what became of it: the claim itself tells.
    const is_unknown = answer.status === 0 || answer.body.error === "outcome_unknown";
    if (answer.status === 409 || is_unknown) this.changed(null, "", answer.body.message);
    else this.signature?.focus();
  }

  button_to(label, show_it, kind = "danger") {
    return element(
      "button",
      {
        type: "button",
        class: kind,
        on_click: () => {
          say(this.error, "");
          this.form.replaceChildren(...show_it());
          this.form.querySelector("input, textarea, button")?.focus();
        },
      },
      label,
    );
  }

  back() {
    return this.button_to(
      "Back",
      () => {
        this.to_main();
        return [...this.form.childNodes];
      },
      "plain",
    );
  }

  signed(signature, path, more = {}) {
    const signed = signature.take();
    return signed === null ? null : { path, body: { ...signed, ...more } };
  }

  validation() {
    const { claim, amount, verified_by, corrects } = this.claim;
    const is_bad_beat = verified_by === "poker_shift_supervisor";
    const right = is_bad_beat ? "verify_bad_beats" : "validate_claims";
    const signature = new Signature(this.session, {
      by_another: !this.session.has(right) || corrects?.by === this.session.person.badge,
      who: lower_words(verified_by),
    });
    // § 553.20(f)(2): the person who brings the money to the table is notified at once.
    const notified = is_bad_beat
      ? element("input", {
          id: "notified", type: "text", autocomplete: "off", autocapitalize: "characters",
          spellcheck: "false", maxlength: 64,
        })
      : null;
    return [
      this.ask_for({
        title: "Are the cards and the wager right?",
        fields: notified && [
          element("label", { for: "notified" }, "Notified in security or finance (badge, if known)"),
          notified,
        ],
        signature,
        button: `Validate ${dollars(amount)}`,
        others: [this.button_to("Reject…", () => this.rejection())],
        send: () =>
          this.signed(
            signature,
            `/api/claims/${claim}/validate`,
            notified?.value.trim() ? { notified: notified.value.trim() } : {},
          ),
      }),
    ];
  }

  rejection() {
    const { claim, amount } = this.claim;
    const signature = new Signature(this.session);
    const reasons = new Reasons(REJECT_REASONS);
    return [
      this.ask_for({
        title: `Reject: ${dollars(amount)} is not paid`,
        fields: reasons.place,
        signature,
        kind: "danger",
        button: "Reject the claim",
        others: [this.back()],
        send: () => this.with_reason(reasons, signature, `/api/claims/${claim}/reject`),
      }),
    ];
  }

  with_reason(reasons, signature, path) {
    const why = reasons.take();
    if (why === null) {
      say(this.error, "Choose a reason.");
      reasons.place.querySelector("input").focus();
      return null;
    }
    return this.signed(signature, path, why);
  }

  second_signature() {
    const { claim, second_signature: second } = this.claim;
    const who = listed((second?.roles ?? []).map(lower_words), "or");
    const signature = new Signature(this.session, { is_only_another: true, who });
    return [
      this.ask_for({
        title: "A second person signs",
        fields: element("p", { class: "quiet" }, `From ${dollars(second?.from)} on: ${who}.`),
        signature,
        button: "Sign second",
        others: [this.button_to("Reject…", () => this.rejection())],
        send: () => this.signed(signature, `/api/claims/${claim}/countersign`),
      }),
    ];
  }

  // Who validated the claim or signed it second neither makes its slip nor pays it.
  has_signed() {
    const { badge } = this.session.person;
    return this.claim.signatures.some((one) => one.badge === badge);
  }

  slip() {
    const { claim, sources, not_from, section } = this.claim;
    const has_signed = this.has_signed();
    const signature = new Signature(this.session, {
      by_another: !this.session.has("issue_slips"),
      is_only_another: has_signed,
      who: "floorperson, poker shift supervisor or cashier",
    });
    names += 1;
    const choice = (source, is_allowed) =>
      element(
        "label",
        { class: is_allowed ? "choice" : "choice off" },
        element("input", {
          type: "radio",
          name: `source_${names}`,
          value: source,
          disabled: !is_allowed,
          checked: is_allowed && sources.length === 1,
        }),
        is_allowed ? source_words(source) : `${source_words(source)}: ${section} does not allow it`,
      );
    const fields = element(
      "fieldset",
      {},
      element("legend", {}, "Paid from"),
      sources.map((source) => choice(source, true)),
      not_from.map((source) => choice(source, false)),
    );
    return [
      this.ask_for({
        title: "Make the slip",
        fields: [
          has_signed &&
            element(
              "p",
              { class: "quiet" },
              `${this.session.person.badge} signed this claim: another person makes its slip.`,
            ),
          fields,
        ],
        signature,
        button: "Make the slip",
        others: [this.button_to("Reject…", () => this.rejection())],
        send: () => {
          const chosen = fields.querySelector("input:checked");
          if (chosen === null) {
            say(this.error, "Choose where it is paid from.");
            return null;
          }
          return this.signed(signature, `/api/claims/${claim}/slip`, { source: chosen.value });
        },
      }),
    ];
  }

  payment() {
    const { claim, amount, slips } = this.claim;
    const open = slips.find((slip) => slip.state === "issued");
    const signature = new Signature(this.session, {
      by_another: !this.session.has("pay_claims"),
      is_only_another: this.has_signed(),
      who: "cashier",
    });
    return [
      this.ask_for({
        title: `Pay on slip ${open?.slip ?? ""}`,
        fields: element(
          "p",
          {},
          element(
            "a",
            { class: "print", href: `/slips/${open?.slip}`, target: "_blank", rel: "noopener" },
            `Open slip ${open?.slip} to print`,
          ),
          ` · ${lower_words(source_words(open?.source))}`,
        ),
        signature,
        button: `Paid ${dollars(amount)}`,
        others: [this.button_to("Void the slip…", () => this.voiding(open))],
        send: () => this.signed(signature, `/api/claims/${claim}/pay`, { slip: open?.slip }),
      }),
    ];
  }

  voiding(slip) {
    const signature = new Signature(this.session);
    const reasons = new Reasons(VOID_REASONS);
    return [
      this.ask_for({
        title: `Void slip ${slip.slip}: it is kept, and another can be made`,
        fields: reasons.place,
        signature,
        kind: "danger",
        button: `Void slip ${slip.slip}`,
        others: [this.back()],
        send: () => this.with_reason(reasons, signature, `/api/slips/${slip.slip}/void`),
      }),
    ];
  }

  // By key: to the PIN; to the reasons.
  go_to_signature() {
    this.signature?.focus();
  }
  go_to_rejection() {
    if (["validation", "second_signature", "slip"].includes(this.needs)) {
      this.form.replaceChildren(...this.rejection());
      this.form.querySelector("input")?.focus();
    }
  }
}

export const need_words = (needs) =>
  ({
    validation: "Validate",
    second_signature: "Second signature",
    slip: "Make slip",
    payment: "Pay",
  })[needs] ?? words(needs);
