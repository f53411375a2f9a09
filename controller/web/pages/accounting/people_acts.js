// Acts of people: who did what on a gaming day, with the entry. Law: if the day has more acts than
// the controller sends at once, the page says that it shows a part, and links to the next part.
import { weekday } from "./day_list.js";
import { box, label_of, paragraph } from "./element.js";
import { ENTRY, WHEN, figure_table } from "./figure_table.js";
import { choices, link_button, page_list, page_title, verdict } from "./page_parts.js";
import { count_of, words } from "./words.js";

const person_words = ([badge, { name, count }]) =>
  `${badge} ${name ?? ""}: ${count_of(count, "act")}`;

const address = (day, from = "") => `#people/${day}${from ? `/${from}` : ""}`;

const COLUMNS = [
  WHEN,
  ["Person", ({ badge, name }) => `${badge} ${name ?? ""}`],
  ["Act", ({ act }) => words(act)],
  ["Description", (act) => act.words],
  ENTRY,
];

const day_choice = (all, day) =>
  box(
    "asking",
    label_of("acts_day", "Gaming day"),
    page_list(
      { id: "acts_day" },
      address,
      all.map((one) => [one, `${one} ${weekday(one)}`, one === day]),
    ),
  );

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
  const part = `Part of the day: ${count_of(acts.length, "act")} from ${first} to ${last}.`;
  return [
    next
      ? verdict("warn", `${part} There are more acts.`)
      : paragraph("quiet", `${part} There are no more acts.`),
    choices(
      "More acts",
      from > 0 && link_button(address(day), "‹ Beginning of the day"),
      next && link_button(address(day, next), "Next ›"),
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
    page_title("Acts of people"),
    day_choice(all, day),
    part,
    acts.length === 0
      ? paragraph("quiet", no_acts)
      : [people_of(acts), figure_table(`Acts of ${day}`, COLUMNS, acts)],
  ];
}
