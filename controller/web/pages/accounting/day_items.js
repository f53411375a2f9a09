// Day items: the differences of a day: what, where, how much, since when, and the explanation. Law:
// open items come first.
import { exact_text, units } from "./amounts.js";
import { box, dialog_button, element, paragraph, span, strong } from "./element.js";
import { entry_link } from "./page_parts.js";
import { date_and_time, dotted, level_words, sentence, words } from "./words.js";

const KINDS = {
  control: "Postings do not sum to zero",
  count: "Rounds and readings differ",
  balance: "Postings and readings differ",
  rate: "Contributions are not handle × rate",
  sign: "Sign and meter differ",
  counters: "The table’s counters differ",
  counters_missing: "The table sent no counters",
  counters_anew: "The table’s counters started again",
  paid: "Attendant + device is not the total paid",
  box: "Box count and contributions differ",
  chips: "Chip count and handle differ",
  box_missing: "The box was not counted",
  cage: "Cage and box counts differ",
  cage_missing: "Box was counted, but did not reach the cage",
  fund: "Fund and display differ",
  display_missing: "The display was not adjusted",
  claim: "Claim open at day’s end",
  late: "Rounds arrived late",
  suspended: "The controller suspended a link",
  clock: "The clock was set",
  restored: "A backup was restored",
};
// Kinds whose item names the entry at which they began.
const AT_ENTRY = ["sign", "suspended", "clock", "restored"];

export const kind_words = (kind) => KINDS[kind] ?? words(kind);

// A difference is an amount, or a text such as "2 wagers, 10.00".
const IS_AMOUNT = /^-?\d+\.(\d{2}|\d{8})$/;
export const difference_words = (text) => {
  if (!IS_AMOUNT.test(text)) return text;
  const whole = units(text);
  return (whole > 0n ? "+" : "") + exact_text(whole);
};

export const place_of = ({ link, level, table }) => dotted(table, link, level_words(level));

const entry_of = ({ item, kind }) => {
  const last = item.split("/").at(-1);
  return AT_ENTRY.includes(kind) && /^\d+$/.test(last) ? Number(last) : null;
};

// The time since when it exists, if the report knows it.
function since(item, report) {
  const claim =
    item.kind === "claim"
      ? report.claims_pending.find(({ claim: number }) => item.item === `claim/${number}`)
      : null;
  const at = item.since ?? claim?.raised_at;
  const entry = entry_link(entry_of(item));
  if (!at && !entry) return element("span", {}, "on this day");
  return element("span", {}, at ? `since ${date_and_time(at)} ` : "", entry);
}

function explanation(item) {
  if (!item.explained) return null;
  const { note, by, at, corrected_by: entry } = item.explained;
  return paragraph(
    "explanation",
    span("chip good", "explained"),
    ` ${sentence(note)} `,
    span("quiet", `${by}, ${date_and_time(at)}`),
    entry ? [", corrected by ", entry_link(entry)] : null,
  );
}

// explain: opens the dialog; null if the day is closed.
function day_item(item, report, explain) {
  const place = place_of(item);
  const kind = kind_words(item.kind);
  const size = IS_AMOUNT.test(item.difference) ? "" : "is_words";
  const label = item.open ? "Explain…" : "Explain again…";
  return element(
    "li",
    { class: item.open ? "item is_open" : "item", "data-item": item.item },
    box(
      "item_head",
      element(
        "div",
        {},
        element("strong", { class: "item_kind" }, kind),
        item.open && span("chip bad", "open"),
      ),
      span(`item_difference amount ${size}`, difference_words(item.difference)),
    ),
    paragraph(null, strong(place), span("quiet", place ? " · " : "", since(item, report))),
    element("p", {}, sentence(item.words.replaceAll("_", " "))), // names as in the journal
    explanation(item),
    explain && dialog_button([label, span("unseen", ` ${kind} ${place}`)], () => explain(item)),
  );
}

// The items of a report, open ones first; null if it has none.
export function day_items({ report, record }, acts) {
  const items = [...report.items].sort((one, other) => Number(other.open) - Number(one.open));
  if (items.length === 0) return null;
  const explain = record.state === "closed" ? null : (item) => acts.explain(report.day, item);
  return element(
    "ol",
    { class: "items" },
    items.map((item) => day_item(item, report, explain)),
  );
}
