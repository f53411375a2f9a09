// People's acts: who did what on a gaming day, with the entry that says so.
import { weekday } from "./day_list.js";
import { element } from "./element.js";
import { entry_link, figure_table } from "./figure_table.js";
import { count_of, date_and_time, words } from "./words.js";

const person_words = ([badge, { name, count }]) =>
  `${badge} ${name ?? ""}: ${count_of(count, "act")}`;

export async function show_acts(desk, asked) {
  const { today, days } = await desk.read("/api/days");
  const all = [...(today ? [today.day] : []), ...days.map(({ day }) => day)];
  const day = asked ?? days[0]?.day ?? all[0];
  const choice = element(
    "select",
    {
      id: "acts_day",
      on_change: (event) => {
        location.hash = `#people/${event.target.value}`;
      },
    },
    all.map((one) =>
      element("option", { value: one, selected: one === day }, `${one} ${weekday(one)}`),
    ),
  );
  const { acts } = await desk.read(`/api/acts?day=${encodeURIComponent(day)}`);
  const people = new Map();
  for (const { badge, name } of acts) {
    const told = people.get(badge) ?? { name, count: 0 };
    people.set(badge, { ...told, count: told.count + 1 });
  }
  return [
    element("h2", { tabindex: -1 }, "People’s acts"),
    element(
      "div",
      { class: "asking" },
      element("label", { for: "acts_day" }, "Gaming day"),
      choice,
    ),
    acts.length === 0
      ? element("p", { class: "quiet" }, "Nobody did anything that is signed on this day.")
      : [
          element(
            "p",
            { class: "quiet" },
            [...people].map(person_words).join(" · "),
          ),
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
