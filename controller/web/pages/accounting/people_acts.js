// Acts of people: who did what on a gaming day, with the entry. Law: if the day has more acts than
// the controller sends at once, the page says that it shows a part, and links to the next part.
import { weekday } from "./day_list.js";
import { element, paragraph } from "./element.js";
import { entry_link, figure_table } from "./figure_table.js";
import { count_of, date_and_time, words } from "./words.js";

const person_words = ([badge, { name, count }]) =>
  `${badge} ${name ?? ""}: ${count_of(count, "act")}`;

const address = (day, from = "") => `#people/${day}${from ? `/${from}` : ""}`;

const step = (to, text) => element("a", { class: "button", href: to }, text);

function day_choice(all, day) {
  const choice = element(
    "select",
    {
      id: "acts_day",
      on_change: (event) => {
        location.hash = address(event.target.value);
      },
    },
    all.map((one) =>
      element("option", { value: one, selected: one === day }, `${one} ${weekday(one)}`),
    ),
  );
  return element(
    "div",
    { class: "asking" },
    element("label", { for: "acts_day" }, "Gaming day"),
    choice,
  );
}

function people_of(acts) {
  const people = new Map();
  for (const { badge, name } of acts) {
    const { count } = people.get(badge) ?? { count: 0 };
    people.set(badge, { name, count: count + 1 });
  }
  return paragraph("quiet", [...people].map(person_words).join(" · "));
}

// Which part of the day is shown; null for the whole day.
function part_of(day, from, { acts, next }) {
  if (from === 0 && !next) return null;
  const first = from === 0 ? "the beginning of the day" : `entry ${from}`;
  const last = next ? `the entry before ${next}` : "the end of the day";
  return [
    element(
      "p",
      { class: next ? "verdict" : "quiet", "data-state": next ? "warn" : null, role: "status" },
      `Part of the day: ${count_of(acts.length, "act")} from ${first} to ${last}. ` +
        (next ? "There are more acts." : "There are no more acts."),
    ),
    element(
      "nav",
      { class: "choices", "aria-label": "More acts" },
      from > 0 ? step(address(day), "‹ Beginning of the day") : null,
      next ? step(address(day, next), "Next ›") : null,
    ),
  ];
}

export async function show_acts(context, asked, asked_from) {
  const { today, days } = await context.read("/api/days");
  const all = [...(today ? [today.day] : []), ...days.map(({ day }) => day)];
  const day = asked ?? days[0]?.day ?? all[0];
  const from = Math.max(0, Number.parseInt(asked_from, 10) || 0);
  const path = `/api/acts?day=${encodeURIComponent(day)}` + (from > 0 ? `&from=${from}` : "");
  const answer = await context.read(path);
  const part = part_of(day, from, answer);
  const { acts } = answer;
  const no_acts = `There are no acts of people on this day${from > 0 ? " from here on" : ""}.`;
  return [
    element("h2", { tabindex: -1 }, "Acts of people"),
    day_choice(all, day),
    part,
    acts.length === 0
      ? paragraph("quiet", no_acts)
      : [
          people_of(acts),
          figure_table(
            `Acts of ${day}`,
            ["When", "Person", "Act", "Description", "Entry"],
            acts.map((act) => [
              date_and_time(act.at),
              `${act.badge} ${act.name ?? ""}`,
              words(act.act),
              act.words,
              entry_link(act.entry),
            ]),
          ),
        ],
  ];
}
