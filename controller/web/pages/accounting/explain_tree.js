// Explain tree: the origin of an amount, down to the wagers; each branch folds. Law: this page adds
// up the parts under every amount, and says whether they make the amount.
import { open_dialog } from "./act_dialog.js";
import { by_id, element, paragraph, span } from "./element.js";
import { amount_or_dash, exact, exact_text, units, units_or_zero } from "./amounts.js";
import { entry_link, figure_table, turn_mark } from "./figure_table.js";
import { ask } from "./sign_in.js";
import { count_of, date_and_time, level_words, sentence, words } from "./words.js";

const OPEN_DEPTH = 2;
let openings = 0;

function entries_of({ entries }) {
  if (!entries) return null;
  const { first, last } = entries;
  const text = first === last ? `entry ${first}` : `entries ${first} to ${last}`;
  return element("a", { class: "entry", href: `#journal/${first}` }, text);
}

// Whether the parts add up to the amount.
function proof_of(node) {
  const sum = node.parts.reduce((all, part) => all + units_or_zero(part.amount), 0n);
  const whole = units(node.amount);
  const adds_up = sum === whole;
  const make = node.parts.length === 1 ? "makes" : "make";
  return element(
    "p",
    { class: adds_up ? "proof good" : "proof bad" },
    adds_up
      ? [`${count_of(node.parts.length, "part")} ${make} `, exact_text(sum), ": it adds up."]
      : [
          `The parts make ${exact_text(sum)}, not ${exact_text(whole ?? 0n)}: `,
          element("strong", {}, `${exact_text(sum - (whole ?? 0n))} too much or too little.`),
        ],
  );
}

function branch(node, depth) {
  const parts = node.parts ?? [];
  const line = [
    span("branch_words", node.words, " ", entries_of(node)),
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

// What moved the meter, in the order of display.
const PARTS = [
  ["withheld", "withheld after void rounds, and repaid"],
  ["overflowed", "amount above the limit, to the reserve"],
  ["seeded", "seeds of rejected awards, and the house's part at a discontinuation"],
  ["from_reserve", "moved from or to the reserve"],
  ["awarded", "paid as awards"],
  ["returned", "returned by rejected claims"],
  ["corrected", "corrected by two persons"],
  ["transferred", "transferred by two persons"],
];

const leaf = (words, amount, entries = null) => ({ words, amount, entries });
const is_something = ({ amount }) => units_or_zero(amount) !== 0n;

// The answer of the controller as one tree: the amount at the beginning, contributions by day,
// table and round, and everything else that moved the meter.
function tree_of({ link, level, entry: last, balance, since, days, parts }) {
  const at = { first: since.entry, last: since.entry };
  const is_award = since.kind === "award";
  const round = ({ round: name, entry, contributed }) =>
    leaf(`round ${name}`, contributed, { first: entry, last: entry });
  const table = ({ table: name, contributed, rounds }) => ({
    ...leaf(`table ${name}`, contributed),
    parts: rounds?.map(round),
  });
  const day = ({ day: name, entries: [first, last], contributed, tables }) => ({
    ...leaf(name ? `on ${name}` : "since the end of the last day", contributed, { first, last }),
    parts: tables.map(table),
  });
  const begun = [
    leaf(is_award ? "left after the previous award" : "amount at the opening", since.kept, at),
    leaf("seed, by the house", since.seeded, at),
    leaf("from the reserve, at the seed", since.from_reserve, at),
  ];
  const contributed = {
    ...leaf("contributed by wagers", parts.contributed),
    parts: days.filter((one) => units_or_zero(one.contributed) !== 0n).map(day),
  };
  const others = PARTS.map(([key, words]) => leaf(words, parts[key]));
  const all = [...begun, contributed, ...others].filter(is_something);
  const name = `${link} ${level_words(level, "meter")}`;
  return { ...leaf(`${name} at entry ${last}`, balance), parts: all };
}

function awards_of({ earlier_awards: awards }) {
  if (awards.length === 0) return null;
  return figure_table(
    "Earlier awards, latest first",
    ["Earlier award", "#Amount", "#Meter before it", "When", "Entry"],
    awards.map((award) => [
      `${award.whole ? "hit" : "partial hit"}${award.rejected ? ", rejected" : ""}`,
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
    "Changes without a wager",
    ["Event", "#To the meter", "When", "Entry"],
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

// place: {link, level, at}, or a claim: then the dialog shows how its payout was reached.
async function open(place) {
  const dialog = by_id("explain");
  openings += 1;
  const opening = openings;
  const body = element("div", { class: "tree", role: "status" }, "Reading the journal…");
  const name = place.claim
    ? `claim ${place.claim}`
    : [place.link, level_words(place.level, "meter")].join(" ");
  const close = () => dialog.close();
  const content = [
    element("h2", { id: "explain_title", tabindex: -1 }, `Origin of ${name}`),
    body,
    element("button", { type: "button", on_click: close }, "Close"),
  ];
  dialog.onclick = (event) => {
    if (event.target.closest("a")) close();
  };
  open_dialog(dialog, content, () => {
    openings += 1;
  });
  by_id("explain_title").focus();
  const answer = await ask(address_of(place));
  if (opening !== openings) return;
  body.removeAttribute("role");
  if (!answer.ok) {
    const message = sentence(answer.body.message);
    body.replaceChildren(element("p", { class: "error", role: "alert" }, message));
    return;
  }
  const explanation = answer.body;
  const steps = (explanation.payout?.sentences ?? []).map((step) =>
    element("li", {}, sentence(step)),
  );
  const payout = steps.length > 0 ? [element("ol", { class: "payout" }, ...steps)] : [];
  if (explanation.since === null) {
    body.replaceChildren(...payout);
    return;
  }
  const tree = tree_of(explanation);
  const since =
    explanation.since.kind === "award" ? "Since the previous award" : "Since the opening";
  body.replaceChildren(
    ...payout,
    paragraph("quiet", `${since}, ${date_and_time(explanation.since.at)}.`),
    element("ul", { class: "root" }, branch(tree, 0)),
    ...[events_of(explanation), awards_of(explanation)].filter(Boolean),
  );
}

// An amount; a click opens its tree.
export function explained(whole, place, name, form = {}) {
  if (whole === null) return span("quiet", "–");
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
