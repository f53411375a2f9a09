// Day list: the gaming days, newest first, with the signature that each day waits for.
import { element, paragraph, span } from "./element.js";
import { entry_link, figure_table } from "./figure_table.js";
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

export async function show_days(context) {
  const { today, days } = await context.read("/api/days");
  const waiting = days.filter(({ state }) => state !== "closed");
  const open = waiting.reduce((sum, day) => sum + (day.open_items ?? 0), 0);
  const words =
    days.length === 0
      ? "No gaming day has ended yet."
      : waiting.length === 0
        ? "Every day is closed."
        : `${count_of(waiting.length, "day")} not closed` +
          (open > 0 ? `, ${count_of(open, "item")} open.` : ", no open items.");
  return [
    element("h2", { tabindex: -1 }, "Gaming days"),
    element(
      "p",
      { class: "verdict", "data-state": open > 0 ? "bad" : "good" },
      element("strong", {}, words),
    ),
    today
      ? paragraph(
          "quiet",
          `Today is ${weekday(today.day)}, ${today.day}; it ends ${date_and_time(today.ends_at)}.`,
        )
      : null,
    days.length === 0
      ? null
      : figure_table(
          "Gaming days, newest first",
          ["Day", "State", "First signature", "Second signature", "Ended", "Last entry"],
          days.map((day) => ({
            class: day.state === "closed" ? "is_quiet" : "",
            cells: [
              element(
                "a",
                { class: "day_link", href: `#day/${day.day}` },
                element("strong", {}, day.day),
                ` ${weekday(day.day)}`,
              ),
              state_chip(day),
              signed(day.signed_by, day.signed_at),
              signed(day.closed_by, day.closed_at),
              date_and_time(day.ends_at),
              entry_link(day.ended),
            ],
          })),
          { kind: "days" },
        ),
  ];
}
