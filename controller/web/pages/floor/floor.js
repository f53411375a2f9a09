// The floor console: the list of claims by age, the open claim, the state of the floor, keys. Laws:
// the list is what the controller last sent, and the page says so when it is old. The open claim is
// read again when the list shows that it changed. Nothing here decides anything.
import {
  anchor,
  button,
  by_id,
  element,
  error_line,
  set_current,
  set_text,
  show,
  span,
} from "./element.js";
import { Chime } from "./chime.js";
import { ClaimActs, need_words } from "./claim_acts.js";
import { claim_nodes, flag_words, where } from "./claim_view.js";
import { FloorStatus } from "./floor_status.js";
import { HandCorrection } from "./hand_correction.js";
import { Freshness, Live } from "./live.js";
import { bind_page_setting } from "./setting.js";
import { Session, ask } from "./sign_in.js";
import {
  age_text,
  count_of,
  dollars,
  dotted,
  level_words,
  lower_words,
  number_text,
  sentence,
  words,
} from "./words.js";

const ROWS_STEP = 100;
const FILTER_FROM = 10; // with so many claims the filter by table is shown
const SOON_MS = 60_000; // a claim that waits longer has another colour
const LATE_MS = 180_000;
const REMIND_MS = 60_000;
const freshness = new Freshness();
const place = by_id("claim");
const chime = new Chime(by_id("sound"));
const session = new Session(by_id("sign_in"), {
  title: "Floor",
  signed_in: begin,
  signed_out: end,
});
const correction = new HandCorrection(session, by_id("hand_act"), (text) =>
  set_text(by_id("announce"), text),
);
const status = new FloorStatus(session, by_id("status"), by_id("link_act"), correction);

let live = null;
let floor = null; // the last event
let rows = new Map(); // by claim: {item, parts, age_ms}
let known = null; // claims that were announced; null before the first event
let opened = null; // {number, seen: its state in the list, claim, acts}
let reminded_at = Date.now();
let rows_max = ROWS_STEP;

// --- the list ---

function new_row(number) {
  const parts = {
    amount: span("row_amount amount"),
    age: span("row_age"),
    line: span("row_line"),
    place: span("row_place"),
    need: span("chip"),
    flags: span("row_flags"),
  };
  const { amount, age, line, place, need, flags } = parts;
  const open = () => {
    location.hash = `#${number}`;
  };
  const content = [amount, age, line, place, span("row_chips", need, flags)];
  const row = button(content, open, { class: "row", "data-claim": number });
  return { item: element("li", {}, row), button: row, parts };
}

function write_row(row, claim) {
  set_text(row.parts.amount, dollars(claim.amount));
  set_text(row.parts.line, dotted(words(claim.line), level_words(claim.level).toLowerCase()));
  const holder = claim.holder ?? null;
  const envy = holder === null ? "" : `, Envy for the hand of seat ${holder}`;
  set_text(row.parts.place, `${claim.table} seat ${claim.seat}${envy}`);
  set_text(row.parts.need, claim.needs ? need_words(claim.needs) : words(claim.state));
  row.parts.need.dataset.needs = claim.needs ?? claim.state;
  set_text(row.parts.flags, claim.flags.map(flag_words).join(" · "));
  row.age_ms = claim.age_ms;
}

// A claim keeps its nodes, so the focus stays where it is.
function write_list(list, claims) {
  claims.forEach((claim, at) => {
    const row = rows.get(claim.claim) ?? new_row(claim.claim);
    rows.set(claim.claim, row);
    write_row(row, claim);
    if (list.children[at] !== row.item) list.insertBefore(row.item, list.children[at] ?? null);
  });
  while (list.children.length > claims.length) list.lastChild.remove();
}

// The oldest claims first, of one table if the filter names it. "More" shows more of the newer
// ones.
function write_pending(claims) {
  const field = by_id("of_table"); // it stays while a person types in it
  const asked = field.value.trim().toUpperCase();
  const listed = claims.filter(({ table }) => table.toUpperCase().includes(asked));
  const more = listed.length - rows_max;
  write_list(by_id("claims"), listed.slice(0, rows_max));
  const is_asked = asked !== "" || document.activeElement === field;
  show(by_id("narrow"), claims.length >= FILTER_FROM || is_asked);
  show(by_id("none"), listed.length === 0);
  set_text(
    by_id("none"),
    asked === "" ? "No claim is pending." : "No claim of this table is pending.",
  );
  show(by_id("more"), more > 0);
  set_text(by_id("more"), more > 0 ? `Show more: ${number_text(more)} newer claims` : "");
}

function received(event, age_ms) {
  freshness.received(age_ms, event.maximum_age_ms);
  floor = event;
  const there = new Set([...event.claims, ...event.recent].map(({ claim }) => claim));
  rows = new Map([...rows].filter(([number]) => there.has(number)));
  const focused = document.activeElement;
  write_pending(event.claims);
  write_list(by_id("recent"), event.recent);
  if (focused !== document.activeElement && focused.isConnected) focused.focus();
  set_text(
    by_id("pending_title"),
    event.claims.length === 0 ? "Pending claims" : count_of(event.claims.length, "pending claim"),
  );
  const count = event.claims.length > 0 ? `(${event.claims.length}) ` : "";
  document.title = `${count}Floor · Linkmeter`;
  status.received(event);
  const calls = status.take_calls(event.tables);
  // Tables that call stand before the claims.
  const before = calls.are_waiting ? by_id("claims") : by_id("recent").parentNode;
  if (by_id("status").nextElementSibling !== before) before.before(by_id("status"));
  announce_new(event.claims, calls);
  follow_opened();
  look();
}

// Announces new claims and calls, with words and a sound. The sound repeats while one waits.
function announce_new(claims, calls) {
  const fresh = known === null ? [] : claims.filter(({ claim }) => !known.has(claim));
  known = new Set(claims.map(({ claim }) => claim));
  const news = fresh.map(
    (claim) =>
      `New claim ${claim.claim}: ${lower_words(claim.line)}, ${dollars(claim.amount)}, ` +
      `${where(claim)}.`,
  );
  news.push(...calls.fresh);
  if (news.length > 0) set_text(by_id("announce"), news.join(" "));
  const is_waiting = calls.are_waiting || claims.some(({ needs }) => needs === "validation");
  if (news.length === 0 && !(is_waiting && Date.now() - reminded_at > REMIND_MS)) return;
  chime.play();
  reminded_at = Date.now();
}

// Runs every 200 ms, because ages also grow while no event arrives.
function look() {
  if (floor === null) {
    set_text(by_id("freshness"), "Connecting");
    by_id("freshness").dataset.state = "lost";
    return;
  }
  const is_live = freshness.is_live();
  const passed = freshness.age_ms();
  by_id("freshness").dataset.state = is_live ? "live" : "lost";
  // Screen readers read the state when it changes, but not the seconds.
  set_text(by_id("freshness"), is_live ? "Live" : "Connection lost");
  set_text(by_id("how_old"), is_live ? "" : `this information is ${age_text(passed)} old`);
  by_id("console").classList.toggle("is_old", !is_live);
  for (const row of rows.values()) {
    const is_open = row.item.parentNode === by_id("claims");
    const age = row.age_ms + (is_open ? passed : 0);
    set_text(row.parts.age, is_open ? age_text(age) : "");
    const since = age > LATE_MS ? "late" : age > SOON_MS ? "soon" : "new";
    row.button.dataset.age = is_open ? since : "settled";
  }
}

// --- the open claim ---

const seen_of = (claim) =>
  claim && JSON.stringify([claim.state, claim.needs, claim.slip, claim.flags]);
const listed_claim = (number) =>
  [...(floor?.claims ?? []), ...(floor?.recent ?? [])].find(({ claim }) => claim === number);

function write_opened(claim) {
  const focused = document.activeElement;
  const signed = claim.signatures.slice(opened.claim?.signatures.length ?? Infinity).at(-1);
  opened.claim = claim;
  opened.acts.offer(claim, claim.needs);
  if (signed) opened.acts.announce(`${words(signed.as)} by ${signed.badge} ${signed.name ?? ""}.`);
  place.replaceChildren(
    button("‹ All claims", go_back, { class: "plain back" }),
    ...claim_nodes(claim, opened.acts.place),
  );
  if (opened.acts.place.contains(focused)) focused.focus({ preventScroll: true });
}

async function read_opened() {
  const { number } = opened;
  const answer = await ask(`/api/claims/${number}`);
  if (opened?.number !== number) return;
  if (answer.ok) {
    write_opened(answer.body);
    return;
  }
  opened.seen = null; // read again with the next event
  if (answer.status === 401) session.still_stands();
  else if (opened.claim === null) {
    place.replaceChildren(
      element("h2", { id: "claim_title", tabindex: -1 }, `Claim ${number}`),
      error_line(answer.body.message),
    );
  }
}

// The claim changed: by this screen (text), or by another person first (refusal).
async function changed(number, claim, text, refusal = "") {
  if (opened?.number !== number) return; // another claim was opened
  const signed = opened.claim?.signatures.length ?? 0;
  if (claim !== null) write_opened(claim);
  else await read_opened();
  if (opened?.number !== number) return;
  if (text) opened.acts.announce(sentence(text));
  if (refusal !== "") {
    const last = opened.claim?.signatures.at(-1);
    opened.acts.error.textContent =
      opened.claim?.signatures.length > signed && last.badge !== session.person?.badge
        ? `${refusal} ${last.badge} ${last.name ?? ""} acted first.`
        : refusal;
  }
  by_id("claim_title")?.focus({ preventScroll: true });
}

// Shows the place of the claim, or that no claim is open.
function show_opened(claim) {
  opened = claim;
  show(place, claim !== null);
  show(by_id("nothing_open"), claim === null);
  by_id("console").classList.toggle("has_open", claim !== null);
  mark_opened();
}

async function open_claim(number) {
  const acts = new ClaimActs(session, (...what) => changed(number, ...what));
  show_opened({ number, seen: seen_of(listed_claim(number)), claim: null, acts });
  await read_opened();
  if (opened?.number === number) {
    by_id("claim_title")?.focus({ preventScroll: true });
    if (window.matchMedia("(max-width: 859px)").matches) scrollTo(0, 0);
  }
}

function close_claim() {
  const { number } = opened;
  place.replaceChildren();
  show_opened(null);
  const row = rows.get(number); // the filter may hide it
  (row?.item.isConnected ? row.button : by_id("claims").querySelector("button"))?.focus();
}

function mark_opened() {
  for (const [number, row] of rows) {
    set_current(row.button, number === opened?.number, "true");
  }
}

function follow_opened() {
  mark_opened();
  if (opened === null) return;
  const seen = seen_of(listed_claim(opened.number));
  if (seen === undefined || seen === opened.seen) return;
  opened.seen = seen;
  read_opened();
}

function follow_address() {
  if (session.person === null) return;
  const number = Number.parseInt(location.hash.slice(1), 10);
  if (number > 0) open_claim(number);
  else if (opened !== null) close_claim();
}

function go_back() {
  location.hash = "";
}

// --- keys ---

function step_to(by) {
  const all = [...by_id("claims").querySelectorAll("button")];
  if (all.length === 0) return;
  const at = all.indexOf(document.activeElement);
  const from = at >= 0 ? at : all.findIndex((one) => one.hasAttribute("aria-current"));
  all[Math.min(all.length - 1, Math.max(0, from + by))].focus();
}

function press(event) {
  if (session.person === null || event.ctrlKey || event.metaKey || event.altKey) return;
  const is_typing = event.target.matches?.("input:not([type=radio]), textarea, select");
  if (document.querySelector("dialog[open]") !== null) return;
  if (event.key === "Escape") {
    event.target.blur?.();
    go_back();
    return;
  }
  const acts = {
    j: () => step_to(1),
    k: () => step_to(-1),
    "?": () => by_id("keys").showModal(),
    v: () => opened?.acts.go_to_signature(),
    r: () => opened?.acts.go_to_rejection(),
  };
  if (is_typing || !(event.key in acts)) return;
  event.preventDefault();
  acts[event.key]();
}

// --- beginning and end of a session ---

function begin(person) {
  show(by_id("console"), true);
  show(by_id("status"), true);
  set_text(by_id("person"), `${person.badge} ${person.name}`);
  live = new Live("/events/floor", "floor", { received, ticked: look, refused: look_for_right });
  look();
  follow_address();
  if (opened === null) by_id("claims").querySelector("button")?.focus();
}

// The stream did not open: either the session is over, or this person may not read claims.
async function look_for_right() {
  if (!(await session.still_stands())) return false;
  const answer = await ask("/api/claims");
  if (answer.status !== 403) return true;
  const go_there = [
    "You do not have the right to use this page. ",
    anchor("/accounting", null, "Go to accounting"),
  ];
  const { roles = [] } = session.person ?? {};
  const keeps_books = roles.includes("accountant") || roles.includes("finance_manager");
  by_id("refused").replaceChildren(...(keeps_books ? go_there : [answer.body.message]));
  show(by_id("status"), false);
  for (const id of ["freshness", "how_old"]) set_text(by_id(id), "");
  return false;
}

// Nothing stays on the screen when nobody is signed in.
function end() {
  live?.close();
  if (opened !== null) close_claim();
  live = floor = known = null;
  status.forget();
  rows = new Map();
  freshness.forget();
  for (const id of ["claims", "recent"]) by_id(id).replaceChildren();
  show(by_id("none"), false);
  by_id("of_table").value = "";
  for (const id of ["announce", "refused", "how_old"]) set_text(by_id(id), "");
  show(by_id("console"), false);
  document.title = "Floor · Linkmeter";
}

bind_page_setting(by_id("theme"), "theme", "light");
bind_page_setting(by_id("deck"), "deck", "four");
by_id("keys_button").addEventListener("click", () => by_id("keys").showModal());
function list_again() {
  if (floor === null) return;
  write_pending(floor.claims);
  mark_opened();
  look();
}
by_id("of_table").addEventListener("input", list_again);
by_id("more").addEventListener("click", () => {
  rows_max += ROWS_STEP;
  list_again();
});
by_id("sign_out").addEventListener("click", () => session.sign_out());
window.addEventListener("hashchange", follow_address);
window.addEventListener("keydown", press);
session.begin();
