// Floor status: what does not work, in words: suspended links, lost and frozen tables, blocked
// rounds, failed signs. What works is counted in one line. Its buttons open the acts on links and
// tables.
import { open_act } from "./act_dialog.js";
import { same_words } from "./act_fields.js";
import { by_id, element, paragraph, set_text } from "./element.js";
import { age_text, count_of, listed, time_of } from "./words.js";

const line = (kind, name, text) =>
  element("li", { class: `standing ${kind}` }, element("strong", {}, name), ` ${text}`);

const frozen_words = ({ by, why }) =>
  `is frozen by ${by ?? "the controller"}: ${why}; it takes no new round`;

export class FloorStatus {
  // correction: the dialog that corrects hands.
  constructor(session, place, dialog, correction) {
    Object.assign(this, { session, place, dialog, correction });
    this.list = element("ul", { class: "standings" });
    this.fine = paragraph("quiet small");
    const act = (label, show_it) =>
      element(
        "button",
        { type: "button", class: "plain", "aria-haspopup": "dialog", on_click: () => show_it() },
        label,
      );
    this.place.replaceChildren(
      element("h2", {}, "The floor"),
      this.list,
      this.fine,
      element(
        "div",
        { class: "buttons" },
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
    const now = new Map();
    for (const { table, blocked_rounds, calls_floor } of tables) {
      if (calls_floor) now.set(`${table} calls`, `${table} calls the floor.`);
      for (const round of blocked_rounds ?? []) {
        now.set(`${table} ${round}`, `${table}: the chip count of round ${round} is wrong.`);
      }
    }
    const fresh = [...now].filter(([key]) => this.calling === null || !this.calling.has(key));
    this.calling = new Set(now.keys());
    return { fresh: fresh.map(([, words]) => words), are_waiting: now.size > 0 };
  }

  received({ links, tables, signs }) {
    this.links = links;
    this.tables = tables.map(({ table }) => table);
    const rows = [];
    // Tables that wait for a person come first.
    for (const { table, blocked_rounds, calls_floor } of tables) {
      if (calls_floor) rows.push(["bad", table, "calls the floor"]);
      for (const round of blocked_rounds ?? []) {
        rows.push(["bad", table, `round ${round} is blocked: the chip count is wrong`]);
      }
    }
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
    const unseen = tables.filter(({ state }) => state === "never_seen").map(({ table }) => table);
    if (unseen.length > 0) rows.push(["warn", listed(unseen), "never connected"]);
    const absent = tables.filter(({ state }) => state === "not_seen").map(({ table }) => table);
    if (absent.length > 0)
      rows.push(["warn", listed(absent), "not connected since the controller started"]);
    for (const { sign, link, state, error, age_ms } of signs) {
      if (state !== "ok") {
        rows.push([
          "warn",
          `Sign ${sign}`,
          `${link}: ${error ?? "failed"}, ${age_text(age_ms ?? 0)} ago`,
        ]);
      }
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
        { key: "name", kind: "select", label, options: same_words(names) },
        { kind: "nodes", nodes: paragraph("quiet", about) },
        { key: "note", kind: "text", label: why, need: "Enter the reason." },
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
        {
          key: "link",
          kind: "select",
          label: "Link",
          options: same_words(this.links.map(({ link }) => link)),
        },
        {
          key: "posted",
          kind: "radio",
          label: "Notice",
          is_label_hidden: true,
          options: [
            ["true", "Show “Pending adjustment” on the signs", { is_chosen: true }],
            ["false", "Remove it from the signs"],
          ],
        },
      ],
      path: ({ link }) => `/api/links/${encodeURIComponent(link)}/notice`,
      body: ({ posted }) => ({ posted: posted === "true" }),
    });
  }
}

export const dialogs_are_open = () => ["keys", "link_act", "hand_act"].some((id) => by_id(id).open);
