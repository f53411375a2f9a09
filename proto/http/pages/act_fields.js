// Act fields: the fields of a form for an act (act_dialog.js), each described by a key, a kind, a label
// and its bounds. Law: a field says what is missing or wrong in it; nothing is corrected in silence.
import {
  badge_input,
  box,
  button,
  element,
  label_of,
  paragraph,
  show,
  span,
  text_input,
} from "./element.js";
import { amount_text } from "./words.js";

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

// A kind of field makes {nodes, input, read, wrong, set_options}. input: gets the focus. read():
// returns the value for the request; null if nothing was entered. wrong(): what is wrong with the
// entry, or ""; set_options(list): replaces the options. The last two are optional.
function text_like(make_input) {
  return (id, spec) => {
    const node = make_input(id, spec);
    const help = spec.help ? paragraph("quiet small", spec.help) : null;
    const nodes = [label_of(id, spec.label), node, help];
    return { nodes, input: node, read: () => typed(node) };
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
      wrong: () => (is_wrong() ? spec.wrong || spec.need || wrong_words : ""),
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
  return { nodes: [label_of(id, spec.label), node], input: node, read, set_options };
}

function boxes(type, read_chosen) {
  return (id, spec) => {
    const legend = element("legend", { class: spec.is_label_hidden ? "unseen" : null }, spec.label);
    const node = element("fieldset", { class: spec.class ?? "choices_of" }, legend);
    const set_options = (options) =>
      node.replaceChildren(legend, ...options.map((option) => choice_of(type, id, option)));
    const read = () =>
      read_chosen([...node.querySelectorAll("input:checked")].map(({ value }) => value));
    const focus = () => node.querySelector("input:not(:disabled)")?.focus();
    return { nodes: [node], input: { focus }, read, set_options };
  };
}

function check(id, spec) {
  const node = element("input", { id, type: "checkbox", checked: spec.is_chosen });
  const label = element("label", { class: "choice" }, node, spec.label);
  return { nodes: [label], input: node, read: () => node.checked };
}

// Buttons that send the form with their words at once, and a text for anything else.
function quick_text(id, spec) {
  const field = text(id, spec);
  let pressed = null;
  const press = (words, { form }) => {
    pressed = words;
    form.requestSubmit();
    pressed = null;
  };
  const buttons = spec.quick.map((words) => button(words, ({ target }) => press(words, target)));
  return { ...field, nodes: [buttons, ...field.nodes], read: () => pressed ?? typed(field.input) };
}

// Nodes that ask nothing.
const shown_nodes = (id, { nodes }) => ({ nodes: [nodes].flat(), read: () => undefined });

const text = text_like((id, { attributes }) => text_input(id, attributes));
const badge = text_like((id) => badge_input(id));
const area = text_like((id, { rows = 2 }) => element("textarea", { id, rows, maxlength: 200 }));
const amount = parsed(
  text_like((id, { value }) => text_input(id, { inputmode: "decimal", value })),
  amount_text,
  "Enter an amount in dollars and cents, for example 312.00.",
);
const number = parsed(
  text_like((id) => text_input(id, { inputmode: "numeric" })),
  (words) => (/^\d{1,15}$/.test(words) ? Number(words) : null),
  "Enter a number.",
);

// The descriptions of fields, for a form.
// key: the key in the values and in the request. need: the message if nothing was entered.
// more: {wrong, help, check, is_shown, ...}; wrong: the message if the entry is wrong.
// options: a list, or a function of the values of the fields before it.
// is_shown: a function of those values; a hidden field has no value.
const typed_field = (make) => (key, label, need, more) => ({ make, key, label, need, ...more });
const chosen_field = (make) => (key, label, options, more) => ({
  make,
  key,
  label,
  options,
  ...more,
});
export const text_field = typed_field(text);
export const badge_field = typed_field(badge);
export const area_field = typed_field(area);
export const amount_field = typed_field(amount);
export const number_field = typed_field(number);
export const quick_field = typed_field(quick_text);
export const check_field = typed_field(check);
export const select_field = chosen_field(select);
export const radio_field = chosen_field(boxes("radio", ([value]) => value ?? null));
export const checks_field = chosen_field(boxes("checkbox", (values) => values));
export const nodes_field = (nodes, is_shown) => ({ make: shown_nodes, nodes, is_shown });

// A list whose words are their values.
export const names_field = (key, label, values) => select_field(key, label, same_words(values));

// One field of a form.
export class Field {
  constructor(spec, form_id) {
    this.spec = spec;
    Object.assign(this, spec.make(`${form_id}_${spec.key}`, spec));
    this.place = box("act_field", this.nodes);
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
      this.wrong?.() ||
      (is_empty ? (this.spec.need ?? "") : "") ||
      (this.spec.check?.(values) ?? "")
    );
  }
}

// The fields of a reason from a closed list, with a note.
export const reason_fields = (reasons) => [
  radio_field("reason", "Reason", Object.entries(reasons), { need: "Choose a reason." }),
  area_field("note", "Note"),
];

// Options whose words are their values.
export const same_words = (values) => values.map((value) => [value, value]);
