// Link history: for each link and level a picture over days, and its figures.
import { amount_or_dash, exact, has_fine, percent, sum_of, zero } from "./amounts.js";
import { element, paragraph, span } from "./element.js";
import { figure_table } from "./figure_table.js";
import { history_picture, holds_of } from "./history_picture.js";
import { count_of, level_words } from "./words.js";

const TITLES = ["Day", "#Closing", "#Contributed", "#Seeded", "#Awarded"].concat([
  "#Handle",
  "#Paid",
  "#Hold since the first day",
]);
const SPANS = [30, 90, 365];
const BUTTONS_MAX = 8; // with more levels they become a list

const name_of = (link, level) => `${link} ${level_words(level).toLowerCase()}`.trim();
const address = (link, level, days) =>
  `#links/${encodeURIComponent(link)}/${encodeURIComponent(level)}/${days}`;

const button = (href, is_here, words) =>
  element("a", { class: "button", href, "aria-current": is_here ? "page" : null }, words);

function level_choices(links, link, level, days) {
  const all = links.flatMap((one) => one.levels.map((at) => [one.link, at.level]));
  const is_here = ([one, at]) => one === link && at === level;
  if (all.length <= BUTTONS_MAX) {
    return all.map((one) => button(address(...one, days), is_here(one), name_of(...one)));
  }
  const go = (event) => {
    location.hash = event.target.value;
  };
  return element(
    "select",
    { "aria-label": "Link and level", on_change: go },
    all.map((one) =>
      element("option", { value: address(...one, days), selected: is_here(one) }, name_of(...one)),
    ),
  );
}

const choices = (links, link, level, days) =>
  element(
    "nav",
    { class: "choices", "aria-label": "Level and span" },
    level_choices(links, link, level, days),
    span("gap"),
    SPANS.map((span) => button(address(link, level, span), span === days, `${span} days`)),
  );

function sum_cell(amounts) {
  const sum = sum_of(amounts);
  return sum === 0n ? zero() : exact(sum, { has_fine: amounts.some(has_fine) });
}

function figures(points) {
  const holds = holds_of(points);
  return figure_table(
    "The days of the picture in figures, newest first",
    TITLES,
    points
      .map((point, at) => [
        element("a", { class: "entry", href: `#day/${point.day}` }, point.day),
        ...["closing", "contributed", "seeded", "awarded", "handle", "paid"].map((key) =>
          amount_or_dash(point[key]),
        ),
        percent(holds[at].hold, holds[at].handle),
      ])
      .reverse(),
    {
      foot: [
        [
          count_of(points.length, "day"),
          "",
          ...["contributed", "seeded", "awarded", "handle", "paid"].map((key) =>
            sum_cell(points.map((point) => point[key])),
          ),
          percent(holds.at(-1).hold, holds.at(-1).handle),
        ],
      ],
    },
  );
}

export async function show_links(context, asked_link, asked_level, asked_days) {
  const { links } = await context.read("/api/accounting");
  const with_meter = links.filter(({ levels }) => levels.length > 0);
  const link = asked_link ?? with_meter[0]?.link;
  const level = asked_level ?? with_meter.find((one) => one.link === link)?.levels[0].level;
  const days = SPANS.includes(Number(asked_days)) ? Number(asked_days) : SPANS[0];
  if (link === undefined || level === undefined) {
    return [element("h2", { tabindex: -1 }, "Links"), element("p", {}, "No link has a meter.")];
  }
  const history = `/api/links/${encodeURIComponent(link)}/history`;
  const asked = `level=${encodeURIComponent(level)}&days=${days}`;
  const { points } = await context.read(`${history}?${asked}`);
  const name = name_of(link, level);
  return [
    element("h2", { tabindex: -1 }, name),
    choices(with_meter, link, level, days),
    points.length === 0
      ? paragraph("quiet", "There is no history, because no gaming day has ended yet.")
      : [history_picture(name, points), figures(points)],
  ];
}
