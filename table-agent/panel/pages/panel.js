// The dealer panel: the state of the table and the dealer's next action, driven by the pictures
// that the table's agent sends (table-agent/panel/README.md). Laws: this page decides nothing.
// Every button follows the last picture, and an old picture disables all of them. One touch is one
// action with an id. A repeat after a lost answer keeps the id until the next picture arrives.
import { box, button, by_id, element, remembered, set_text, show, strong } from "./element.js";
import { Freshness, Live } from "./live.js";
import { Chime } from "./chime.js";
import { Entry } from "./panel_entry.js";
import { Pot, pot_task, pot_view } from "./panel_pot.js";
import { seats } from "./panel_seats.js";
import { aimed, show_task, show_view, targets_of } from "./panel_show.js";
import { ask_amount, ask_close, ask_resolve, ask_void } from "./panel_dialogs.js";
import { owed_view } from "./panel_owed.js";
import { Session, ask } from "./sign_in.js";
import { listed, sentence } from "./words.js";

const freshness = new Freshness();
let picture = null;
let live = null;
let counted = "";
const waiting = new Map();  // by action without an answer: its id
const written = new Map();  // by section: the data that it was made of
const entry = new Entry(() => draw());
const pot = new Pot();
const chime = new Chime(by_id("sound"));
let alarms = null; // alarms that were announced; null before the first picture

const session = new Session(by_id("door"), {
  title: "Dealer panel",
  signed_in: () => begin(),
  signed_out: () => end(),
});

function begin() {
  show(by_id("bar"), true);
  show(by_id("page"), true);
  set_text(by_id("door_words"), "");
  live?.close();
  live = new Live("/events/panel", "panel", {
    received: (data, age_ms) => {
      freshness.received(age_ms, data.maximum_age_ms);
      const was = picture;
      picture = data;
      waiting.clear(); // the picture shows what was done, so the next touch is a new action
      if (was?.mode !== data.mode || was?.round !== data.round) counted = "";
      if (data.pot === null) entry.of_round(data.round);
      else follow_pot(data);
      announce(data);
      draw();
    },
    ticked: () => draw_freshness(),
    refused: () => session.still_stands(),
  });
}

// A pot is finished when the controller has it. A refused pot stays, so that the dealer can correct
// it.
function follow_pot(data) {
  if (data.mode === "waiting" || data.round === pot.round) return;
  const is_known = pot.round !== undefined;
  pot.round = data.round;
  if (!is_known || data.refused.some(({ event }) => event === "pot")) return;
  entry.clear();
  pot.clear();
}

const refused_words = ({ event, words }) => `The controller refused the ${event}: ${words}.`;

// Announces what a dealer must not miss, with a sound and with words for screen readers.
function announce(data) {
  const now = new Map();
  if (["left_open", "blocked"].includes(data.mode)) now.set(`${data.mode} ${data.round}`, data.mode_words);
  for (const claim of data.claims) now.set(`claim ${claim.claim} ${claim.words}`, `Claim ${claim.claim}, seat ${claim.seat}: ${claim.words}.`);
  for (const { seat, hand, correction } of data.seats) {
    if (correction === null) continue;
    now.set(`${correction.state} ${data.round} ${seat} ${hand?.cards ?? ""}`, `Seat ${seat}: ${correction.words}.`);
  }
  for (const award of data.awards) if (award.claim !== null) now.set(`award ${award.claim}`, `${award.words}.`);
  for (const one of data.refused) now.set(`refused ${one.event} ${data.round}`, refused_words(one));
  const fresh = alarms === null ? [] : [...now].filter(([key]) => !alarms.has(key));
  alarms = new Set(now.keys());
  if (fresh.length === 0) return;
  set_text(by_id("announce"), fresh.map(([, words]) => words).join(" "));
  chime.play();
}

function end() {
  live?.close();
  live = null;
  alarms = null;
  set_text(by_id("announce"), "");
  pot.clear();
  pot.dealt.clear();
  pot.round = undefined;
  picture = null;
  entry.clear();
  freshness.forget();
  written.clear();
  show(by_id("bar"), false);
  show(by_id("page"), false);
  greet();
}

const is_live = () => freshness.is_live();

// An id for the action. It stays the same while it is unknown whether the action was done.
function id_of(words) {
  if (!waiting.has(words)) {
    const bytes = crypto.getRandomValues(new Uint8Array(12));
    waiting.set(words, [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join(""));
  }
  return waiting.get(words);
}

// Sends an action and returns the answer.
async function send_touch(touch, signature = {}) {
  const words = JSON.stringify(touch);
  document.body.setAttribute("aria-busy", "true");
  const answer = await session.post("/api/touch", { ...signature, touch: { ...touch, id: id_of(words) } });
  document.body.removeAttribute("aria-busy");
  if (answer.status !== 0) waiting.delete(words);
  return answer;
}

// Sends an action and shows a refusal. Returns whether it was done.
async function act(touch) {
  const answer = await send_touch(touch);
  set_text(by_id("error"), answer.ok ? "" : answer.body.message);
  return answer.ok;
}

// Makes a section again if its data changed. The focus and what was typed stay.
function section(id, made_of, make) {
  const key = JSON.stringify(made_of);
  if (written.get(id) === key) return;
  written.set(id, key);
  const focus = document.activeElement?.id;
  const caret = document.activeElement?.selectionStart;
  const typed = by_id("scan")?.value;
  by_id(id).replaceChildren(...[make()].flat(9).filter((node) => node));
  if (focus && document.activeElement?.id !== focus) {
    by_id(focus)?.focus({ preventScroll: true });
    if (typeof caret === "number") by_id(focus)?.setSelectionRange?.(caret, caret);
  }
  if (id === "work" && typed && by_id("scan")) by_id("scan").value = typed;
}

// The button for something that may be done now; if not, it says why.
function doing_button(doing, words, on_click, { name = "main big", id = doing } = {}) {
  const may = picture.may[doing];
  const is_off = !may.may || !is_live();
  return [
    button(words, on_click, { id, class: name, disabled: is_off, "aria-describedby": `${id}_why` }),
    element("p", { class: "why", id: `${id}_why` }, is_off ? sentence(may.words ?? "Not connected.") : ""),
  ];
}
const void_button = (words, options) => doing_button("void", words, () => ask_void(session, picture, send_touch), options);

// One key of the chip count: a digit, or "back".
function count_key(key) {
  counted = key === "back" ? counted.slice(0, -1) : (counted + key).replace(/^0(?=\d)/, "").slice(0, 4);
  draw();
}

function count_view() {
  const send = () => act({ do: "count", round: picture.round, chips: Number(counted) });
  const words = counted === "" ? "Enter the count" : `${counted} ${counted === "1" ? "chip" : "chips"}`;
  return box("count",
    element("div", {},
      element("p", { class: "counted", "aria-live": "polite", id: "counted" }, counted === "" ? "–" : counted),
      button(words, send, { id: "count", class: "main big", disabled: counted === "" || !is_live() })),
    element("div", { class: "keys", role: "group", "aria-label": "Chips counted" }, [..."789456123", "back", "0"].map((key) =>
      button(key === "back" ? "⌫" : key, () => count_key(key), { id: `key_${key}`, "aria-label": key === "back" ? "Back" : key }))));
}

function blocked_view() {
  const number = (words, count) => element("p", {}, words, strong(String(count ?? "–")));
  return [
    box("differs", number("Counted by the dealer", picture.count.chips), number("Expected by the system", picture.count.expected)),
    doing_button("resolve", "A floorperson resolves the count", () => ask_resolve(session, picture, send_touch)),
  ];
}

// A round that the agent does not remember: its state, and the choices.
function left_open_view() {
  const { since_ms, count_differs, more } = picture.left_open;
  const shown = picture.seats.filter(({ hand }) => hand !== null).map(({ seat }) => `seat ${seat}`);
  const facts = [
    `Round ${picture.round}${since_ms === null ? "" : `, locked at ${new Date(since_ms).toLocaleString()}`}.`,
    count_differs ? "Its chip count does not match. A floorperson resolves it, or the round is voided."
      : shown.length > 0 ? `Shown: ${listed(shown)}.` : "No hand was shown.",
    more > 0 ? `${more} more ${more === 1 ? "round waits" : "rounds wait"} after it.` : "",
  ];
  return [
    facts.filter((words) => words !== "").map((words) => element("p", {}, words)),
    doing_button("go_on", "Continue this round", () => act({ do: "go_on", round: picture.round })),
    void_button("Void this round", { name: "danger big" }),
  ];
}

function work_view() {
  if (picture.only_shows) return [];
  switch (picture.mode) {
    case "open":
      return doing_button("close_bets", "No more bets", () => act({ do: "close_bets", round: picture.round }));
    case "counting":
      return picture.may.count.may ? count_view()
        : void_button("Give the wagers back", { name: "danger big", id: "give_back" });
    case "pot": return pot_view(picture, entry, pot, act, is_live());
    case "left_open": return left_open_view();
    case "blocked": return blocked_view();
    case "round": return show_view(picture, entry, act, is_live());
    case "idle":
    case "locked":
      if (picture.pot !== null) return [];
      return doing_button("open_bets", "Open the bets", () => act({ do: "open_bets" }));
    default: return [];
  }
}

const is_all_shown = () => picture.order.length === 0 && !picture.dealer.to_show;

function acts_view() {
  const is_on = ["round", "blocked", "refused", "waiting", "ending"].includes(picture.mode);
  if (!is_on || picture.only_shows || picture.pot !== null) return [];
  return [
    box("act", doing_button("close", "Close the round", () => ask_close(session, picture, send_touch, act), { name: is_all_shown() ? "main" : "" })),
    box("act", void_button("Void the round", { name: "danger" })),
  ];
}

const place = async (seat, way) => {
  const amount = way.amount ?? await ask_amount(session, seat, way);
  if (amount === null) return;
  act({ do: "place", round: picture.round, seat, wager: way.wager, amount, on: way.on });
};
const remove = (seat, way) => act({ do: "remove", round: picture.round, seat, wager: way.wager, on: way.on });

function draw() {
  if (picture === null) return;
  const target = picture.mode === "round" && picture.may.show.may ? aimed(targets_of(picture, entry), entry)?.key : null;
  set_text(by_id("table"), picture.table);
  set_text(by_id("game"), `${picture.game.title} · ${picture.house}`);
  set_text(by_id("mode"), picture.mode.replace("_", " "));
  by_id("mode").dataset.mode = picture.mode;
  set_text(by_id("words"), picture.mode_words);
  by_id("floor").setAttribute("aria-pressed", String(picture.calls_floor));
  set_text(by_id("floor"), picture.calls_floor ? "Floor called" : "Call the floor");
  by_id("seats").style.setProperty("--seat_count", picture.seats.length);
  document.title = `${picture.table} ${picture.mode} · dealer panel`;
  const drafts = [...entry.drafts, entry.target, entry.rank, entry.error, entry.lucky, [...entry.kept], [...entry.passed], [...entry.keyed],
    pot.amount, pot.is_showdown, [...pot.dealt], [...pot.folded], [...pot.won]];
  section("lockouts", [picture.connection.suspended, picture.refused], () => [
    ...picture.connection.suspended.map((one) => element("li", {}, `${one.link} takes no wagers: ${one.reason}`)),
    ...picture.refused.map((one) => element("li", {}, refused_words(one))),
  ]);
  show(by_id("seats"), picture.pot === null);
  section("seats", [picture.seats, picture.mode, picture.sensors_are_there, is_live(), target], () =>
    seats(picture, { may: picture.may.place.may && is_live(), place, remove, target }));
  section("work", [picture.mode, picture.round, picture.may, picture.seats, picture.dealer, picture.board, picture.draw,
    picture.order, picture.count, picture.left_open, is_live(), counted, drafts], work_view);
  section("owed", [picture.awards, picture.envy, picture.claims, picture.take_back], () => owed_view(picture));
  follow_aim();
  section("acts", [picture.mode, picture.may, picture.order, picture.dealer, is_live()], acts_view);
  draw_freshness();
}

// When the target changes, the focus of a keyboard user moves with it.
let drawn_target = null;
function follow_aim() {
  if (entry.target === drawn_target) return;
  drawn_target = entry.target;
  if (drawn_target === null || !document.activeElement?.id.startsWith("target_")) return;
  by_id(`target_${drawn_target.replace(" ", "_")}`)?.focus({ preventScroll: true });
}

let was_live = null;
function draw_freshness() {
  if (session.person === null) return;
  const fresh = is_live();
  const stale = by_id("stale");
  show(stale, !fresh);
  if (!fresh) set_text(stale, picture === null ? "Waiting for the table…" : "No data from the table. What you see may be old, and the buttons are off.");
  if (picture !== null) {
    const { words, controller, unacknowledged } = picture.connection;
    const parts = [session.person.name, ...(fresh ? [words, controller] : ["not connected"])];
    if (unacknowledged > 0) parts.push(`${unacknowledged} not acknowledged yet`);
    set_text(by_id("link"), parts.filter((part) => part).join(" · "));
  }
  if (fresh === was_live) return;
  was_live = fresh;
  draw();
}

// Buttons on which Enter means "send the entered hand", because a press would change nothing.
const is_aimed = (button) => button.id.startsWith("card_") || (button.id.startsWith("target_") && button.ariaPressed === "true");

// What is entered now; null if no cards are entered.
function task_now() {
  if (picture.mode === "round" && picture.may.show.may) return show_task(picture, entry, act);
  return picture.mode === "pot" && picture.may.pot.may ? pot_task(picture, entry, pot, act) : null;
}

// Handles a key that is typed outside of fields; returns whether it was used.
function press(key, on_button) {
  if (picture.mode === "counting") {
    if (/^\d$/.test(key)) count_key(key);
    else if (key === "Backspace") count_key("back");
    else if (key === "Enter" && counted !== "" && !on_button) by_id("count")?.click();
    else return false;
    return true;
  }
  const task = task_now();
  if (task === null || task.target === null) return false;
  if (key !== "Enter" || on_button) return entry.key(key, task.rules);
  task.enter();
  return true;
}

document.addEventListener("keydown", (event) => {
  if (picture === null || by_id("dialog").open || event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement || !is_live()) return;
  if (press(event.key, event.target instanceof HTMLButtonElement && !is_aimed(event.target))) event.preventDefault();
});

by_id("floor").addEventListener("click", () => act({ do: "call_floor", calls: !(picture?.calls_floor ?? false) }));
by_id("leave").addEventListener("click", () => session.sign_out());

// Before sign-in: shows which table this is, and whether sign-in is possible.
async function greet() {
  const answer = await ask("/api/table");
  if (session.person !== null) return;
  const { table, game, words } = answer.body;
  if (!answer.ok || table === undefined) {
    set_text(by_id("door_words"), "The table's computer was not reached.");
    return;
  }
  document.title = `${table} · dealer panel`;
  set_text(by_id("door_words"), `Table ${table}, ${game}: ${words}.`);
}

const theme = remembered("theme");
if (theme !== null) document.documentElement.dataset.theme = theme;
greet();
session.begin();
