// Explain tree: where an amount comes from, down to the wagers; each branch folds. Law: what stands
// under a figure is added up here, on this screen, and whether it comes to the figure is said.
import { by_id, element } from "./element.js";
import { amount_or_dash, exact, exact_text, units, units_or_zero } from "./amounts.js";
import { entry_link, figure_table, turn_mark } from "./figure_table.js";
import { ask } from "./sign_in.js";
import { count_of, date_and_time, level_words, sentence, words } from "./words.js";

const OPEN_DEPTH = 2;
let asked = 0;

function entries_of({ entries }) {
  if (!entries) return null;
  const { first, last } = entries;
  const text = first === last ? `entry ${first}` : `entries ${first} to ${last}`;
  return element("a", { class: "entry", href: `#journal/${first}` }, text);
}

// Do the parts come to the figure?
function proof_of(node) {
  const sum = node.parts.reduce((all, part) => all + units_or_zero(part.amount), 0n);
  const whole = units(node.amount);
  const adds_up = sum === whole;
  const come = node.parts.length === 1 ? "comes" : "come";
  return element(
    "p",
    { class: adds_up ? "proof good" : "proof bad" },
    adds_up
      ? [`${count_of(node.parts.length, "part")} ${come} to `, exact_text(sum), ": it adds up."]
      : [
          `The parts come to ${exact_text(sum)}, not to ${exact_text(whole ?? 0n)}: `,
          element("strong", {}, `${exact_text(sum - (whole ?? 0n))} too much or too little.`),
        ],
  );
}

function branch(node, depth) {
  const parts = node.parts ?? [];
  const line = [
    element("span", { class: "branch_words" }, node.words, " ", entries_of(node)),
    exact(units_or_zero(node.amount)),
  ];
  if (parts.length === 0) return element("li", {}, element("div", { class: "leaf" }, line));
  return element(
    "li",
    {},
    element(
      "details",
      { open: depth < OPEN_DEPTH, "aria-label": node.words },
      element("summary", {}, turn_mark(), line),
      element(
        "ul",
        {},
        parts.map((part) => branch(part, depth + 1)),
      ),
      proof_of(node),
    ),
  );
}

// What a window of the journal did to the meter, in the order in which it is read.
const PARTS = [
  ["withheld", "withheld of void rounds, and repaid"],
  ["overflowed", "above the limit, to the reserve"],
  ["seeded", "seeds of awards that were rejected, and the house's part of an ending"],
  ["from_reserve", "moved from or to the reserve"],
  ["awarded", "taken by awards"],
  ["returned", "returned by rejected claims"],
  ["corrected", "corrected by two persons"],
  ["transferred", "transferred by two persons"],
];

const leaf = (words, amount, entries = null) => ({ words, amount, entries });
const is_something = ({ amount }) => units_or_zero(amount) !== 0n;

// The answer of the controller as one tree: what the window began with, contributions by day, table
// and round, and whatever else moved the meter.
function tree_of(told) {
  const { since, parts } = told;
  const at = { first: since.entry, last: since.entry };
  const is_award = since.kind === "award";
  const round = ({ round: name, entry, contributed }) =>
    leaf(`round ${name}`, contributed, { first: entry, last: entry });
  const table = ({ table: name, contributed, rounds }) => ({
    ...leaf(`table ${name}`, contributed),
    parts: rounds?.map(round),
  });
  const day = ({ day: name, entries: [first, last], contributed, tables }) => ({
    ...leaf(name ? `on ${name}` : "since the last day’s end", contributed, { first, last }),
    parts: tables.map(table),
  });
  const begun = [
    leaf(is_award ? "kept by the award before" : "held at the opening", since.kept, at),
    leaf("seed, by the house", since.seeded, at),
    leaf("from the reserve, at the seed", since.from_reserve, at),
  ];
  const contributed = {
    ...leaf("contributed by wagers", parts.contributed),
    parts: told.days.filter((one) => units_or_zero(one.contributed) !== 0n).map(day),
  };
  const others = PARTS.map(([key, words]) => leaf(words, parts[key]));
  const all = [...begun, contributed, ...others].filter(is_something);
  const name = `${told.link} ${level_words(told.level, "meter")}`;
  return { ...leaf(`${name} at entry ${told.entry}`, told.balance), parts: all };
}

function awards_of({ earlier_awards: awards }) {
  if (awards.length === 0) return null;
  return figure_table(
    "Earlier awards, the latest first",
    ["Earlier award", "#Amount", "#Meter stood at", "When", "Entry"],
    awards.map((award) => [
      `${award.whole ? "whole" : "share"}${award.rejected ? ", rejected" : ""}`,
      amount_or_dash(award.amount),
      amount_or_dash(award.stood),
      date_and_time(award.at),
      entry_link(award.entry),
    ]),
  );
}

function events_of({ events }) {
  if (events.length === 0) return null;
  return figure_table(
    "What was no wager",
    ["What happened", "#To the meter", "When", "Entry"],
    events.map(({ kind, amount, at, entry, other }) => [
      other ? `${words(kind)}: ${amount.startsWith("-") ? "to" : "from"} ${other}` : words(kind),
      amount_or_dash(amount),
      date_and_time(at),
      entry_link(entry),
    ]),
  );
}

const address_of = ({ claim, link, level, at }) =>
  claim
    ? `/api/explain?claim=${claim}`
    : `/api/explain?link=${encodeURIComponent(link)}&level=${encodeURIComponent(level)}` +
      (at ? `&at=${at}` : "");

// `place`: {link, level, at}; or of a claim, how its payout was reached.
async function open(place) {
  const dialog = by_id("explain");
  asked += 1;
  const turn = asked;
  const body = element("div", { class: "tree", role: "status" }, "Reading the journal…");
  const name = place.claim
    ? `claim ${place.claim}`
    : [place.link, level_words(place.level, "meter")].join(" ");
  const close = () => dialog.close();
  dialog.replaceChildren(
    element("h2", { id: "explain_title", tabindex: -1 }, `Where ${name} comes from`),
    body,
    element("button", { type: "button", on_click: close }, "Close"),
  );
  dialog.onclick = (event) => {
    if (event.target.closest("a")) close();
  };
  dialog.onclose = () => {
    asked += 1;
    dialog.replaceChildren();
  };
  dialog.showModal();
  by_id("explain_title").focus();
  const answer = await ask(address_of(place));
  if (turn !== asked) return;
  body.removeAttribute("role");
  if (!answer.ok) {
    const message = sentence(answer.body.message);
    body.replaceChildren(element("p", { class: "error", role: "alert" }, message));
    return;
  }
  const told = answer.body;
  const steps = (told.payout?.sentences ?? []).map((step) => element("li", {}, sentence(step)));
  const payout = steps.length > 0 ? [element("ol", { class: "payout" }, ...steps)] : [];
  if (told.since === null) {
    body.replaceChildren(...payout);
    return;
  }
  const tree = tree_of(told);
  const since = told.since.kind === "award" ? "Since the award before" : "Since the opening";
  body.replaceChildren(
    ...payout,
    element("p", { class: "quiet" }, `${since}, ${date_and_time(told.since.at)}.`),
    element("ul", { class: "root" }, branch(tree, 0)),
    ...[events_of(told), awards_of(told)].filter(Boolean),
  );
}

// An amount that opens its tree.
export function explained(whole, place, name, form = {}) {
  if (whole === null) return element("span", { class: "quiet" }, "–");
  return element(
    "button",
    {
      type: "button",
      class: `explained ${whole === 0n ? "nothing" : ""}`,
      "aria-haspopup": "dialog",
      "aria-label": `${name} ${exact_text(whole)}: explain`,
      on_click: () => open(place),
    },
    whole === 0n ? "–" : exact(whole, form),
  );
}
