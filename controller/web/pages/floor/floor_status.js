// Floor status: what does not run as it should, in words: suspended links, lost tables, blocked
// rounds, signs that show nothing. What runs is one line.
import { by_id, element, say } from "./element.js";
import { Signature } from "./signature.js";
import { age_text, count_of, listed, time_of } from "./words.js";

const NOTE_LENGTH_MAX = 200;

const line = (kind, name, text) =>
  element("li", { class: `standing ${kind}` }, element("strong", {}, name), ` ${text}`);

const frozen_words = ({ by, why }) =>
  `is frozen by ${by ?? "the controller"}: ${why}; it takes no new round`;

export class FloorStatus {
  // `correction`: opens for the names of tables.
  constructor(session, place, dialog, correction) {
    Object.assign(this, { session, place, dialog, correction });
    this.list = element("ul", { class: "standings" });
    this.fine = element("p", { class: "quiet small" });
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
    this.calling = null; // tables that wait for somebody, as told last; null before that
  }

  // Whoever signs in next is told anew.
  forget() {
    this.calling = null;
  }

  // Tables that wait for somebody since the last event, in words; and whether any does.
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

  heard({ links, tables, signs }) {
    this.links = links;
    this.tables = tables.map(({ table }) => table);
    const rows = [];
    // First who waits for somebody to come.
    for (const { table, blocked_rounds, calls_floor } of tables) {
      if (calls_floor) rows.push(["bad", table, "calls the floor"]);
      for (const round of blocked_rounds ?? []) {
        rows.push(["bad", table, `round ${round} is blocked: the chip count is wrong`]);
      }
    }
    for (const told of links) {
      const { link, status, reason, pending_adjustment } = told;
      if (told.discontinued) rows.push(["warn", link, "has ended"]);
      else if (told.collecting === false) rows.push(["warn", link, "takes no more wagers"]);
      if (status !== "operating")
        rows.push(["bad", link, `suspended${reason ? `: ${reason}` : ""}`]);
      if (pending_adjustment) rows.push(["warn", link, "pending adjustment is posted"]);
    }
    for (const { table, state, since, frozen } of tables) {
      if (frozen) rows.push(["bad", table, frozen_words(frozen)]);
      if (state === "lost") rows.push(["bad", table, `lost since ${time_of(since)}`]);
    }
    const unseen = tables.filter(({ state }) => state === "never_seen").map(({ table }) => table);
    if (unseen.length > 0) rows.push(["warn", listed(unseen), "never seen"]);
    const absent = tables.filter(({ state }) => state === "not_seen").map(({ table }) => table);
    if (absent.length > 0) rows.push(["warn", listed(absent), "not seen since the start"]);
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
    say(
      this.fine,
      `${of(linked, tables.length, "table")} linked · ` +
        `${of(operating, links.length, "link")} operating` +
        (signs.length > 0 ? ` · ${of(shown, signs.length, "sign")} fed` : ""),
    );
  }

  // A dialog with a choice, one more field, and who signs. `label`, `names`: of what is chosen.
  // `right`, `who`: whoever lacks the right is asked for the badge of somebody who has it.
  ask({ title, button, kind, label, names, field, right, who = "", send }) {
    const signature = new Signature(this.session, {
      by_another: right !== undefined && !this.session.has(right),
      who,
    });
    const choice = element(
      "select",
      { id: "act_choice" },
      names.map((name) => element("option", { value: name }, name)),
    );
    const error = element("p", { class: "error", role: "alert" });
    const submit = async (event) => {
      event.preventDefault();
      const asked = send(choice.value, error);
      const signed = asked && signature.take();
      if (!signed) return;
      event.submitter.disabled = true;
      const answer = await this.session.post(asked.path, { ...asked.body, ...signed });
      event.submitter.disabled = false;
      if (answer.ok) this.dialog.close();
      else say(error, answer.body.message);
    };
    this.dialog.replaceChildren(
      element(
        "form",
        { class: "act_form", on_submit: submit, novalidate: true },
        element("h2", { id: "link_act_title" }, title),
        element("label", { for: "act_choice" }, label),
        choice,
        field,
        signature.place,
        element(
          "div",
          { class: "buttons" },
          element("button", { type: "submit", class: kind }, button),
          element(
            "button",
            { type: "button", class: "plain", on_click: () => this.dialog.close() },
            "Cancel",
          ),
        ),
        error,
      ),
    );
    this.dialog.onclose = () => this.dialog.replaceChildren(); // no PIN stays in what nobody sees
    this.dialog.showModal();
  }

  ask_suspension() {
    this.ask_with_reason({
      title: "Suspend a link",
      button: "Suspend",
      label: "Link",
      names: this.links.map(({ link }) => link),
      words: "It takes no more wagers at any table. Two managers resume it.",
      why: "Why (the sign says it too)",
      path: (link) => `/api/links/${encodeURIComponent(link)}/suspend`,
    });
  }

  ask_freeze() {
    this.ask_with_reason({
      title: "Freeze a table",
      button: "Freeze",
      label: "Table",
      names: this.tables,
      words:
        "It takes no new round from now on; rounds that are open go on. Two managers unfreeze it.",
      why: "Why (the table's panel says it too)",
      right: "freeze_tables",
      who: "engineer, manager or floorperson",
      path: (table) => `/api/tables/${encodeURIComponent(table)}/freeze`,
    });
  }

  // What one person stops at once, and why.
  ask_with_reason({ words, why, path, ...asked }) {
    const note = element("input", { id: "act_note", type: "text", maxlength: NOTE_LENGTH_MAX });
    this.ask({
      ...asked,
      kind: "danger",
      field: [
        element("p", { class: "quiet" }, words),
        element("label", { for: "act_note" }, why),
        note,
      ],
      send: (name, error) => {
        if (note.value.trim() === "") {
          say(error, "Say why.");
          note.focus();
          return null;
        }
        return { path: path(name), body: { note: note.value.trim() } };
      },
    });
  }

  ask_notice() {
    const choices = [
      ["true", "Post “pending adjustment” on the signs"],
      ["false", "Take it down"],
    ].map(([value, text], at) =>
      element(
        "label",
        { class: "choice" },
        element("input", { type: "radio", name: "posted", value, checked: at === 0 }),
        text,
      ),
    );
    const field = element(
      "fieldset",
      {},
      element("legend", { class: "unseen" }, "Notice"),
      choices,
    );
    this.ask({
      title: "Pending adjustment",
      button: "Sign",
      kind: "main",
      label: "Link",
      names: this.links.map(({ link }) => link),
      field,
      send: (link) => ({
        path: `/api/links/${encodeURIComponent(link)}/notice`,
        body: { posted: field.querySelector("input:checked").value === "true" },
      }),
    });
  }
}

export const dialogs_are_open = () =>
  ["keys", "link_act", "hand_act"].some((id) => by_id(id).open);
