// Configuration history: what was in force since when, who changed it, and each changed line as it
// was and as it is.
import { element } from "./element.js";
import { entry_link } from "./figure_table.js";
import { count_of, date_and_time } from "./words.js";

// "C4-MEGA major rate 3% -> 3.1%": before and after, where the line has both.
function change_of(line) {
  const at = line.indexOf(" -> ");
  if (at < 0) return element("li", { class: "change" }, line);
  const unseen = (text) => element("span", { class: "unseen" }, text);
  return element(
    "li",
    { class: "change" },
    element("span", { class: "was" }, unseen("was "), line.slice(0, at)),
    element("span", { class: "arrow", "aria-hidden": "true" }, "→"),
    element("ins", {}, unseen("is "), line.slice(at + 4)),
  );
}

function version(told, is_newest) {
  const { since, at, proposed_by: first, confirmed_by: second, changes } = told;
  const who = first ? `proposed by ${first}, confirmed by ${second}` : "as the floor opened";
  return element(
    "li",
    { class: "version" },
    element(
      "p",
      {},
      element("strong", {}, date_and_time(at)),
      " ",
      is_newest ? element("span", { class: "chip good" }, "in force") : null,
      " ",
      entry_link(since),
      element("span", { class: "quiet" }, ` · ${who}`),
    ),
    changes.length > 0
      ? [
          element("p", { class: "quiet small" }, count_of(changes.length, "line")),
          element("ul", { class: "changes" }, changes.map(change_of)),
        ]
      : null,
  );
}

export async function show_configurations(desk) {
  const told = await desk.read("/api/configurations");
  const newest = [...told].sort((one, other) => other.since - one.since);
  return [
    element("h2", { tabindex: -1 }, "Configuration"),
    element("p", { class: "quiet" }, "No parameter changes but by two persons, with an entry."),
    element("ol", { class: "versions" }, newest.map((one, at) => version(one, at === 0))),
  ];
}
