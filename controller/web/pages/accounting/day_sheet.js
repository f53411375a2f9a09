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
import { box, button, dialog_button, element, paragraph, span, strong } from "./element.js";
import { ask_cage, ask_display } from "./fund_acts.js";
import { entry_link, link_button, page_title, sheet_part, verdict } from "./page_parts.js";
import { count_of, date_and_time, number_text, set_zone } from "./words.js";

const ORDINARY_HOURS = 24;

const step_to = (day, words) =>
  day && link_button(`#day/${day.day}`, [words, span("unseen", ` ${day.day}`)]);

// On the first day of a journal the floor opened some time after the day began.
function hours_of({ hours, entries }) {
  if (hours === null || entries.first === 1) return "the first day, on which the floor opened";
  if (hours === ORDINARY_HOURS) return count_of(hours, "hour");
  return element("strong", { class: "warn" }, `${count_of(hours, "hour")}: the clocks changed`);
}

function acts_of(report, record, acts) {
  const is_over = record.state === "closed";
  const has_fund = report.links.some(({ fund }) => fund);
  return [
    !is_over && dialog_button("Record a count…", () => acts.count(report)),
    has_fund && !is_over && dialog_button("To the cage…", () => ask_cage(acts, report)),
    dialog_button("Take a reading…", () => acts.reading(report.links)),
    has_fund && dialog_button("Adjust the display…", () => ask_display(acts, report)),
    button("Print", () => window.print()),
  ];
}

function head(report, record, [before, after], acts) {
  const { first, last, head: hash } = report.entries;
  return element(
    "header",
    { class: "day_head" },
    element(
      "div",
      {},
      paragraph("paper_house", `${report.house} · Linkmeter · daily report`),
      page_title(`${report.day} `, span("quiet", weekday(report.day)), " ", state_chip(record)),
      paragraph(
        "quiet",
        report.begins_at ? `${date_and_time(report.begins_at)} to ` : "until ",
        `${date_and_time(report.ends_at)} · `,
        hours_of(report),
      ),
      paragraph(
        "quiet small day_entries",
        entry_link(first),
        " to ",
        entry_link(last),
        span("hash", ` chain ${hash}`),
      ),
    ),
    box(
      "buttons",
      step_to(before, "‹ Previous day"),
      step_to(after, "Next day ›"),
      acts_of(report, record, acts),
    ),
  );
}

// The first line: is every difference of this day zero?
function verdict_of(report, open) {
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
  return verdict(
    open > 0 || is_off || is_unbalanced ? "bad" : "good",
    strong(words),
    explained > 0 ? ` · ${explained} explained` : null,
    " · ",
    span(is_off ? "bad" : null, balance_words(report)),
    " · ",
    span(
      is_unbalanced ? "bad" : null,
      `${number_text(postings)} postings sum to ${exact_text(units(sum) ?? 0n)}`,
    ),
  );
}

export async function show_day(context, day) {
  const [sheet, { days }] = await Promise.all([
    context.read(`/api/days/${encodeURIComponent(day)}`),
    context.read("/api/days"),
  ]);
  const { report, record } = sheet;
  set_zone(report.zone);
  const open = report.items.filter((item) => item.open).length;
  const at = days.findIndex((one) => one.day === report.day);
  const before = days[at + 1];
  const items = day_items(sheet, context.acts);
  return [
    head(report, record, [before, days[at - 1]], context.acts),
    verdict_of(report, open),
    items &&
      element(
        "section",
        { class: "sheet_part", "aria-label": "Items" },
        element("h3", {}, "Differences"),
        items,
      ),
    sheet_part("Meters, from opening to closing", null, balance_table(report)),
    claims_part(report),
    sheet_part("Liability, and amounts on the signs", null, standing_table(report)),
    sheet_part("Tables", null, day_tables(report)),
    fund_parts(report),
    box(
      "record_parts",
      events_part(report),
      counts_part(report),
      readings_part(report),
      counters_part(report),
    ),
    day_signing(context, { ...sheet, open, before }),
  ];
}
