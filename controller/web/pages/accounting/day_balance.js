// Day balance: for every level a row that adds up: opening, increases, decreases, closing. Laws:
// only this file knows the terms and their signs (M14). This page adds up every row again, in exact
// units. A term that is zero for all meters has no column.
import { exact_text, has_fine, is_zero, sum_of, units, units_or_zero } from "./amounts.js";
import { element, paragraph, span, strong } from "./element.js";
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
export function left_over(pool, of_amount = (whole) => whole) {
  const came = TERMS.reduce(
    (sum, [key, , sign]) => sum + sign * of_amount(term(pool, key)),
    of_amount(units_or_zero(pool.opening)),
  );
  return of_amount(units_or_zero(pool.closing)) - came;
}

const whole_cents = (whole) => whole / 1_000_000n;

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

// A row for each of the pools, with its place among those of its link.
const rows_of = ({ links }, pools) =>
  links.flatMap((link) =>
    pools(link).map((pool, at) => ({
      link,
      pool,
      at,
      name: `${link.link} ${level_words(pool.level, "meter")}`,
    })),
  );
const PLACE = ["Link and level", ({ link, pool, at }) => place_words(link, pool, at)];
const first_of_link = ({ at }) => (at === 0 ? "first" : null);

export function balance_table(report) {
  const { first, last } = report.entries;
  const rows = rows_of(report, pools_of);
  const terms = TERMS.filter(
    ([key]) => ALWAYS.includes(key) || rows.some(({ pool }) => term(pool, key) !== 0n),
  );
  const column = (title, words, amount, entry) => [
    `#${title}`,
    ({ link, pool, name }) =>
      explained(
        amount(pool),
        { link: link.link, level: pool.level, at: entry },
        `${name}, ${words}`,
      ),
  ];
  const is_cut = rows.some(
    ({ pool }) => left_over(pool) === 0n && left_over(pool, whole_cents) !== 0n,
  );
  return [
    figure_table(
      "Every meter of the day: opening, changes and closing",
      [
        PLACE,
        column("Opening", "opening", ({ opening }) => units(opening), Math.max(1, first - 1)),
        ...terms.map(([key, title]) =>
          column(title, title.slice(2).toLowerCase(), (pool) => term(pool, key), last),
        ),
        column("= Closing", "closing", ({ closing }) => units(closing), last),
        ["", ({ pool }) => proof(left_over(pool))],
      ],
      rows,
      {
        kind: `balance ${terms.length > 5 ? "is_wide" : ""}`,
        class_of: (row) =>
          [first_of_link(row), left_over(row.pool) === 0n ? "" : "is_off"]
            .filter(Boolean)
            .join(" "),
      },
    ),
    is_cut &&
      paragraph(
        "quiet small cut_note",
        "Amounts are cut to whole cents, so a row can look wrong by a cent. “Exact” shows all.",
      ),
  ];
}

function sign_words({ pool: { shown, closing } }) {
  if (shown === null) return span("quiet", "no sign");
  const cents_of = (text) => whole_cents(units_or_zero(text));
  return cents_of(shown) === cents_of(closing)
    ? span("quiet", "same")
    : element("strong", { class: "warn" }, "differs from the meter");
}

function hits_words({ pool: { hits, partial_hits: partial } }) {
  if (!hits && !partial) return span("nothing", "–");
  return [String(hits), partial ? span("quiet", ` + ${partial} partial`) : null];
}

// The liability to players, beside the amounts on the signs.
export function standing_table(report) {
  const rows = rows_of(report, ({ levels }) => levels);
  const column = (title, key, words = title.toLowerCase()) => [
    `#${title}`,
    ({ link, pool, name }) =>
      explained(
        units(pool[key]),
        { link: link.link, level: pool.level, at: report.entries.last },
        `${name}, ${words}`,
        { has_fine: has_fine(pool[key]) },
      ),
  ];
  const liability = sum_of(rows.map(({ pool }) => pool.liability));
  return [
    figure_table(
      "Liability of each meter at the end of the day",
      [
        PLACE,
        column("Shown", "shown", "shown on the signs"),
        ["Sign", sign_words],
        column("Reseed", "reseed"),
        column("Liability", "liability"),
        column("Withheld", "withheld_closing"),
        column("Pending", "pending_closing"),
        column("Paid", "paid"),
        ["#Hits", hits_words],
      ],
      rows,
      { kind: "standing", class_of: first_of_link },
    ),
    element("p", {}, "Liability of all levels: ", strong(exact_text(liability))),
  ];
}

// "6 meters add up to 10⁻⁸ dollar"
export function balance_words(report) {
  const pools = report.links.flatMap(pools_of);
  const off = pools.filter((pool) => left_over(pool) !== 0n).length;
  return off === 0
    ? `${count_of(pools.length, "meter")} add up to 10⁻⁸ dollar`
    : `${off} of ${count_of(pools.length, "meter")} do not add up`;
}
