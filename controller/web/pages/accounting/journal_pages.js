// Journal pages: the entries in their exported form, from any entry on, optionally of one kind of
// fact. Laws: every part of an entry is shown. This page adds up its postings.
import { exact, exact_text, sum_of, units_or_zero } from "./amounts.js";
import { element, label_of, paragraph, span, status_line, text_input } from "./element.js";
import { figure_table } from "./figure_table.js";
import { choices, folded, link_button, page_title } from "./page_parts.js";
import { date_and_time, dotted, words } from "./words.js";

const COUNT = 50;

const POSTINGS = [
  ["Link", ({ link }) => link],
  ["Level", ({ level }) => level],
  ["Account", ({ account }) => words(account)],
  ["#Amount", ({ amount }) => exact(units_or_zero(amount))],
];

function postings_of({ postings }) {
  if (!postings?.length) return null;
  const sum = sum_of(postings.map(({ amount }) => amount));
  return [
    figure_table("Postings", POSTINGS, postings, { kind: "is_exact" }),
    sum === 0n
      ? paragraph("quiet small", "The postings sum to zero.")
      : paragraph("bad", `The postings sum to ${exact_text(sum)}.`),
  ];
}

function entry_node(entry, is_open) {
  const { entry: number, fact, recorded_at: at, table, by } = entry;
  const summary = [
    element("strong", { class: "entry_number" }, String(number)),
    span("entry_fact", words(fact)),
    span("quiet", dotted(table, by)),
    element("time", { class: "quiet", datetime: at }, date_and_time(at)),
  ];
  const whole = JSON.stringify(entry, null, 2);
  const text = element("pre", { tabindex: 0, "aria-label": `Entry ${number}` }, whole);
  return element("li", {}, folded(summary, is_open, postings_of(entry), text));
}

const address = (from, fact) => `#journal/${from}${fact ? `/${encodeURIComponent(fact)}` : ""}`;

// facts: suggestions for the field.
function asking(from, fact, facts) {
  const number = text_input("journal_from", { inputmode: "numeric", value: String(from) });
  const choice = text_input("journal_fact", {
    list: "journal_facts",
    spellcheck: "false",
    value: fact,
  });
  const submit = (event) => {
    event.preventDefault();
    const wanted = Math.max(1, Number.parseInt(number.value, 10) || 1);
    location.hash = address(wanted, choice.value.trim());
  };
  return element(
    "form",
    { class: "asking", role: "search", on_submit: submit },
    label_of("journal_from", "From entry"),
    number,
    label_of("journal_fact", "Kind of fact"),
    choice,
    element(
      "datalist",
      { id: "journal_facts" },
      facts.map((value) => element("option", { value })),
    ),
    element("button", { type: "submit" }, "Show"),
  );
}

export async function show_journal(context, asked_from, fact = "") {
  const is_asked = Boolean(asked_from);
  let from = Math.max(0, Number.parseInt(asked_from, 10) || 0);
  if (from === 0) {
    const { head } = await context.read("/api/journal?from=1&count=1");
    from = Math.max(1, head - COUNT + 1);
  }
  const filter = fact ? `&fact=${encodeURIComponent(fact)}` : "";
  const page = await context.read(`/api/journal?from=${from}&count=${COUNT}${filter}`);
  const last = page.next ? page.next - 1 : (page.entries.at(-1)?.entry ?? page.head);
  const step = (to, text) => link_button(address(to, fact), text);
  return [
    page_title("Journal"),
    asking(from, fact, page.facts),
    status_line("quiet", `The last entry is ${page.head}.`),
    page.entries.length === 0
      ? element("p", {}, "There is no such entry from here on.")
      : element(
          "ol",
          { class: "journal" },
          page.entries.map((entry) => entry_node(entry, is_asked && entry.entry === from)),
        ),
    choices(
      "More entries",
      from > 1 && step(Math.max(1, from - COUNT), `‹ Previous ${COUNT}`),
      last < page.head && step(last + 1, "Next ›"),
    ),
  ];
}
