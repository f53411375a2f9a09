// Day acts: what people record about a gaming day, as dialogs: an explanation, a count before a
// witness, a reading. A dialog is a list of fields and the request that they make (act_dialog.js).
import { open_act } from "./act_dialog.js";
import {
  amount_field,
  area_field,
  names_field,
  number_field,
  same_words,
  select_field,
  text_field,
} from "./act_fields.js";
import { paragraph, strong } from "./element.js";
import { difference_words, kind_words, place_of } from "./day_items.js";
import { COUNT_CHOICES } from "./day_records.js";
import { level_words } from "./words.js";

const about = (...words) => paragraph("quiet", words);
const is_shown = ({ kind }) => kind === "poker_box";

export class DayActs {
  // done(text): an act was done; the page has to be read again.
  constructor(session, dialog, done) {
    Object.assign(this, { session, dialog, done });
  }

  ask(spec) {
    open_act(this.dialog, this.session, { ...spec, done: ({ body }) => this.done(body.text) });
  }

  // Explains exactly the difference on the screen.
  explain(day, item) {
    const difference = strong(difference_words(item.difference));
    const cause = "Cause of the difference, or how it was corrected";
    const entry = "Number of the entry that corrects it (if there is one)";
    this.ask({
      title: kind_words(item.kind),
      about: paragraph("act_about", difference, ` ${place_of(item)}`),
      fields: [
        area_field("note", cause, "Enter an explanation.", { rows: 3 }),
        number_field("corrected_by", entry, "", { wrong: "Enter the number of an entry." }),
      ],
      button: "Explain",
      signer: { right: "reconcile", who: "an accountant" },
      path: `/api/days/${day}/explain`,
      body: ({ note, corrected_by }) => ({
        item: item.item,
        difference: item.difference,
        note,
        ...(corrected_by === null ? {} : { corrected_by }),
      }),
    });
  }

  count(report) {
    const tables_of = (name) => report.links.find(({ link }) => link === name)?.tables ?? [];
    const tables = ({ link }) => [
      ["", "no table: the whole room"],
      ...same_words(tables_of(link).map(({ table }) => table)),
    ];
    this.ask({
      title: `Record a count for ${report.day}`,
      about: about("One person counts, and another person watches."),
      fields: [
        select_field("kind", "What was counted", COUNT_CHOICES),
        names_field(
          "link",
          "Link",
          report.links.map(({ link }) => link),
        ),
        select_field("table", "Table", tables),
        amount_field(
          "amount",
          "Amount in dollars and cents",
          "Enter the amount, for example 312.00.",
        ),
        text_field(
          "notice",
          "Compliance representative who was notified, and when",
          "Enter who in compliance was notified.",
          { is_shown },
        ),
        text_field("recording", "Surveillance record (if the table was closed)", "", { is_shown }),
        text_field("note", "Note"),
      ],
      button: "Record the count",
      signer: { right: "count_money", who: "a cashier" },
      witness: "the witness",
      path: `/api/days/${report.day}/count`,
    });
  }

  // A reading of every meter now, with what the person saw on the signs.
  reading(links) {
    const seen = links.flatMap(({ link, levels }) =>
      levels.map(({ level }, at) => ({ link, level, key: `seen_${link}_${at}` })),
    );
    const seen_field = ({ link, level, key }) => {
      const label = `${link} ${level_words(level)}`.trim();
      const wrong = `Enter the amount for ${label}, for example 312.00.`;
      return amount_field(key, label, "", { wrong });
    };
    this.ask({
      title: "Take a reading of every meter",
      about: about("You can add what you saw on the signs. It is not required."),
      fields: [...seen.map(seen_field), text_field("note", "Note")],
      button: "Take the reading",
      signer: { right: "take_readings", who: "an accountant or a finance manager" },
      path: "/api/readings",
      body: (values) => ({
        note: values.note,
        seen: seen
          .map(({ link, level, key }) => ({ link, level, amount: values[key] }))
          .filter(({ amount }) => amount !== null),
      }),
    });
  }
}
