// Day fund: the day of a fund that pots make (§ 553.20): each box with the two who counted it, what
// came to the cage and who brought it, and the display held against what finance keeps. Law: a
// floor without such a fund, and a day in which nobody had to do with it, shows nothing of it.
import { exact_text, units_or_zero } from "./amounts.js";
import { entry_link, figure_table, sheet_part } from "./figure_table.js";
import { element } from "./element.js";
import { date_and_time } from "./words.js";

const amount_of = (text) => (text === null ? "–" : exact_text(units_or_zero(text)));

function difference_of(text) {
  if (text === null) return "–";
  return units_or_zero(text) === 0n
    ? element("span", { class: "quiet" }, "none")
    : element("strong", { class: "bad" }, exact_text(units_or_zero(text)));
}

const is_idle = ({ pots, counted }) => pots === 0 && counted === null;

function boxes_of(link, boxes) {
  const told = boxes.filter((box) => !is_idle(box));
  if (told.length === 0) return null;
  return figure_table(
    `${link}: boxes`,
    ["Box", "#Pots", "#Contributed", "#Counted", "#Difference", "By, before", "To the cage"],
    told.map((box) => [
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
    ["To the cage", "#Counted", "#Verified", "#Difference", "Taken over by", "Carried by", "Entry"],
    transfers.map((moved) => [
      [
        moved.tables.join(", "),
        moved.stands ? null : element("span", { class: "quiet" }, " said again"),
      ],
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
    `${link}: display and fund`,
    ["Display adjusted", "#Shown", "#Kept", "#Difference", "By, before", "Note", "Entry"],
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
      const told = [
        boxes_of(link, fund.boxes),
        transfers_of(link, fund.transfers),
        displays_of(link, fund.displays),
      ].filter(Boolean);
      return told.length > 0 ? sheet_part(`Fund of ${link}`, null, told) : null;
    });
