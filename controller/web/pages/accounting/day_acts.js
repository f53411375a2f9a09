// Day acts: what people say about a gaming day, as dialogs: an explanation, a count before a
// witness, a reading. Laws: the controller decides, these forms only ask; whoever may not is told
// why before he types; a refusal is told in its own words; nothing that was typed stays in a closed
// dialog.
import { units } from "./amounts.js";
import { element, say, show } from "./element.js";
import { difference_words, kind_words, place_of } from "./day_items.js";
import { COUNT_CHOICES } from "./day_told.js";
import { Signature } from "./signature.js";
import { level_words } from "./words.js";

const NOTE_LENGTH_MAX = 200;
const CENTS = /^\d+(\.\d{1,2})?$/;

export const field = (id, label, input, more = null) => [
  element("label", { for: id }, label),
  input,
  more ? element("p", { class: "quiet small" }, more) : null,
];
export const text_field = (id, properties = {}) =>
  element("input", {
    id,
    type: "text",
    autocomplete: "off",
    maxlength: NOTE_LENGTH_MAX,
    ...properties,
  });
export const choice_field = (id, choices) =>
  element(
    "select",
    { id },
    choices.map(([value, label]) => element("option", { value }, label)),
  );

// "1,234.5" -> "1234.50"; null for what is no amount of whole cents.
export function cents_text(typed) {
  const plain = typed.trim().replace(/^\$/, "").replaceAll(",", "");
  if (!CENTS.test(plain)) return null;
  const [left, right = ""] = plain.split(".");
  return `${left}.${right.padEnd(2, "0")}`;
}

export class DayActs {
  // done(text): an act was done; read the day anew.
  constructor(session, dialog, done) {
    Object.assign(this, { session, dialog, done });
  }

  // `send(error)`: {path, body}, or null after saying what is missing. `witness`: the Signature,
  // among the fields, of another person who gives his own PIN to it.
  ask({ title, about, fields, button, right, who, send, witness = null }) {
    const { badge, name } = this.session.person;
    const may = this.session.has(right);
    const signature = new Signature(this.session, { by_another: !may, who });
    const error = element("p", { class: "error", role: "alert" });
    const submit = async (event) => {
      event.preventDefault();
      say(error, "");
      const asked = send(error);
      if (!asked) return;
      // No PIN is read before every one is there: or who was first would have to type his again.
      const unsigned = [witness, signature].find((one) => one?.missing());
      if (unsigned) {
        say(error, unsigned === witness ? "The witness’s badge and PIN." : "The PIN signs it.");
        unsigned.missing().focus();
        return;
      }
      const seen = witness?.take();
      const signed = {
        ...(seen ? { witness: seen.badge, witness_pin: seen.pin } : {}),
        ...signature.take(),
      };
      event.submitter.disabled = true;
      const answer = await this.session.post(asked.path, { ...asked.body, ...signed });
      event.submitter.disabled = false;
      if (answer.ok) {
        this.dialog.close();
        this.done(answer.body.text);
      } else say(error, answer.body.message);
    };
    const close = () => this.dialog.close();
    this.dialog.replaceChildren(
      element(
        "form",
        { class: "act_form", on_submit: submit, novalidate: true },
        element("h2", { id: "act_title" }, title),
        about,
        may
          ? null
          : element(
              "p",
              { class: "why_not" },
              `${badge} ${name} may not do this: ${who} does. That person can sign here.`,
            ),
        fields,
        signature.place,
        element(
          "div",
          { class: "act_end" },
          element(
            "div",
            { class: "buttons" },
            element("button", { type: "submit", class: "main" }, button),
            element("button", { type: "button", class: "plain", on_click: close }, "Cancel"),
          ),
          error,
        ),
      ),
    );
    this.dialog.onclose = () => this.dialog.replaceChildren();
    this.dialog.showModal();
    this.dialog.scrollTop = 0; // the one before it may have been left further down
  }

  // Of exactly the difference on the screen.
  explain(day, item) {
    const note = element("textarea", { id: "act_note", rows: 3, maxlength: NOTE_LENGTH_MAX });
    const entry = text_field("act_entry", { inputmode: "numeric" });
    this.ask({
      title: kind_words(item.kind),
      about: element(
        "p",
        { class: "act_about" },
        element("strong", {}, difference_words(item.difference)),
        ` ${place_of(item)}`,
      ),
      fields: [
        field("act_note", "Why this is so, or how it was put right", note),
        field("act_entry", "Entry that corrects it (if there is one)", entry),
      ],
      button: "Explain",
      right: "reconcile",
      who: "an accountant",
      send: (error) => {
        const corrected_by = entry.value.trim();
        const missing = note.value.trim() === "" ? note : null;
        if (missing !== null || !/^\d{0,15}$/.test(corrected_by)) {
          say(error, missing ? "Say why." : "An entry is a number.");
          (missing ?? entry).focus();
          return null;
        }
        return {
          path: `/api/days/${day}/explain`,
          body: {
            item: item.item,
            difference: item.difference,
            note: note.value.trim(),
            ...(corrected_by === "" ? {} : { corrected_by: Number(corrected_by) }),
          },
        };
      },
    });
  }

  count(report) {
    const links = report.links.map(({ link }) => link);
    const tables = report.links.flatMap((link) => link.tables.map(({ table }) => table));
    const kind = choice_field("act_kind", COUNT_CHOICES);
    const link = choice_field("act_link", links.map((one) => [one, one]));
    const table = choice_field("act_table", [
      ["", "none: the whole room"],
      ...[...new Set(tables)].map((one) => [one, one]),
    ]);
    const amount = text_field("act_amount", { inputmode: "decimal" });
    const witness = new Signature(this.session, {
      is_only_another: true,
      who: "the witness",
      pin_words: "PIN of the witness",
    });
    const notice = text_field("act_notice");
    const recording = text_field("act_recording");
    const of_box = element(
      "div",
      {},
      field("act_notice", "Compliance representative who was told, and when", notice),
      field("act_recording", "Surveillance’s record (of a count at a closed table)", recording),
    );
    const note = text_field("act_note");
    const is_box = () => kind.value === "poker_box";
    const offer_notice = () => show(of_box, is_box());
    kind.addEventListener("change", offer_notice);
    offer_notice();
    // A link's own tables alone can be chosen.
    const offer_tables = () => {
      const own = report.links.find((one) => one.link === link.value)?.tables ?? [];
      const names = own.map((one) => one.table);
      for (const option of table.options) {
        option.hidden = option.disabled = option.value !== "" && !names.includes(option.value);
      }
      if (table.selectedOptions[0]?.disabled) table.value = names[0] ?? "";
    };
    link.addEventListener("change", offer_tables);
    offer_tables();
    this.ask({
      title: `Record a count of ${report.day}`,
      about: element("p", { class: "quiet" }, "Counted by one person before another’s eyes."),
      fields: [
        field("act_kind", "What was counted", kind),
        field("act_link", "Link", link),
        field("act_table", "Table", table),
        field("act_amount", "Amount, dollars and cents", amount),
        of_box,
        field("act_note", "Note", note),
        element(
          "fieldset",
          { class: "witness" },
          element("legend", {}, "Before a witness"),
          witness.place,
        ),
      ],
      button: "Record the count",
      right: "count_money",
      who: "a cashier",
      witness,
      send: (error) => {
        const counted = cents_text(amount.value);
        const lacks_notice = is_box() && notice.value.trim() === "";
        if (counted === null || lacks_notice) {
          say(error, counted === null ? "The amount, as 312.00." : "Who of compliance was told.");
          (counted === null ? amount : notice).focus();
          return null;
        }
        return {
          path: `/api/days/${report.day}/count`,
          body: {
            kind: kind.value,
            link: link.value,
            table: table.value === "" ? null : table.value,
            amount: counted,
            note: note.value.trim(),
            ...(is_box()
              ? { notice: notice.value.trim(), recording: recording.value.trim() }
              : {}),
          },
        };
      },
    });
  }

  // Of every meter, now; what the person saw on signs goes with it.
  reading(links) {
    const note = text_field("act_note");
    const seen = links.flatMap(({ link, levels }) =>
      levels.map(({ level }, at) => ({
        link,
        level,
        input: text_field(`act_seen_${link}_${at}`, { inputmode: "decimal" }),
      })),
    );
    this.ask({
      title: "Take a reading of every meter",
      about: element("p", { class: "quiet" }, "What you saw on a sign can go with it; none must."),
      fields: [
        seen.map(({ link, level, input }) =>
          field(input.id, `${link} ${level_words(level)}`.trim(), input),
        ),
        field("act_note", "Note", note),
      ],
      button: "Take the reading",
      right: "take_readings",
      who: "an accountant or a finance manager",
      send: (error) => {
        const typed = seen.filter(({ input }) => input.value.trim() !== "");
        const bad = typed.find(({ input }) => units(cents_text(input.value)) === null);
        if (bad) {
          say(error, `What was seen of ${bad.link} ${level_words(bad.level)}, as 312.00.`);
          bad.input.focus();
          return null;
        }
        const told = typed.map(({ link, level, input }) => ({
          link,
          level,
          amount: cents_text(input.value),
        }));
        return { path: "/api/readings", body: { note: note.value.trim(), seen: told } };
      },
    });
  }
}
