// Journal pages: the entries in their exported form, from any entry on, optionally of one kind of
// fact. Laws: every part of an entry is shown. This page adds up its postings.
import { exact, exact_text, sum_of, units_or_zero } from "./amounts.js";
import { element, span } from "./element.js";
import { figure_table, folded } from "./figure_table.js";
import { date_and_time, words } from "./words.js";

const COUNT = 50;
// Suggestions for the field; any other name works too.
const FACTS = [
  "floor_opened",
  "round_locked",
  "count_differed",
  "count_resolved",
  "hands_shown",
  "round_closed",
  "round_voided",
  "pot_played",
  "message_refused",
  "claim_validated",
  "claim_paid",
  "claim_rejected",
  "link_suspended",
  "pin_changed",
  "signed_in",
  "sign_in_failed",
  "act_proposed",
  "act_confirmed",
  "act_refused",
  "self_checked",
  "clock_changed",
  "claim_countersigned",
  "slip_issued",
  "slip_voided",
  "slip_stored",
  "notice_posted",
  "hand_corrected",
  "hand_voided",
  "dealer_corrected",
  "pot_corrected",
  "day_ended",
  "reading_taken",
  "counters_told",
  "count_recorded",
  "variance_explained",
  "day_signed",
  "day_closed",
  "history_restored",
  "fund_moved",
  "display_adjusted",
  "table_frozen",
  "clock_doubted",
  "clock_returned",
  "head_signed",
  "recovered",
  "recovery_failed",
  "pins_tried",
];

function postings_of({ postings }) {
  if (!postings?.length) return null;
  const sum = sum_of(postings.map(({ amount }) => amount));
  return [
    figure_table(
      "Postings",
      ["Link", "Level", "Account", "#Amount"],
      postings.map(({ link, level, account, amount }) => [
        link,
        level,
        words(account),
        exact(units_or_zero(amount)),
      ]),
      { kind: "is_exact" },
    ),
    element(
      "p",
      { class: sum === 0n ? "quiet small" : "bad" },
      sum === 0n ? "The postings sum to zero." : `The postings sum to ${exact_text(sum)}.`,
    ),
  ];
}

function entry_node(entry, is_open) {
  const { entry: number, fact, recorded_at: at, table, by } = entry;
  const summary = [
    element("strong", { class: "entry_number" }, String(number)),
    span("entry_fact", words(fact)),
    span("quiet", [table, by].filter(Boolean).join(" · ")),
    element("time", { class: "quiet", datetime: at }, date_and_time(at)),
  ];
  const whole = JSON.stringify(entry, null, 2);
  const text = element("pre", { tabindex: 0, "aria-label": `Entry ${number}` }, whole);
  return element("li", {}, folded(summary, is_open, postings_of(entry), text));
}

const address = (from, fact) => `#journal/${from}${fact ? `/${encodeURIComponent(fact)}` : ""}`;

function asking(from, fact) {
  const number = element("input", {
    id: "journal_from",
    type: "text",
    inputmode: "numeric",
    autocomplete: "off",
    value: String(from),
  });
  const choice = element("input", {
    id: "journal_fact",
    type: "text",
    list: "journal_facts",
    autocomplete: "off",
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
    element("label", { for: "journal_from" }, "From entry"),
    number,
    element("label", { for: "journal_fact" }, "Kind of fact"),
    choice,
    element(
      "datalist",
      { id: "journal_facts" },
      FACTS.map((value) => element("option", { value })),
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
  const step = (to, text) => element("a", { class: "button", href: address(to, fact) }, text);
  return [
    element("h2", { tabindex: -1 }, "Journal"),
    asking(from, fact),
    element("p", { class: "quiet", role: "status" }, `The last entry is ${page.head}.`),
    page.entries.length === 0
      ? element("p", {}, "There is no such entry from here on.")
      : element(
          "ol",
          { class: "journal" },
          page.entries.map((entry) => entry_node(entry, is_asked && entry.entry === from)),
        ),
    element(
      "nav",
      { class: "choices", "aria-label": "More entries" },
      from > 1 ? step(Math.max(1, from - COUNT), `‹ Previous ${COUNT}`) : null,
      last < page.head ? step(last + 1, "Next ›") : null,
    ),
  ];
}
