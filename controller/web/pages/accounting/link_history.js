// Link history: for each link and level a picture over days, and its figures.
import { amount_or_dash, exact, has_fine, percent, sum_of, zero } from "./amounts.js";
import { element, paragraph, span } from "./element.js";
import { figure_table } from "./figure_table.js";
import { history_picture, holds_of } from "./history_picture.js";
import { choices, day_link, link_button, page_list, page_title } from "./page_parts.js";
import { count_of, level_words } from "./words.js";

const SPANS = [30, 90, 365];
const BUTTONS_MAX = 8; // with more levels they become a list

const name_of = (link, level) => `${link} ${level_words(level).toLowerCase()}`.trim();
const address = (link, level, days) =>
  `#links/${encodeURIComponent(link)}/${encodeURIComponent(level)}/${days}`;

function level_choices(links, link, level, days) {
  const all = links.flatMap((one) =>
    one.levels.map((at) => [
      address(one.link, at.level, days),
      name_of(one.link, at.level),
      one.link === link && at.level === level,
    ]),
  );
  return all.length <= BUTTONS_MAX
    ? all.map((one) => link_button(...one))
    : page_list({ "aria-label": "Link and level" }, (value) => value, all);
}

// A column with its sum under it.
function summed(title, key, points) {
  const amounts = points.map((point) => point[key]);
  const sum = sum_of(amounts);
  const foot = sum === 0n ? zero() : exact(sum, { has_fine: amounts.some(has_fine) });
  return [title, (point) => amount_or_dash(point[key]), foot];
}

function figures(points) {
  const holds = holds_of(points);
  const hold = (at) => percent(holds.at(at).hold, holds.at(at).handle);
  return figure_table(
    "The days of the picture in figures, newest first",
    [
      ["Day", ({ day }) => day_link(day), count_of(points.length, "day")],
      ["#Closing", ({ closing }) => amount_or_dash(closing), ""],
      summed("#Contributed", "contributed", points),
      summed("#Seeded", "seeded", points),
      summed("#Awarded", "awarded", points),
      summed("#Handle", "handle", points),
      summed("#Paid", "paid", points),
      ["#Hold since the first day", (point) => hold(points.indexOf(point)), hold(-1)],
    ],
    [...points].reverse(),
  );
}

export async function show_links(context, asked_link, asked_level, asked_days) {
  const { links } = await context.read("/api/accounting");
  const with_meter = links.filter(({ levels }) => levels.length > 0);
  const link = asked_link ?? with_meter[0]?.link;
  const level = asked_level ?? with_meter.find((one) => one.link === link)?.levels[0].level;
  const days = SPANS.includes(Number(asked_days)) ? Number(asked_days) : SPANS[0];
  if (link === undefined || level === undefined) {
    return [page_title("Links"), element("p", {}, "No link has a meter.")];
  }
  const history = `/api/links/${encodeURIComponent(link)}/history`;
  const asked = `level=${encodeURIComponent(level)}&days=${days}`;
  const { points } = await context.read(`${history}?${asked}`);
  const name = name_of(link, level);
  return [
    page_title(name),
    choices(
      "Level and span",
      level_choices(with_meter, link, level, days),
      span("gap"),
      SPANS.map((span) => link_button(address(link, level, span), `${span} days`, span === days)),
    ),
    points.length === 0
      ? paragraph("quiet", "There is no history, because no gaming day has ended yet.")
      : [history_picture(name, points), figures(points)],
  ];
}
