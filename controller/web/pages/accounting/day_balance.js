// Day balance: for every level a row that adds up: opening, increases, decreases, closing. Laws:
// only this file knows the terms and their signs (M14). This page adds up every row again, in exact
// units. A term that is zero for all meters has no column.
import { exact_text, has_fine, is_zero, units, units_or_zero } from "./amounts.js";
import { element, paragraph, span } from "./element.js";
import { explained } from "./explain_tree.js";
import { figure_table } from "./figure_table.js";
import { count_of, level_words } from "./words.js";

// [key, title, +1n or -1n]. A void takes back contributions, but the meter goes on showing them:
// the withheld amount is on the meter without a valid wager (M8).
const TERMS = [
  ["contributed", "+ Contributed", 1n],
  ["seeded", "+ Seeded", 1n],
  ["corrected", "± Corrected", 1n],
  ["transferred", "± Transferred", 1n],
  ["reserve", "± Reserve", 1n],
  ["overflow", "± Overflow", 1n],
  ["withheld", "± Withheld", 1n],
  ["awarded", "− Awarded", -1n],
  ["returned", "+ Returned", 1n],
];
const ALWAYS = ["contributed", "seeded", "awarded"];

// A level gives the amount above its limit to the reserve, and receives from it at a reseed. The
// row of the reserve shows the same from the other side.
const MOVED = {
  withheld: ["withheld_closing", "withheld_opening"],
  reserve: ["from_reserve", "to_levels"],
  overflow: ["overflow", "overflowed"],
};

function term(pool, key) {
  const [came, went] = MOVED[key] ?? [key, ""];
  return units_or_zero(pool[came]) - units_or_zero(pool[went]);
}

// The closing minus opening and terms. The day adds up if this is zero.
export function left_over(pool) {
  const came = TERMS.reduce(
    (sum, [key, , sign]) => sum + sign * term(pool, key),
    units_or_zero(pool.opening),
  );
  return units_or_zero(pool.closing) - came;
}

// The same, from the cents that the page shows.
function cents_left_over(pool) {
  const cut = (whole) => whole / 1_000_000n;
  const came = TERMS.reduce(
    (sum, [key, , sign]) => sum + sign * cut(term(pool, key)),
    cut(units_or_zero(pool.opening)),
  );
  return cut(units_or_zero(pool.closing)) - came;
}

const has_reserve = ({ reserve }) =>
  reserve && Object.values(reserve).some((value) => typeof value === "string" && !is_zero(value));

export const pools_of = (link) => [
  ...link.levels,
  ...(has_reserve(link) ? [{ level: "reserve", ...link.reserve }] : []),
];

const proof = (left) =>
  left === 0n
    ? span("good", "adds up")
    : element("strong", { class: "bad" }, `off by ${exact_text(left)}`);

// Only the first row of a link shows its name; screen readers read it in every row.
const place_words = (link, pool, at) => [
  element("span", { class: at === 0 ? "link_name" : "unseen" }, link.link),
  at === 0 && link.suspended ? span("chip bad", "suspended") : null,
  span("level_name", ` ${level_words(pool.level, "Meter")}`),
];

export function balance_table(report) {
  const { first, last } = report.entries;
  const pools = report.links.flatMap((link) =>
    pools_of(link).map((pool, at) => ({ link, pool, at })),
  );
  const terms = TERMS.filter(
    ([key]) => ALWAYS.includes(key) || pools.some(({ pool }) => term(pool, key) !== 0n),
  );
  const row = ({ link, pool, at }) => {
    const left = left_over(pool);
    const name = `${link.link} ${level_words(pool.level, "meter")}`;
    const cell = (whole, title, entry) =>
      explained(whole, { link: link.link, level: pool.level, at: entry }, `${name}, ${title}`);
    return {
      class: `${at === 0 ? "first" : ""} ${left === 0n ? "" : "is_off"}`,
      cells: [
        place_words(link, pool, at),
        cell(units(pool.opening), "opening", Math.max(1, first - 1)),
        ...terms.map(([key, title]) => cell(term(pool, key), title.slice(2).toLowerCase(), last)),
        cell(units(pool.closing), "closing", last),
        proof(left),
      ],
    };
  };
  const is_cut = pools.some(({ pool }) => left_over(pool) === 0n && cents_left_over(pool) !== 0n);
  return [
    figure_table(
      "Every meter of the day: opening, changes and closing",
      ["Link and level", "#Opening", ...terms.map(([, title]) => `#${title}`), "#= Closing", ""],
      pools.map(row),
      { kind: `balance ${terms.length > 5 ? "is_wide" : ""}` },
    ),
    is_cut
      ? paragraph(
          "quiet small cut_note",
          "Amounts are cut to whole cents, so a row can look wrong by a cent. “Exact” shows all.",
        )
      : null,
  ];
}

const STANDING_TITLES = ["Link and level", "#Shown", "Sign", "#Reseed", "#Liability"].concat([
  "#Withheld",
  "#Pending",
  "#Paid",
  "#Hits",
]);

// The liability to players, beside the amounts on the signs.
export function standing_table(report) {
  const { last } = report.entries;
  const levels = report.links.flatMap((link) => link.levels.map((level, at) => [link, level, at]));
  const row = ([link, level, at]) => {
    const name = `${link.link} ${level_words(level.level, "meter")}`;
    const place = { link: link.link, level: level.level, at: last };
    const cell = (text, title) =>
      explained(units(text), place, `${name}, ${title}`, { has_fine: has_fine(text) });
    const sign_differs = level.shown !== null && cut(level.shown) !== cut(level.closing);
    return {
      class: at === 0 ? "first" : "",
      cells: [
        place_words(link, level, at),
        cell(level.shown, "shown on the signs"),
        sign_differs
          ? element("strong", { class: "warn" }, "differs from the meter")
          : span("quiet", level.shown === null ? "no sign" : "same"),
        cell(level.reseed, "reseed"),
        cell(level.liability, "liability"),
        cell(level.withheld_closing, "withheld"),
        cell(level.pending_closing, "pending"),
        cell(level.paid, "paid"),
        hits_words(level),
      ],
    };
  };
  const cut = (text) => units_or_zero(text) / 1_000_000n;
  const liability = levels.reduce((sum, [, level]) => sum + units_or_zero(level.liability), 0n);
  return [
    figure_table(
      "Liability of each meter at the end of the day",
      STANDING_TITLES,
      levels.map(row),
      { kind: "standing" },
    ),
    element("p", {}, "Liability of all levels: ", element("strong", {}, exact_text(liability))),
  ];
}

const hits_words = ({ hits, partial_hits: partial }) =>
  hits || partial
    ? [String(hits), partial ? span("quiet", ` + ${partial} partial`) : null]
    : span("nothing", "–");

// "6 meters add up to 10⁻⁸ dollar"
export function balance_words(report) {
  const pools = report.links.flatMap(pools_of);
  const off = pools.filter((pool) => left_over(pool) !== 0n).length;
  return off === 0
    ? `${count_of(pools.length, "meter")} add up to 10⁻⁸ dollar`
    : `${off} of ${count_of(pools.length, "meter")} do not add up`;
}
