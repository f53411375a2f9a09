// Act dialog: a form for one act of a person, described as a list of fields, and sent as one
// request. Laws: the server decides, the form only asks. No PIN is read before every field and
// every signature is filled in. A form that waits for its answer cannot be sent again. A refusal is
// shown in the server's words, and what was typed stays, except PINs. A closed dialog keeps
// nothing.
import {
  badge_input,
  element,
  label_of,
  paragraph,
  set_text,
  show,
  span,
  text_input,
} from "./element.js";
import { Signature } from "./signature.js";
import { amount_text, capitalized } from "./words.js";

const TEXT_LENGTH_MAX = 200;

const typed = ({ value }) => value.trim();

// One option of a select, or one radio button or checkbox: [value, label, {note, is_chosen,
// is_off}].
function choice_of(
  type,
  name,
  [value, label, { note = "", is_chosen = false, is_off = false } = {}],
) {
  return element(
    "label",
    { class: is_off ? "choice off" : "choice" },
    element("input", { type, name, value, checked: is_chosen, disabled: is_off }),
    note ? element("span", {}, label, span("quiet small", note)) : label,
  );
}

// A kind of field makes {nodes, input, read, wrong, set_options}. `input` gets the focus. `read`
// returns the value for the request; null if nothing was entered. `wrong` returns what is wrong
// with the entry, or "".
function text_like(make_input) {
  return (id, spec) => {
    const node = make_input(id, spec);
    const help = spec.help ? paragraph("quiet small", spec.help) : null;
    const nodes = [label_of(id, spec.label), node, help];
    return { nodes, input: node, read: () => typed(node), wrong: () => "" };
  };
}

function parsed(kind, parse, wrong_words) {
  return (id, spec) => {
    const field = kind(id, spec);
    const read = () => (typed(field.input) === "" ? null : parse(typed(field.input)));
    const is_wrong = () => typed(field.input) !== "" && read() === null;
    return {
      ...field,
      read,
      wrong: () => (is_wrong() ? (spec.wrong ?? spec.need ?? wrong_words) : ""),
    };
  };
}

function select(id, spec) {
  const node = element("select", { id });
  const set_options = (options) => {
    const kept = node.value;
    const first = node.length > 0 ? options.find(([value]) => value !== "") : options[0];
    node.replaceChildren(...options.map(([value, label]) => element("option", { value }, label)));
    const is_there = options.some(([value]) => String(value) === kept);
    node.value = is_there ? kept : (first?.[0] ?? "");
  };
  const read = () => (node.value === "" ? null : node.value);
  return {
    nodes: [label_of(id, spec.label), node],
    input: node,
    read,
    wrong: () => "",
    set_options,
  };
}

function boxes(type, read_chosen) {
  return (id, spec) => {
    const legend = element("legend", { class: spec.is_label_hidden ? "unseen" : null }, spec.label);
    const node = element("fieldset", { class: spec.class ?? "choices_of" }, legend);
    const set_options = (options) =>
      node.replaceChildren(legend, ...options.map((option) => choice_of(type, id, option)));
    const read = () =>
      read_chosen([...node.querySelectorAll("input:checked")].map(({ value }) => value));
    const first = () => node.querySelector("input:not(:disabled)");
    return {
      nodes: [node],
      read,
      wrong: () => "",
      set_options,
      input: { focus: () => first()?.focus(), scrollIntoView: () => node.scrollIntoView() },
    };
  };
}

function check(id, spec) {
  const node = element("input", { id, type: "checkbox", checked: spec.is_chosen });
  const label = element("label", { class: "choice" }, node, spec.label);
  return { nodes: [label], input: node, read: () => node.checked, wrong: () => "" };
}

// Buttons that send the form with their words at once, and a text for anything else.
function quick_text(id, spec) {
  const field = KINDS.text(id, spec);
  let pressed = null;
  const press = (words, { form }) => {
    pressed = words;
    form.requestSubmit();
    pressed = null;
  };
  const buttons = spec.quick.map((words) =>
    element("button", { type: "button", on_click: (event) => press(words, event.target) }, words),
  );
  return { ...field, nodes: [buttons, ...field.nodes], read: () => pressed ?? typed(field.input) };
}

// Nodes that ask nothing.
const shown_nodes = (id, { nodes }) => ({
  nodes: [nodes].flat(),
  input: null,
  read: () => undefined,
  wrong: () => "",
});

const text = text_like((id, { attributes }) => text_input(id, attributes));
const KINDS = {
  text,
  badge: text_like((id) => badge_input(id)),
  area: text_like((id, { rows = 2 }) =>
    element("textarea", { id, rows, maxlength: TEXT_LENGTH_MAX }),
  ),
  amount: parsed(
    text_like((id, { value }) => text_input(id, { inputmode: "decimal", value })),
    amount_text,
    "Enter an amount in dollars and cents, for example 312.00.",
  ),
  number: parsed(
    text_like((id) => text_input(id, { inputmode: "numeric" })),
    (words) => (/^\d{1,15}$/.test(words) ? Number(words) : null),
    "Enter a number.",
  ),
  select,
  radio: boxes("radio", ([value]) => value ?? null),
  checks: boxes("checkbox", (values) => values),
  check,
  quick_text,
  nodes: shown_nodes,
};

// One field of a form.
// {key, kind, label, help}; key: its key in the values and in the request.
// need: the message if nothing was entered. wrong: the message if the entry is wrong.
// options: a list, or a function of the values of the fields before it.
// is_shown: a function of those values; a hidden field has no value.
class Field {
  constructor(spec, form_id) {
    this.spec = spec;
    Object.assign(this, KINDS[spec.kind](`${form_id}_${spec.key}`, spec));
    this.place = element("div", { class: "act_field" }, this.nodes);
    this.options = "";
  }

  get is_on() {
    return !this.place.hidden;
  }

  update(values) {
    const { is_shown = () => true, options } = this.spec;
    show(this.place, is_shown(values));
    if (options !== undefined)
      this.offer(typeof options === "function" ? options(values) : options);
  }

  offer(options) {
    const offered = JSON.stringify(options);
    if (offered === this.options) return;
    this.options = offered;
    this.set_options(options);
  }

  // What has to be entered or changed before the form is sent; "" if nothing.
  problem(values) {
    const value = this.read();
    const is_empty = value === null || value === "" || value?.length === 0;
    return (
      this.wrong() || (is_empty ? (this.spec.need ?? "") : "") || (this.spec.check?.(values) ?? "")
    );
  }
}

// The fields of a reason from a closed list, with a note.
export const reason_fields = (reasons) => [
  {
    key: "reason",
    kind: "radio",
    label: "Reason",
    options: Object.entries(reasons),
    need: "Choose a reason.",
  },
  { key: "note", kind: "area", label: "Note" },
];

// Options whose words are their values.
export const same_words = (values) => values.map((value) => [value, value]);

export class ActForm {
  // id: begins the ids of its fields. title, heading, title_id, about: what stands first.
  // fields: as above; `false` and null are left out.
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
    this.error = error ?? element("p", { class: "error", role: "alert" });
    this.button = element("button", { type: "submit", class: spec.kind ?? "main" }, spec.button);
    this.node = element(
      "form",
      { class: "act_form", novalidate: true, on_submit: (event) => this.submit(event) },
      spec.title && element(spec.heading ?? "h2", { id: spec.title_id }, spec.title),
      spec.about,
      this.why_not(signer),
      this.fields.map(({ place }) => place),
      this.witness &&
        element(
          "fieldset",
          { class: "witness" },
          element("legend", {}, "Witness"),
          this.witness.place,
        ),
      this.signature?.place,
      element(
        "div",
        { class: "act_end" },
        element("div", { class: "buttons" }, this.button, spec.others),
        error ? null : this.error,
      ),
    );
    this.node.addEventListener("change", () => this.update(), true);
    this.update();
  }

  make_signature({ who, right, barred, is_other }) {
    const lacks_right = right !== undefined && !this.session.has(right);
    return new Signature(this.session, {
      by_another: lacks_right,
      is_only_another: Boolean(is_other || barred),
      who: (who ?? "").replace(/^an? /, ""),
    });
  }

  // Why the person who is signed in cannot sign, and who can.
  why_not(signer) {
    const { who, right, barred } = signer ?? {};
    const { badge, name } = this.session.person;
    const is_missing = right !== undefined && !this.session.has(right);
    const why =
      barred || (is_missing ? `${badge} ${name} does not have the right to do this.` : "");
    if (!why) return null;
    return paragraph("why_not", `${why} ${capitalized(who)} can sign here.`);
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
    this.be_busy(true);
    const answer = await (send
      ? send(request, signed)
      : this.session.post(to, { ...request, ...signed }));
    this.be_busy(false);
    if (answer.ok) {
      done?.(answer);
      return;
    }
    set_text(this.error, answer.body.message);
    refused?.(answer);
  }

  be_busy(is_busy) {
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
    others: element(
      "button",
      { type: "button", class: "plain cancel", on_click: () => dialog.close() },
      spec.cancel ?? "Cancel",
    ),
    done: (answer) => {
      if (!spec.stays_open && form.node.isConnected) dialog.close();
      spec.done?.(answer);
    },
  });
  open_dialog(dialog, [form.node], spec.closed);
  return form;
}
