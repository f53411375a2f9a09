// Fund acts: what people say of a fund that pots make (§ 553.20), as dialogs: what security carried
// to the cage, and the display held against what finance keeps. Laws: those of day acts; whoever
// counts is not told what another one has counted before him.
import { cents_text, choice_field, field, text_field } from "./day_acts.js";
import { element, say, show } from "./element.js";
import { Signature } from "./signature.js";

const funds_of = (report) => report.links.filter(({ fund }) => fund);
const fund_field = (funds) => choice_field("act_link", funds.map(({ link }) => [link, link]));
const badge_field = (id) => text_field(id, { autocapitalize: "characters", spellcheck: "false" });

const choice = (type, properties, ...children) =>
  element("label", { class: "choice" }, element("input", { type, ...properties }), children);

// Says the first thing that is missing, and leads there: [is it missing, what to say, its field].
function is_missing(error, checks) {
  const found = checks.find(([is_so]) => is_so);
  if (!found) return false;
  say(error, found[1]);
  found[2].focus();
  return true;
}

function box_words({ counted, transfer }) {
  if (transfer) return `at the cage with entry ${transfer}`;
  return counted === null ? "not counted" : "counted";
}

// What is counted and still on its way is ticked.
const box_choice = (box) =>
  choice(
    "checkbox",
    { value: box.table, checked: box.counted !== null && !box.transfer },
    element(
      "span",
      {},
      box.table,
      element("span", { class: "quiet small" }, box_words(box)),
    ),
  );

export function ask_cage(acts, report) {
  const funds = funds_of(report);
  const link = fund_field(funds);
  const boxes = element("fieldset", { class: "boxes" });
  const offer_boxes = () => {
    const { fund } = funds.find((one) => one.link === link.value);
    boxes.replaceChildren(
      element("legend", {}, "Boxes it came from"),
      ...fund.boxes.map(box_choice),
    );
  };
  link.addEventListener("change", offer_boxes);
  offer_boxes();
  const verified = text_field("act_verified", { inputmode: "decimal" });
  const of_container = element(
    "div",
    { class: "other" },
    field("act_verified", "What you counted in it, dollars and cents", verified),
  );
  const of_boxes = element("p", { class: "quiet small" }, "Record a count of each one, too.");
  const came = element(
    "fieldset",
    {},
    element("legend", {}, "What came"),
    choice("radio", { name: "act_came", value: "container", checked: true }, "A locked container"),
    of_container,
    choice("radio", { name: "act_came", value: "boxes" }, "Locked boxes, counted here"),
    of_boxes,
  );
  const is_container = () => came.querySelector("input:checked").value === "container";
  const offer_amount = () => {
    show(of_container, is_container());
    show(of_boxes, !is_container());
  };
  came.addEventListener("change", offer_amount);
  offer_amount();
  const carried_by = badge_field("act_carried_by");
  const accounted_by = badge_field("act_accounted_by");
  const note = text_field("act_note");
  acts.ask({
    title: `To the cage, for ${report.day}`,
    about: element(
      "p",
      { class: "quiet" },
      "Said by the cashier who took it over. Said again of a box, it takes the place of what was ",
      "said before.",
    ),
    fields: [
      field("act_link", "Fund", link),
      boxes,
      came,
      field("act_carried_by", "Carried by (badge of a security officer)", carried_by),
      field(
        "act_accounted_by",
        "Accounted for by (badge of a floorperson or above)",
        accounted_by,
      ),
      field("act_note", "Note, as the number of the container", note),
    ],
    button: "Take it over",
    right: "count_money",
    who: "a cashier",
    send: (error) => {
      const tables = [...boxes.querySelectorAll("input:checked")].map(({ value }) => value);
      const amount = is_container() ? cents_text(verified.value) : null;
      const missing = is_missing(error, [
        [tables.length === 0, "Which boxes it came from.", boxes.querySelector("input") ?? link],
        [is_container() && amount === null, "What you counted, as 312.00.", verified],
        [carried_by.value.trim() === "", "Who carried it.", carried_by],
        [accounted_by.value.trim() === "", "Who accounted for it.", accounted_by],
      ]);
      if (missing) return null;
      return {
        path: `/api/days/${report.day}/transfer`,
        body: {
          link: link.value,
          tables,
          verified: amount,
          carried_by: carried_by.value.trim(),
          accounted_by: accounted_by.value.trim(),
          note: note.value.trim(),
        },
      };
    },
  });
}

// Of the display as it stands now, whatever day is on the screen.
export function ask_display(acts, report) {
  const link = fund_field(funds_of(report));
  const kept = text_field("act_kept", { inputmode: "decimal" });
  const shown = text_field("act_shown", { inputmode: "decimal" });
  const note = text_field("act_note");
  const witness = new Signature(acts.session, {
    is_only_another: true,
    who: "a floorperson or above",
    pin_words: "PIN of the witness",
  });
  acts.ask({
    title: "Adjust the display",
    about: element(
      "p",
      { class: "quiet" },
      "The current display, compared with what finance keeps. It belongs to the gaming day that ",
      `runs now, not to ${report.day}. No money moves, and “pending adjustment” is taken down.`,
    ),
    fields: [
      field("act_link", "Fund", link),
      field("act_kept", "What finance keeps, boxes included, dollars and cents", kept),
      field(
        "act_shown",
        "What you both read on the display (if you did)",
        shown,
        "If it shows another amount by now, this is refused.",
      ),
      field("act_note", "Note", note),
      element(
        "fieldset",
        { class: "witness" },
        element("legend", {}, "Before a witness"),
        witness.place,
      ),
    ],
    button: "Adjust the display",
    right: "adjust_displays",
    who: "a finance manager",
    witness,
    send: (error) => {
      const [kept_now, shown_now] = [kept, shown].map(({ value }) => cents_text(value));
      const is_read = shown.value.trim() !== "";
      const missing = is_missing(error, [
        [kept_now === null, "What finance keeps, as 312.00.", kept],
        [is_read && shown_now === null, "What the display shows, as 312.00.", shown],
      ]);
      if (missing) return null;
      return {
        path: `/api/links/${encodeURIComponent(link.value)}/display`,
        body: { kept: kept_now, shown: shown_now, note: note.value.trim() },
      };
    },
  });
}
