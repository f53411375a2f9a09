// Act dialog: a form for one act of a person, described as a list of fields, and sent as one
// request. Laws: the server decides, the form only asks. No PIN is read before every field and
// every signature is filled in. A form that waits for its answer cannot be sent again. A refusal is
// shown in the server's words, and what was typed stays, except PINs. A closed dialog keeps
// nothing.
import { Field } from "./act_fields.js";
import { box, button, element, error_line, paragraph, set_text } from "./element.js";
import { Signature } from "./signature.js";
import { capitalized } from "./words.js";

export class ActForm {
  // id: begins the ids of its fields. title, heading, title_id, about: what stands first.
  // fields: as in act_fields.js; false and null are left out.
  // signer: {who, right, barred}, null if nobody signs. who: who can sign, with its article.
  //   right: the right it takes. barred: why the person who is signed in cannot sign.
  //   With is_other, another person always signs.
  // witness: who can be the witness; such a form takes a second badge and PIN.
  // button, kind, others: the button that sends, its class, and further nodes beside it.
  // path, body: functions of the values, or constants; body is the values if not given.
  // send(body, signed): sends the request if it is not session.post(path, body and signed).
  // done(answer), refused(answer): what follows. error: an element for messages, if outside.
  constructor(session, spec) {
    const { id = "act", fields = [], signer = {}, error } = spec;
    Object.assign(this, { session, spec, is_busy: false });
    this.fields = fields.filter(Boolean).map((one) => new Field(one, id));
    this.signature = signer === null ? null : this.make_signature(signer);
    this.witness = spec.witness
      ? new Signature(session, { is_only_another: true, who: spec.witness, whose: "witness" })
      : null;
    this.error = error ?? error_line();
    this.button = element("button", { type: "submit", class: spec.kind ?? "main" }, spec.button);
    this.node = element(
      "form",
      { class: "act_form", novalidate: true, on_submit: (event) => this.submit(event) },
      spec.title && element(spec.heading ?? "h2", { id: spec.title_id }, spec.title),
      spec.about,
      signer && this.why_not(signer),
      this.fields.map(({ place }) => place),
      this.witness &&
        element(
          "fieldset",
          { class: "witness" },
          element("legend", {}, "Witness"),
          this.witness.place,
        ),
      this.signature?.place,
      box("act_end", box("buttons", this.button, spec.others), error ? null : this.error),
    );
    this.node.addEventListener("change", () => this.update(), true);
    this.update();
  }

  lacks({ right }) {
    return right !== undefined && !this.session.has(right);
  }

  make_signature(signer) {
    const { who = "", barred, is_other } = signer;
    return new Signature(this.session, {
      by_another: this.lacks(signer),
      is_only_another: Boolean(is_other || barred),
      who: who.replace(/^an? /, ""),
    });
  }

  // Why the person who is signed in cannot sign, and who can.
  why_not(signer) {
    const { badge, name } = this.session.person;
    const lacks_words = `${badge} ${name} does not have the right to do this.`;
    const why = signer.barred || (this.lacks(signer) ? lacks_words : "");
    return why ? paragraph("why_not", `${why} ${capitalized(signer.who)} can sign here.`) : null;
  }

  field(key) {
    return this.fields.find(({ spec }) => spec.key === key);
  }

  // Shows the fields that the values ask for; returns the values.
  update() {
    const values = {};
    for (const field of this.fields) {
      field.update(values);
      const value = field.is_on ? field.read() : undefined;
      if (value !== undefined) values[field.spec.key] = value;
    }
    return values;
  }

  // Says what is missing and moves the focus there.
  is_incomplete(values) {
    const say = (words, node) => {
      set_text(this.error, words);
      node?.focus();
      return true;
    };
    for (const field of this.fields.filter(({ is_on }) => is_on)) {
      const problem = field.problem(values);
      if (problem !== "") return say(problem, field.input);
    }
    const unsigned = [this.witness, this.signature].find((one) => one?.missing());
    if (!unsigned) return false;
    const { words, node } = unsigned.missing();
    return say(words, node);
  }

  signed() {
    const seen = this.witness?.take();
    return {
      ...(seen ? { witness: seen.badge, witness_pin: seen.pin } : {}),
      ...this.signature?.take(),
    };
  }

  async submit(event) {
    event.preventDefault();
    if (this.is_busy) return;
    set_text(this.error, "");
    const values = this.update();
    if (this.is_incomplete(values)) return;
    const { path, body = values, send, done, refused } = this.spec;
    const of_values = (one) => (typeof one === "function" ? one(values) : one);
    const [to, request, signed] = [of_values(path), of_values(body), this.signed()];
    this.set_busy(true);
    const answer = await (send
      ? send(request, signed)
      : this.session.post(to, { ...request, ...signed }));
    this.set_busy(false);
    if (!answer.ok) set_text(this.error, answer.body.message);
    (answer.ok ? done : refused)?.(answer);
  }

  set_busy(is_busy) {
    this.is_busy = is_busy;
    this.button.disabled = is_busy;
  }

  focus() {
    this.signature?.focus();
  }
}

// Shows the content in the dialog. When the dialog closes, the content is removed: no PIN stays in
// what nobody sees. The event of a closing can come after the next opening; then it is ignored.
export function open_dialog(dialog, content, closed = () => {}) {
  const finish = () => {
    if (dialog.open && content[0].isConnected) return;
    dialog.removeEventListener("close", finish);
    for (const node of content) node.remove();
    closed();
  };
  dialog.addEventListener("close", finish);
  dialog.replaceChildren(...content);
  dialog.showModal();
  dialog.scrollTop = 0;
}

// A form in a dialog. It closes when the act is done, unless stays_open is given.
export function open_act(dialog, session, spec) {
  const form = new ActForm(session, {
    title_id: `${dialog.id}_title`,
    ...spec,
    others: button(spec.cancel ?? "Cancel", () => dialog.close(), { class: "plain cancel" }),
    done: (answer) => {
      if (!spec.stays_open && form.node.isConnected) dialog.close();
      spec.done?.(answer);
    },
  });
  open_dialog(dialog, [form.node], spec.closed);
  return form;
}
