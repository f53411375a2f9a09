// Floor status: what does not work, in words: suspended links, lost and frozen tables, blocked
// rounds, failed signs. What works is counted in one line. Its buttons open the acts on links and
// tables.
import { open_act } from "./act_dialog.js";
import { names_field, nodes_field, radio_field, text_field } from "./act_fields.js";
import { box, dialog_button, element, paragraph, set_text, strong } from "./element.js";
import { age_text, count_of, listed, time_of } from "./words.js";

const line = (kind, name, text) =>
  element("li", { class: `standing ${kind}` }, strong(name), ` ${text}`);

const NOTICES = [
  ["true", "Show “Pending adjustment” on the signs", { is_chosen: true }],
  ["false", "Remove it from the signs"],
];
const ABSENT = [
  ["never_seen", "never connected"],
  ["not_seen", "not connected since the controller started"],
];
const frozen_words = ({ by, why }) =>
  `is frozen by ${by ?? "the controller"}: ${why}; it takes no new round`;

// What tables wait for, with its key: for the list (text), and to be announced (news).
const calls_of = ({ table, blocked_rounds, calls_floor }) => [
  ...(calls_floor
    ? [[`${table} calls`, table, "calls the floor", `${table} calls the floor.`]]
    : []),
  ...(blocked_rounds ?? []).map((round) => [
    `${table} ${round}`,
    table,
    `round ${round} is blocked: the chip count is wrong`,
    `${table}: the chip count of round ${round} is wrong.`,
  ]),
];

export class FloorStatus {
  // correction: the dialog that corrects hands.
  constructor(session, place, dialog, correction) {
    Object.assign(this, { session, place, dialog, correction });
    this.list = element("ul", { class: "standings" });
    this.fine = paragraph("quiet small");
    const act = (label, show_it) => dialog_button(label, () => show_it(), "plain");
    this.place.replaceChildren(
      element("h2", {}, "The floor"),
      this.list,
      this.fine,
      box(
        "buttons",
        act("Suspend a link…", () => this.ask_suspension()),
        act("Freeze a table…", () => this.ask_freeze()),
        act("Pending adjustment…", () => this.ask_notice()),
        act("Correct a hand…", () => this.correction.open(this.tables)),
      ),
    );
    this.links = [];
    this.tables = [];
    this.shown = "";
    this.calling = null; // calls of tables in the last event; null before the first event
  }

  // The calls are new again for the next person who signs in.
  forget() {
    this.calling = null;
  }

  // The calls that are new since the last event, in words, and whether any table waits.
  take_calls(tables) {
    const now = new Map(tables.flatMap(calls_of).map(([key, , , news]) => [key, news]));
    const fresh = [...now].filter(([key]) => !this.calling?.has(key));
    this.calling = new Set(now.keys());
    return { fresh: fresh.map(([, words]) => words), are_waiting: now.size > 0 };
  }

  received({ links, tables, signs }) {
    this.links = links;
    this.tables = tables.map(({ table }) => table);
    // Tables that wait for a person come first.
    const rows = tables.flatMap(calls_of).map(([, table, text]) => ["bad", table, text]);
    for (const { link, status, reason, pending_adjustment, collecting, discontinued } of links) {
      if (discontinued) rows.push(["warn", link, "has ended"]);
      else if (collecting === false) rows.push(["warn", link, "takes no more wagers"]);
      if (status !== "operating")
        rows.push(["bad", link, `suspended${reason ? `: ${reason}` : ""}`]);
      if (pending_adjustment) rows.push(["warn", link, "the signs show “Pending adjustment”"]);
    }
    for (const { table, state, since, frozen } of tables) {
      if (frozen) rows.push(["bad", table, frozen_words(frozen)]);
      if (state === "lost") rows.push(["bad", table, `not connected since ${time_of(since)}`]);
    }
    for (const [state, text] of ABSENT) {
      const absent = tables.filter((one) => one.state === state).map(({ table }) => table);
      if (absent.length > 0) rows.push(["warn", listed(absent), text]);
    }
    for (const { sign, link, error, age_ms } of signs.filter(({ state }) => state !== "ok")) {
      const text = `${link}: ${error ?? "failed"}, ${age_text(age_ms ?? 0)} ago`;
      rows.push(["warn", `Sign ${sign}`, text]);
    }
    const key = JSON.stringify(rows.map((row) => row.slice(0, row[1].startsWith("Sign") ? 2 : 3)));
    if (key !== this.shown) {
      this.shown = key;
      this.list.replaceChildren(...rows.map((row) => line(...row)));
    }
    const linked = tables.filter(({ state }) => state === "linked").length;
    const operating = links.filter(({ status }) => status === "operating").length;
    const shown = signs.filter(({ state }) => state === "ok").length;
    const of = (part, all, noun) =>
      part === all ? count_of(all, noun) : `${part} of ${count_of(all, noun)}`;
    set_text(
      this.fine,
      `${of(linked, tables.length, "table")} connected · ` +
        `${of(operating, links.length, "link")} operating` +
        (signs.length > 0 ? ` · ${of(shown, signs.length, "sign")} updated` : ""),
    );
  }

  ask(spec) {
    open_act(this.dialog, this.session, spec);
  }

  ask_suspension() {
    this.ask_with_reason({
      title: "Suspend a link",
      button: "Suspend",
      label: "Link",
      names: this.links.map(({ link }) => link),
      about: "The link takes no more wagers at any table. Two managers resume it.",
      why: "Reason (the sign shows it)",
      path: (link) => `/api/links/${encodeURIComponent(link)}/suspend`,
    });
  }

  ask_freeze() {
    this.ask_with_reason({
      title: "Freeze a table",
      button: "Freeze",
      label: "Table",
      names: this.tables,
      about: "The table takes no new round. Open rounds go on. Two managers unfreeze it.",
      why: "Reason (the table's panel shows it)",
      signer: { right: "freeze_tables", who: "an engineer, manager or floorperson" },
      path: (table) => `/api/tables/${encodeURIComponent(table)}/freeze`,
    });
  }

  // An act that one person does at once, with a reason.
  ask_with_reason({ label, names, about, why, path, ...spec }) {
    this.ask({
      ...spec,
      kind: "danger",
      fields: [
        names_field("name", label, names),
        nodes_field(paragraph("quiet", about)),
        text_field("note", why, "Enter the reason."),
      ],
      path: ({ name }) => path(name),
      body: ({ note }) => ({ note }),
    });
  }

  ask_notice() {
    this.ask({
      title: "Pending adjustment",
      button: "Sign",
      fields: [
        names_field(
          "link",
          "Link",
          this.links.map(({ link }) => link),
        ),
        radio_field("posted", "Notice", NOTICES, { is_label_hidden: true }),
      ],
      path: ({ link }) => `/api/links/${encodeURIComponent(link)}/notice`,
      body: ({ posted }) => ({ posted: posted === "true" }),
    });
  }
}
