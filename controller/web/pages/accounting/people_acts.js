// People's acts: who did what on a gaming day, with the entry that says so. Law: of a day of more
// acts than the controller tells at once a part is shown, says that it is one, and leads on.
import { number_text } from "./amounts.js";
import { weekday } from "./day_list.js";
import { element } from "./element.js";
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
    const told = people.get(badge) ?? { name, count: 0 };
    people.set(badge, { ...told, count: told.count + 1 });
  }
  return element("p", { class: "quiet" }, [...people].map(person_words).join(" · "));
}

// The whole day, or a part of it; that says where it ends, and counts nobody's acts beyond it.
function part_of(day, from, { acts, next }) {
  if (from === 0 && !next) return null;
  const first = from === 0 ? "the day’s first entry" : `entry ${from}`;
  const last = next ? `before entry ${next}` : "the day’s last";
  const count = `${number_text(acts.length)} ${acts.length === 1 ? "act" : "acts"}`;
  return [
    element(
      "p",
      { class: next ? "verdict" : "quiet", "data-state": next ? "warn" : null, role: "status" },
      `A part of the day: ${count}, from ${first} to ${last}. ` +
        (next ? "There are more." : "There are no more."),
    ),
    element(
      "nav",
      { class: "choices", "aria-label": "Further acts" },
      from > 0 ? step(address(day), "‹ From the day’s beginning") : null,
      next ? step(address(day, next), "Further ›") : null,
    ),
  ];
}

export async function show_acts(desk, asked, asked_from) {
  const { today, days } = await desk.read("/api/days");
  const all = [...(today ? [today.day] : []), ...days.map(({ day }) => day)];
  const day = asked ?? days[0]?.day ?? all[0];
  const from = Math.max(0, Number.parseInt(asked_from, 10) || 0);
  const path = `/api/acts?day=${encodeURIComponent(day)}` + (from > 0 ? `&from=${from}` : "");
  const told = await desk.read(path);
  const part = part_of(day, from, told);
  const { acts } = told;
  const nobody = `Nobody did anything that is signed on this day${from > 0 ? " from there on" : ""}.`;
  return [
    element("h2", { tabindex: -1 }, "People’s acts"),
    day_choice(all, day),
    part,
    acts.length === 0
      ? element("p", { class: "quiet" }, nobody)
      : [
          people_of(acts),
          figure_table(
            `Acts of ${day}`,
            ["When", "Who", "What", "In words", "Entry"],
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
