// The nodes: who is the writer, whether this page's node answers, and what happens when one is lost,
// in sentences. Laws: what an earlier event said is never shown as the present: if no event comes,
// or an old one, the page says that its node does not answer. Another node's address is a link only if it is one of
// a web page.
import { anchor, by_id, element, paragraph, set_text, show } from "./element.js";
import { Freshness, Live, now_ms } from "./live.js";
import { ask } from "./sign_in.js";
import { listed, number_text } from "./words.js";

const QUIET_MS = 2000; // without a new entry, the page says so
const SEEN_MAX = 12;
const freshness = new Freshness();

let latest = null; // the last event
let latest_at = 0; // when it was true: a node whose work stands still sends an old one again
let is_refused = false; // the node has not answered since then
let is_alone = false; // the controller is no node
let last_writer = null; // the last writer that there was
let entry_at = 0; // when the journal of this page's node last grew
let written = ""; // the sentences that the page shows

const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;
const whole_seconds = (ms) => `${Math.floor(ms / 1000)} s`;
const clock = (at = new Date()) => at.toTimeString().slice(0, 8);
const name_of = (node) => `node ${node}`;
const entries_of = (count) => (count === 1 ? "1 entry" : `${number_text(count)} entries`);
const is_up = ({ role }) => role !== "away";

// The pages of a node, or null.
function pages_of({ pages }) {
  try {
    const url = new URL("/nodes", pages);
    return ["http:", "https:"].includes(url.protocol) ? url : null;
  } catch {
    return null;
  }
}

function note(text) {
  by_id("seen").prepend(element("li", {}, element("time", {}, clock()), text));
  while (by_id("seen").children.length > SEEN_MAX) by_id("seen").lastChild.remove();
  show(by_id("history"), true);
}

// What changed since the last event, as lines of the history.
function note_changes(before, after) {
  if (before === null) return;
  if (after.writer !== before.writer) {
    if (after.writer === null) note(`There is no writer: node ${before.writer} has lost the role.`);
    else if (before.writer === null && after.writer === last_writer) note(`Node ${after.writer} is the writer again.`);
    else {
      const gap = `${seconds(now_ms() - entry_at)} after the last entry`;
      note(`Node ${after.writer} is the writer now${last_writer ? `, ${gap} of node ${last_writer}` : ""}.`);
    }
  }
  for (const node of after.nodes) {
    const was = before.nodes.find(({ name }) => name === node.name);
    if (node.name === after.node || !was || is_up(was) === is_up(node)) continue;
    note(is_up(node) ? `Node ${node.name} runs again.` : `Node ${node.name} does not run.`);
  }
  if (after.etcd.answers !== before.etcd.answers) {
    note(after.etcd.answers ? "etcd answers again." : "etcd does not answer.");
  }
}

function received(event, age_ms) {
  // What happened while this page heard nothing has no time here.
  if (is_refused) {
    if (latest !== null) note(`Node ${event.node} answers again.`);
    last_writer = null;
  }
  is_refused = is_alone = false;
  freshness.received(age_ms, event.maximum_age_ms);
  note_changes(latest, event);
  if (latest === null || event.entry !== latest.entry) entry_at = now_ms() - age_ms;
  last_writer = event.writer ?? last_writer;
  latest = event;
  latest_at = now_ms() - age_ms;
  write_known();
  look();
}

function role_words({ name, role }) {
  if (role === "writer") return "is the writer";
  if (role === "away") return "does not run";
  if (role === "faulty") return "must not become the writer: see its log";
  return latest.writer === null ? "waits to take over" : `follows ${name_of(latest.writer)}`;
}

// Other nodes report about once a second how far they are, so the figure is the most that they lack.
function lag_words({ name, role, lag_entries }) {
  if (role !== "standby" || lag_entries === null) return "";
  if (name !== latest.node) return `at most ${entries_of(lag_entries)}`;
  const as_of = latest.lag_seconds === null ? "" : `, as of ${seconds(latest.lag_seconds * 1000)} ago`;
  return entries_of(lag_entries) + as_of;
}

function write_known() {
  set_text(by_id("from"), `${latest.house} · this page is from node ${latest.node}`);
  document.title = `Node ${latest.node} · Linkmeter`;
  by_id("rows").replaceChildren(
    ...latest.nodes.map((node) => {
      const url = pages_of(node);
      const place = node.name === latest.node ? "this page" : url && anchor(url.href, null, url.href);
      const cells = [role_words(node), lag_words(node), place ?? ""];
      return element(
        "tr",
        { "data-node": node.name, "data-role": node.role },
        element("th", { scope: "row" }, node.name),
        cells.map((cell) => element("td", {}, cell)),
      );
    }),
  );
  const { members, healthy } = latest.etcd;
  set_text(
    by_id("etcd"),
    `Journal: entry ${number_text(latest.entry)}.` +
      (members > 0 ? ` etcd, which decides who writes: ${healthy} of ${members} members answer.` : ""),
  );
  show(by_id("known"), true);
}

const others = () => latest.nodes.filter(({ name }) => name !== latest.node);
const standbys = () => others().filter(({ role }) => role === "standby");

// Links to the pages of the other nodes.
function elsewhere() {
  const links = others()
    .map((node) => [node.name, pages_of(node)])
    .filter(([, url]) => url !== null)
    .map(([name, url]) => anchor(url.href, null, `node ${name}: ${url.href}`));
  if (links.length === 0) return null;
  return ["Look at ", ...links.flatMap((link, at) => (at === 0 ? [link] : [", ", link]))];
}

// What is so now: its kind, a headline, and more sentences.
function state() {
  if (latest === null) {
    return is_refused ? ["lost", "This page's node does not answer", []] : ["wait", "Connecting", []];
  }
  const silent_ms = now_ms() - latest_at;
  if (is_refused || silent_ms > latest.maximum_age_ms) return lost_state(silent_ms);
  if (!latest.etcd.answers) {
    return ["lost", `Node ${latest.node} gets no answer from etcd`, [
      "Nothing is committed until most members of etcd answer again. Tables finish their rounds, keep their messages, and send them later.",
    ]];
  }
  if (latest.writer === null) {
    return ["wait", "There is no writer at this moment", [
      "A standby that has every entry takes over within seconds. Tables keep their messages and send them to the next writer: nothing is lost and nothing counts twice.",
    ]];
  }
  return latest.writer === latest.node ? writer_state() : following_state();
}

function lost_state(silent_ms) {
  const takes_over =
    latest.writer === latest.node
      ? "It was the writer. Another node takes over seconds after its end; tables find that node by themselves."
      : `When it was last heard, ${latest.writer === null ? "there was no writer" : `node ${latest.writer} was the writer`}.`;
  return ["lost", `Node ${latest.node} does not answer`, [
    `This page is from node ${latest.node}: no news for ${whole_seconds(silent_ms)}. What stands below is from before. ${takes_over}`,
    elsewhere(),
    "This page goes on by itself when its node answers again.",
  ]];
}

function writer_state() {
  const follow = standbys().map(({ name }) => name_of(name));
  return ["writer", `Node ${latest.node} is the writer`, [
    follow.length > 0
      ? `This page is from that node. ${listed(follow).replace(/^n/, "N")} ${follow.length > 1 ? "follow" : "follows"}, and would take over.`
      : "This page is from that node. No other node runs: if this one is lost now, the floor waits until one of them starts.",
  ]];
}

function following_state() {
  const own = latest.nodes.find(({ name }) => name === latest.node);
  const lag = own ? lag_words(own) : "";
  const lines = [`This page is from node ${latest.node}, which follows${lag && `: behind by ${lag}`}.`];
  const quiet_ms = now_ms() - entry_at;
  if (quiet_ms > QUIET_MS) {
    lines.push(
      `No new entry for ${whole_seconds(quiet_ms)}: either nobody plays, or node ${latest.writer} is lost. If etcd does not hear node ${latest.writer} for some seconds, node ${latest.node} takes over.`,
    );
  }
  return ["follows", `Node ${latest.writer} is the writer`, lines];
}

function look() {
  if (is_alone) return;
  const [kind, headline, lines] = state();
  by_id("now").dataset.kind = kind;
  set_text(by_id("headline"), headline);
  const paragraphs = lines.filter(Boolean).map((line) => paragraph("", line));
  const text = paragraphs.map((one) => one.outerHTML).join("");
  if (text !== written) {
    written = text;
    by_id("words").replaceChildren(...paragraphs);
  }
  const is_old = latest !== null && kind === "lost";
  by_id("known").classList.toggle("is_old", is_old);
  set_text(by_id("dated"), is_old ? `as last heard, ${seconds(now_ms() - latest_at)} ago` : "");
}

// The stream did not open: the node is lost, or it is no node.
async function refused() {
  const answer = await ask("/api/meters");
  // A node may still become one of several, so the page goes on asking.
  if (answer.ok && answer.body.node === undefined) {
    if (latest !== null) note(`Node ${latest.node} has left its cluster, and goes on alone.`);
    latest = last_writer = null;
    by_id("known").classList.remove("is_old");
    show(by_id("known"), false);
    by_id("now").dataset.kind = "writer";
    document.title = "Nodes · Linkmeter";
    set_text(by_id("from"), "");
    set_text(by_id("headline"), "This controller is alone");
    by_id("words").replaceChildren(paragraph("", "It is not one of several nodes, so no other one would take over."));
    written = "";
    is_alone = true;
    return;
  }
  if (!answer.ok && !is_refused) {
    is_refused = true;
    if (latest !== null) note(`Node ${latest.node} does not answer.`);
    look();
  }
}

new Live("/events/nodes", "nodes", { received, ticked: look, refused });
