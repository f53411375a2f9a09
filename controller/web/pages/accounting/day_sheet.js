// Day sheet: one gaming day at a glance. Laws: differences come first and stand out; zero is quiet.
// The page shows the controller's report and adds it up again. Paper shows the same, unfolded and
// exact.
import { exact_text, is_zero, units } from "./amounts.js";
import {
  balance_table,
  balance_words,
  left_over,
  pools_of,
  standing_table,
} from "./day_balance.js";
import { fund_parts } from "./day_fund.js";
import { day_items } from "./day_items.js";
import { state_chip, weekday } from "./day_list.js";
import { day_signing } from "./day_signing.js";
import {
  claims_part,
  counters_part,
  counts_part,
  events_part,
  readings_part,
} from "./day_records.js";
import { day_tables } from "./day_tables.js";
import { element, paragraph, span } from "./element.js";
import { entry_link, sheet_part } from "./figure_table.js";
import { ask_cage, ask_display } from "./fund_acts.js";
import { count_of, date_and_time, number_text, set_zone } from "./words.js";

const ORDINARY_HOURS = 24;

function step_to(day, words) {
  if (!day) return null;
  const name = span("unseen", ` ${day.day}`);
  return element("a", { class: "button", href: `#day/${day.day}` }, words, name);
}

// On the first day of a journal the floor opened some time after the day began.
function hours_of({ hours, entries }) {
  if (hours === null || entries.first === 1) return "the first day, on which the floor opened";
  if (hours === ORDINARY_HOURS) return count_of(hours, "hour");
  return element("strong", { class: "warn" }, `${count_of(hours, "hour")}: the clocks changed`);
}

function head(report, record, days, acts) {
  const at = days.findIndex(({ day }) => day === report.day);
  const { first, last, head: hash } = report.entries;
  const hours = hours_of(report);
  const is_over = record.state === "closed";
  const has_fund = report.links.some(({ fund }) => fund);
  return element(
    "header",
    { class: "day_head" },
    element(
      "div",
      {},
      paragraph("paper_house", `${report.house} · Linkmeter · daily report`),
      element(
        "h2",
        { tabindex: -1 },
        `${report.day} `,
        span("quiet", weekday(report.day)),
        " ",
        state_chip(record),
      ),
      paragraph(
        "quiet",
        report.begins_at ? `${date_and_time(report.begins_at)} to ` : "until ",
        `${date_and_time(report.ends_at)} · `,
        hours,
      ),
      paragraph(
        "quiet small day_entries",
        entry_link(first),
        " to ",
        entry_link(last),
        span("hash", ` chain ${hash}`),
      ),
    ),
    element(
      "div",
      { class: "buttons" },
      step_to(days[at + 1], "‹ Previous day"),
      step_to(days[at - 1], "Next day ›"),
      is_over ? null : act("Record a count…", () => acts.count(report)),
      has_fund && !is_over ? act("To the cage…", () => ask_cage(acts, report)) : null,
      act("Take a reading…", () => acts.reading(report.links)),
      has_fund ? act("Adjust the display…", () => ask_display(acts, report)) : null,
      element("button", { type: "button", on_click: () => window.print() }, "Print"),
    ),
  );
}

const act = (label, on_click) =>
  element("button", { type: "button", "aria-haspopup": "dialog", on_click }, label);

// The first line: is every difference of this day zero?
function verdict(report, open) {
  const explained = report.items.length - open;
  const is_off = report.links.flatMap(pools_of).some((pool) => left_over(pool) !== 0n);
  const { postings, sum } = report.control;
  const is_unbalanced = !is_zero(sum);
  const words =
    open > 0
      ? `${count_of(open, "item")} open`
      : is_off || is_unbalanced
        ? "The figures do not add up"
        : explained > 0
          ? "Nothing is open"
          : "Everything is zero";
  return element(
    "div",
    { class: "verdict", "data-state": open > 0 || is_off || is_unbalanced ? "bad" : "good" },
    element("strong", {}, words),
    explained > 0 ? ` · ${explained} explained` : null,
    " · ",
    element("span", { class: is_off ? "bad" : null }, balance_words(report)),
    " · ",
    element(
      "span",
      { class: is_unbalanced ? "bad" : null },
      `${number_text(postings)} postings sum to ${exact_text(units(sum) ?? 0n)}`,
    ),
  );
}

export async function show_day(context, day) {
  const [sheet, { days }] = await Promise.all([
    context.read(`/api/days/${encodeURIComponent(day)}`),
    context.read("/api/days"),
  ]);
  const { report, record, digest } = sheet;
  set_zone(report.zone);
  const open = report.items.filter((item) => item.open).length;
  const before = days[days.findIndex((one) => one.day === report.day) + 1];
  const explain =
    record.state === "closed" ? null : (item) => context.acts.explain(report.day, item);
  return [
    head(report, record, days, context.acts),
    verdict(report, open),
    report.items.length > 0
      ? element(
          "section",
          { class: "sheet_part", "aria-label": "Items" },
          element("h3", {}, "Differences"),
          day_items(report, explain),
        )
      : null,
    sheet_part("Meters, from opening to closing", null, balance_table(report)),
    claims_part(report),
    sheet_part("Liability, and amounts on the signs", null, standing_table(report)),
    sheet_part("Tables", null, day_tables(report)),
    fund_parts(report),
    element(
      "div",
      { class: "record_parts" },
      events_part(report),
      counts_part(report),
      readings_part(report),
      counters_part(report),
    ),
    day_signing(context, { report, record, digest, open, before }),
  ];
}
