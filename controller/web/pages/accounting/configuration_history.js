// Configuration history: each configuration with its time, the people who changed it, and every
// changed line before and after.
import { element, list, paragraph, span, strong } from "./element.js";
import { entry_link, page_title } from "./page_parts.js";
import { count_of, date_and_time } from "./words.js";

// "C4-MEGA major rate 3% -> 3.1%": before and after, if the line has both.
function change_of(line) {
  const at = line.indexOf(" -> ");
  if (at < 0) return line;
  return [
    span("was", span("unseen", "was "), line.slice(0, at)),
    element("span", { class: "arrow", "aria-hidden": "true" }, "→"),
    element("ins", {}, span("unseen", "is "), line.slice(at + 4)),
  ];
}

function version({ since, at, proposed_by: first, confirmed_by: second, changes }, is_newest) {
  const who = first
    ? `proposed by ${first}, confirmed by ${second}`
    : "from the opening of the floor";
  return element(
    "li",
    { class: "version" },
    element(
      "p",
      {},
      strong(date_and_time(at)),
      " ",
      is_newest ? span("chip good", "in force") : null,
      " ",
      entry_link(since),
      span("quiet", ` · ${who}`),
    ),
    changes.length > 0 && [
      paragraph("quiet small", count_of(changes.length, "change")),
      list("changes", changes.map(change_of), "change"),
    ],
  );
}

export async function show_configurations(context) {
  const versions = await context.read("/api/configurations");
  const newest = [...versions].sort((one, other) => other.since - one.since);
  return [
    page_title("Configuration"),
    paragraph("quiet", "Two persons make every change of parameters, and the journal records it."),
    element(
      "ol",
      { class: "versions" },
      newest.map((one, at) => version(one, at === 0)),
    ),
  ];
}
