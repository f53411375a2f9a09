// Day fund: one day of a fund that pots pay into (§ 553.20): each box with the two persons who
// counted it, transfers to the cage, and adjustments of the display. Law: without such a fund, and
// on a day without activity, the page shows nothing about it.
import { difference, exact_text, units_or_zero } from "./amounts.js";
import { entry_link, figure_table, sheet_part } from "./figure_table.js";
import { span } from "./element.js";
import { date_and_time } from "./words.js";

const amount_of = (text) => (text === null ? "–" : exact_text(units_or_zero(text)));

const difference_of = (text) => (text === null ? "–" : difference(units_or_zero(text)));

const is_idle = ({ pots, counted }) => pots === 0 && counted === null;

function boxes_of(link, boxes) {
  const used = boxes.filter((box) => !is_idle(box));
  if (used.length === 0) return null;
  return figure_table(
    `${link}: boxes`,
    [
      "Box",
      "#Pots",
      "#Contributed",
      "#Counted",
      "#Difference",
      "Counted by, witness",
      "To the cage",
    ],
    used.map((box) => [
      box.table,
      String(box.pots),
      amount_of(box.contributed),
      amount_of(box.counted),
      difference_of(box.difference),
      box.by ? `${box.by}, ${box.witness}` : "nobody",
      box.transfer ? entry_link(box.transfer) : "–",
    ]),
  );
}

function transfers_of(link, transfers) {
  if (transfers.length === 0) return null;
  return figure_table(
    `${link}: to the cage`,
    ["To the cage", "#Counted", "#Verified", "#Difference", "Received by", "Carried by", "Entry"],
    transfers.map((moved) => [
      [moved.tables.join(", "), moved.stands ? null : span("quiet", " replaced")],
      amount_of(moved.counted),
      moved.verified === null ? "locked boxes" : amount_of(moved.verified),
      difference_of(moved.difference),
      moved.by,
      `${moved.carried_by}, accounted for by ${moved.accounted_by}`,
      entry_link(moved.entry),
    ]),
  );
}

function displays_of(link, displays) {
  if (displays.length === 0) return null;
  return figure_table(
    `${link}: adjustments of the display`,
    ["Display adjusted", "#Shown", "#Kept", "#Difference", "By, witness", "Note", "Entry"],
    displays.map((held) => [
      date_and_time(held.at),
      amount_of(held.shown),
      amount_of(held.kept),
      difference_of(held.difference),
      `${held.by}, ${held.witness}`,
      held.note,
      entry_link(held.entry),
    ]),
  );
}

export const fund_parts = ({ links }) =>
  links
    .filter(({ fund }) => fund)
    .map(({ link, fund }) => {
      const parts = [
        boxes_of(link, fund.boxes),
        transfers_of(link, fund.transfers),
        displays_of(link, fund.displays),
      ].filter(Boolean);
      return parts.length > 0 ? sheet_part(`Fund of ${link}`, null, parts) : null;
    });
