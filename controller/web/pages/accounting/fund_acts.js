// Fund acts: what people record about a fund that pots pay into (§ 553.20), as dialogs: what
// security carried to the cage, and the adjustment of the display to what finance keeps. Law: a
// person who counts does not see what another person counted before.
import {
  amount_field,
  badge_field,
  checks_field,
  names_field,
  nodes_field,
  radio_field,
  text_field,
} from "./act_fields.js";
import { paragraph } from "./element.js";

const funds_of = (report) => report.links.filter(({ fund }) => fund);
const fund_field = (funds) =>
  names_field(
    "link",
    "Fund",
    funds.map(({ link }) => link),
  );
const is_container = ({ came }) => came === "container";

function box_words({ counted, transfer }) {
  if (transfer) return `at the cage with entry ${transfer}`;
  return counted === null ? "not counted" : "counted";
}

// Boxes that are counted and not yet at the cage are ticked.
const box_option = (box) => [
  box.table,
  box.table,
  { note: box_words(box), is_chosen: box.counted !== null && !box.transfer },
];

export function ask_cage(acts, report) {
  const funds = funds_of(report);
  const boxes_of = (name) => funds.find(({ link }) => link === name).fund.boxes;
  const boxes = ({ link }) => boxes_of(link).map(box_option);
  const arrived = [
    ["container", "A locked container", { is_chosen: true }],
    ["boxes", "Locked boxes, counted here"],
  ];
  acts.ask({
    title: `To the cage, for ${report.day}`,
    about: paragraph(
      "quiet",
      "The cashier who takes the money records this. A later record of a box replaces the ",
      "earlier one.",
    ),
    fields: [
      fund_field(funds),
      checks_field("tables", "Boxes that the money came from", boxes, {
        class: "boxes",
        need: "Choose the boxes that the money came from.",
      }),
      radio_field("came", "What arrived", arrived),
      amount_field(
        "verified",
        "Amount that you counted in the container, in dollars and cents",
        "Enter the amount that you counted, for example 312.00.",
        { is_shown: is_container },
      ),
      nodes_field(
        paragraph("quiet small", "Also record a count of each box."),
        (values) => !is_container(values),
      ),
      badge_field(
        "carried_by",
        "Carried by (badge of a security officer)",
        "Enter who carried it.",
      ),
      badge_field(
        "accounted_by",
        "Accounted for by (badge of a floorperson or above)",
        "Enter who accounted for it.",
      ),
      text_field("note", "Note (for example the number of the container)"),
    ],
    button: "Record the transfer",
    signer: { right: "count_money", who: "a cashier" },
    path: `/api/days/${report.day}/transfer`,
    body: ({ came, verified = null, ...values }) => ({ ...values, verified }),
  });
}

// The display as it is now, whatever day the page shows.
export function ask_display(acts, report) {
  acts.ask({
    title: "Adjust the display",
    about: paragraph(
      "quiet",
      "This compares the display with what finance keeps. It belongs to the gaming day that runs ",
      `now, not to ${report.day}. It moves no money, and it removes “Pending adjustment”.`,
    ),
    fields: [
      fund_field(funds_of(report)),
      amount_field(
        "kept",
        "Amount that finance keeps, boxes included, in dollars and cents",
        "Enter the amount that finance keeps, for example 312.00.",
      ),
      amount_field("shown", "Amount that you both read on the display (if you did)", "", {
        help: "The controller refuses this if the display shows another amount by then.",
        wrong: "Enter the amount on the display, for example 312.00.",
      }),
      text_field("note", "Note"),
    ],
    button: "Adjust the display",
    signer: { right: "adjust_displays", who: "a finance manager" },
    witness: "a floorperson or above",
    path: ({ link }) => `/api/links/${encodeURIComponent(link)}/display`,
    body: ({ kept, shown, note }) => ({ kept, shown, note }),
  });
}
