// Day fund: one day of a fund that pots pay into (§ 553.20): each box with the two persons who
// counted it, transfers to the cage, and adjustments of the display. Law: without such a fund, and
// on a day without activity, the page shows nothing about it.
import { difference, exact_text, units_or_zero } from "./amounts.js";
import { span } from "./element.js";
import { ENTRY, NOTE, figure_table } from "./figure_table.js";
import { entry_link, sheet_part } from "./page_parts.js";
import { date_and_time } from "./words.js";

const amount_of = (text) => (text === null ? "–" : exact_text(units_or_zero(text)));

const difference_of = (text) => (text === null ? "–" : difference(units_or_zero(text)));

const is_idle = ({ pots, counted }) => pots === 0 && counted === null;

const by_witness = ({ by, witness }) => `${by}, ${witness}`;
const column = (title, key) => [title, (row) => amount_of(row[key])];
const DIFFERENCE = ["#Difference", ({ difference: text }) => difference_of(text)];

const BOXES = [
  ["Box", ({ table }) => table],
  ["#Pots", ({ pots }) => String(pots)],
  column("#Contributed", "contributed"),
  column("#Counted", "counted"),
  DIFFERENCE,
  ["Counted by, witness", (box) => (box.by ? by_witness(box) : "nobody")],
  ["To the cage", ({ transfer }) => (transfer ? entry_link(transfer) : "–")],
];
const TRANSFERS = [
  [
    "To the cage",
    ({ tables, stands }) => [tables.join(", "), stands ? null : span("quiet", " replaced")],
  ],
  column("#Counted", "counted"),
  ["#Verified", ({ verified }) => (verified === null ? "locked boxes" : amount_of(verified))],
  DIFFERENCE,
  ["Received by", ({ by }) => by],
  ["Carried by", (moved) => `${moved.carried_by}, accounted for by ${moved.accounted_by}`],
  ENTRY,
];
const DISPLAYS = [
  ["Display adjusted", ({ at }) => date_and_time(at)],
  column("#Shown", "shown"),
  column("#Kept", "kept"),
  DIFFERENCE,
  ["By, witness", by_witness],
  NOTE,
  ENTRY,
];

export const fund_parts = ({ links }) =>
  links
    .filter(({ fund }) => fund)
    .map(({ link, fund }) => {
      const parts = [
        ["boxes", BOXES, fund.boxes.filter((box) => !is_idle(box))],
        ["to the cage", TRANSFERS, fund.transfers],
        ["adjustments of the display", DISPLAYS, fund.displays],
      ].filter(([, , rows]) => rows.length > 0);
      const tables = parts.map(([what, columns, rows]) =>
        figure_table(`${link}: ${what}`, columns, rows),
      );
      return tables.length > 0 ? sheet_part(`Fund of ${link}`, null, tables) : null;
    });
