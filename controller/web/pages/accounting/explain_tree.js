// Explain tree: the origin of an amount, down to the wagers; each branch folds. Law: this page adds
// up the parts under every amount, and says whether they make the amount.
import { open_dialog } from "./act_dialog.js";
import {
  amount_or_dash,
  exact,
  exact_text,
  is_zero,
  sum_of,
  units,
  units_or_zero,
} from "./amounts.js";
import {
  anchor,
  box,
  button,
  by_id,
  element,
  error_line,
  paragraph,
  span,
  strong,
} from "./element.js";
import { ENTRY, WHEN, figure_table } from "./figure_table.js";
import { turn_mark } from "./page_parts.js";
import { ask } from "./sign_in.js";
import { count_of, date_and_time, level_words, sentence, words } from "./words.js";

const OPEN_DEPTH = 2;
let openings = 0;

function entries_of({ entries }) {
  if (!entries) return null;
  const { first, last } = entries;
  const text = first === last ? `entry ${first}` : `entries ${first} to ${last}`;
  return anchor(`#journal/${first}`, "entry", text);
}

// Whether the parts add up to the amount.
function proof_of({ parts, amount }) {
  const sum = sum_of(parts.map((part) => part.amount));
  const whole = units(amount);
  if (sum === whole) {
    const make = parts.length === 1 ? "makes" : "make";
    const counted = `${count_of(parts.length, "part")} ${make} `;
    return paragraph("proof good", counted, exact_text(sum), ": it adds up.");
  }
  return paragraph(
    "proof bad",
    `The parts make ${exact_text(sum)}, not ${exact_text(whole ?? 0n)}: `,
    strong(`${exact_text(sum - (whole ?? 0n))} too much or too little.`),
  );
}

function branch(node, depth) {
  const parts = node.parts ?? [];
  const line = [
    span("branch_words", node.words, " ", entries_of(node)),
    exact(units_or_zero(node.amount)),
  ];
  if (parts.length === 0) return element("li", {}, box("leaf", line));
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
const is_something = ({ amount }) => !is_zero(amount);

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
    parts: days.filter((one) => !is_zero(one.contributed)).map(day),
  };
  const others = PARTS.map(([key, words]) => leaf(words, parts[key]));
  const all = [...begun, contributed, ...others].filter(is_something);
  const name = `${link} ${level_words(level, "meter")}`;
  return { ...leaf(`${name} at entry ${last}`, balance), parts: all };
}

const AWARDS = [
  [
    "Earlier award",
    ({ whole, rejected }) => `${whole ? "hit" : "partial hit"}${rejected ? ", rejected" : ""}`,
  ],
  ["#Amount", ({ amount }) => amount_or_dash(amount)],
  ["#Meter before it", ({ stood }) => amount_or_dash(stood)],
  WHEN,
  ENTRY,
];
const EVENTS = [
  [
    "Event",
    ({ kind, amount, other }) => {
      const way = amount.startsWith("-") ? "to" : "from";
      return words(kind) + (other ? `: ${way} ${other}` : "");
    },
  ],
  ["#To the meter", ({ amount }) => amount_or_dash(amount)],
  WHEN,
  ENTRY,
];
const table_of = (caption, columns, rows) =>
  rows.length > 0 ? [figure_table(caption, columns, rows)] : [];

const address_of = ({ claim, link, level, at }) =>
  claim
    ? `/api/explain?claim=${claim}`
    : `/api/explain?link=${encodeURIComponent(link)}&level=${encodeURIComponent(level)}` +
      (at ? `&at=${at}` : "");

function nodes_of(explanation) {
  const { payout, since, events, earlier_awards: awards } = explanation;
  const steps = (payout?.sentences ?? []).map((step) => element("li", {}, sentence(step)));
  const how = steps.length > 0 ? [element("ol", {}, steps)] : [];
  if (since === null) return how;
  const begun = since.kind === "award" ? "Since the previous award" : "Since the opening";
  return [
    ...how,
    paragraph("quiet", `${begun}, ${date_and_time(since.at)}.`),
    element("ul", {}, branch(tree_of(explanation), 0)),
    ...table_of("Changes without a wager", EVENTS, events),
    ...table_of("Earlier awards, latest first", AWARDS, awards),
  ];
}

// place: {link, level, at}, or a claim: then the dialog shows how its payout was reached.
async function open(place) {
  const dialog = by_id("explain");
  openings += 1;
  const opening = openings;
  const body = element("div", { class: "tree", role: "status" }, "Reading the journal…");
  const name = place.claim
    ? `claim ${place.claim}`
    : `${place.link} ${level_words(place.level, "meter")}`;
  const title = element("h2", { id: "explain_title", tabindex: -1 }, `Origin of ${name}`);
  const close = () => dialog.close();
  dialog.onclick = (event) => {
    if (event.target.closest("a")) close();
  };
  open_dialog(dialog, [title, body, button("Close", close)], () => {
    openings += 1;
  });
  title.focus();
  const answer = await ask(address_of(place));
  if (opening !== openings) return;
  body.removeAttribute("role");
  body.replaceChildren(
    ...(answer.ok ? nodes_of(answer.body) : [error_line(sentence(answer.body.message))]),
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
