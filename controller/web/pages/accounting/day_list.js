// Day list: the gaming days, newest first, with the signature that each day waits for.
import { anchor, paragraph, span, strong } from "./element.js";
import { figure_table } from "./figure_table.js";
import { entry_link, page_title, verdict } from "./page_parts.js";
import { count_of, date_and_time } from "./words.js";

const WEEKDAY = new Intl.DateTimeFormat("en-US", { weekday: "long", timeZone: "UTC" });

// "2026-11-21" -> "Saturday"
export const weekday = (day) => WEEKDAY.format(new Date(`${day}T12:00:00Z`));

export function state_chip({ state, is_ready, open_items: open }) {
  if (state === "closed") return span("chip quiet", "closed");
  if (!is_ready) return span("chip quiet", "report not ready");
  if (open > 0) return span("chip bad", `${count_of(open, "item")} open`);
  return state === "signed"
    ? span("chip gold", "waits for the second signature")
    : span("chip gold", "waits for the first signature");
}

const signed = (by, at) => (by ? [by, " ", span("quiet", date_and_time(at))] : "–");

const COLUMNS = [
  ["Day", ({ day }) => anchor(`#day/${day}`, "day_link", strong(day), ` ${weekday(day)}`)],
  ["State", state_chip],
  ["First signature", ({ signed_by, signed_at }) => signed(signed_by, signed_at)],
  ["Second signature", ({ closed_by, closed_at }) => signed(closed_by, closed_at)],
  ["Ended", ({ ends_at }) => date_and_time(ends_at)],
  ["Last entry", ({ ended }) => entry_link(ended)],
];

function summary_of(days, waiting, open) {
  if (days.length === 0) return "No gaming day has ended yet.";
  if (waiting.length === 0) return "Every day is closed.";
  const items = open > 0 ? `${count_of(open, "item")} open` : "no open items";
  return `${count_of(waiting.length, "day")} not closed, ${items}.`;
}

export async function show_days(context) {
  const { today, days } = await context.read("/api/days");
  const waiting = days.filter(({ state }) => state !== "closed");
  const open = waiting.reduce((sum, day) => sum + (day.open_items ?? 0), 0);
  const ends = (day) => `it ends ${date_and_time(day.ends_at)}`;
  return [
    page_title("Gaming days"),
    verdict(open > 0 ? "bad" : "good", strong(summary_of(days, waiting, open))),
    today && paragraph("quiet", `Today is ${weekday(today.day)}, ${today.day}; ${ends(today)}.`),
    days.length > 0 &&
      figure_table("Gaming days, newest first", COLUMNS, days, {
        kind: "days",
        class_of: ({ state }) => (state === "closed" ? "is_quiet" : null),
      }),
  ];
}
