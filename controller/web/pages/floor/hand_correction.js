// Hand correction: a dialog that corrects a hand of an open round, the dealer's cards, the board or
// the Magic Card of such a round, or a hand or the board of one of the latest pots. The dealer's
// entry stays in the journal; the controller decides what follows. Laws: the hands are read again
// when a table is chosen and after every correction. The typed cards are shown before anybody
// signs.
import { open_act } from "./act_dialog.js";
import {
  check_field,
  names_field,
  nodes_field,
  reason_fields,
  select_field,
  text_field,
} from "./act_fields.js";
import { cards_of, hand } from "./cards.js";
import { box, paragraph, set_text, show, status_line } from "./element.js";
import { ask } from "./sign_in.js";
import { listed, sentence } from "./words.js";

const HAND_REASONS = {
  misread_card: "A card was misread",
  wrong_seat: "The cards belong to another seat",
  missed_card: "A card was missed, or one too many was entered",
  wrong_fold: "The hand was folded, or was not",
  other_error: "Another error",
};

// What can be corrected at a table, each with its name. (The drawn Lucky position is not a card: it
// is corrected with the command line.)
const on_dealers_side = (round, dealer) =>
  [
    ["cards", "the dealer", dealer.cards],
    ["board", "the board", dealer.board],
    ["magic", "the Magic Card", dealer.magic ? [dealer.magic] : []],
  ]
    .filter(([, , cards]) => cards.length > 0)
    .map(([part, whose, cards]) => {
      const name = `Round ${round}, ${whose}`;
      return { ...dealer, kind: "dealer", part, whose, name, cards, folded: false };
    });
const at_seat = (kind, what, hands) =>
  hands.map((one) => ({
    kind,
    whose: `seat ${one.seat}`,
    name: `${what}, seat ${one.seat}`,
    ...one,
  }));
const in_round = ({ round, hands, dealer }) =>
  [
    ...at_seat(
      "hand",
      `Round ${round}`,
      hands.filter((one) => !one.void),
    ),
    ...(dealer ? on_dealers_side(round, dealer) : []),
  ].map((one) => ({ ...one, round }));
const in_pot = ({ pot, hands, board, entry, claims }) =>
  [
    ...at_seat("pot", `Pot ${pot}`, hands),
    {
      kind: "board",
      whose: "the board",
      name: `Pot ${pot}, the board`,
      cards: board,
      folded: false,
    },
  ].map((one) => ({ round: pot, entry, claims, ...one }));

export class HandCorrection {
  // corrected(text): a hand was corrected.
  constructor(session, dialog, corrected) {
    Object.assign(this, { session, dialog, corrected });
  }

  open(tables) {
    this.readings = 0;
    this.shown = [];
    this.none = status_line("quiet");
    this.old = box("hand_place");
    this.rejected = paragraph("error");
    this.new = box("hand_place");
    this.result = status_line("result");
    const attributes = { autocapitalize: "off", spellcheck: "false", placeholder: "As Ks Qs" };
    const check = () => this.wrong_card();
    this.form = open_act(this.dialog, this.session, {
      id: "hand",
      title: "Correct a hand",
      about: paragraph("quiet", "The dealer's entry stays in the journal."),
      fields: [
        names_field("table", "Table", tables),
        select_field("choice", "Hand", () => this.choices(), { need: "Choose a hand." }),
        nodes_field([this.none, this.old, this.rejected]),
        text_field("cards", "All cards of the hand, as they lie on the table", "", {
          attributes,
          check,
        }),
        nodes_field(this.new),
        check_field("folded", "Folded"),
        check_field("no_hand", "Nobody has a hand at this seat"),
        ...reason_fields(HAND_REASONS),
      ],
      signer: { who: "a floorperson", right: "correct_hands" },
      button: "Correct the hand",
      cancel: "Close",
      path: (values) => this.path(values),
      body: (values) => ({ ...this.correction(values), reason: values.reason, note: values.note }),
      stays_open: true,
      done: (answer) => this.done(answer),
    });
    for (const key of ["table", "choice", "cards", "folded", "no_hand"]) {
      this[key] = this.form.field(key).input;
    }
    this.form.node.append(this.result);
    this.form.node.addEventListener("submit", () => set_text(this.result, ""));
    this.table.addEventListener("change", () => this.read());
    this.choice.addEventListener("change", () => this.write_old());
    this.cards.addEventListener("input", () => this.write_new());
    this.no_hand.addEventListener("change", () => this.write_new());
    this.read();
  }

  choices() {
    return this.shown.map(({ name }, at) => [String(at), name]);
  }

  // Reads the hands of the table; `keep`: the name of the one that stays chosen.
  async read(keep = "") {
    this.readings += 1;
    const reading = this.readings;
    const answer = await ask(`/api/tables/${encodeURIComponent(this.table.value)}/rounds`);
    if (reading !== this.readings) return;
    const { rounds = [], pots = [] } = answer.ok ? answer.body : {};
    this.shown = [...rounds.flatMap(in_round), ...pots.flatMap(in_pot)];
    this.form.update();
    const kept = this.shown.findIndex(({ name }) => name === keep);
    this.choice.value = String(Math.max(0, kept));
    const nothing = answer.ok
      ? "No open round of this table has a hand that was shown."
      : answer.body.message;
    set_text(this.none, this.shown.length > 0 ? "" : nothing);
    this.write_old();
  }

  chosen() {
    return this.shown[Number(this.choice.value)] ?? null;
  }

  write_old() {
    const chosen = this.chosen();
    this.old.replaceChildren();
    show(this.choice, chosen !== null);
    set_text(this.rejected, "");
    this.cards.value = chosen === null ? "" : chosen.cards.join(" ");
    this.folded.checked = chosen?.folded ?? false;
    this.no_hand.checked = false;
    this.write_new();
    if (chosen === null) return;
    const label = `Entry ${chosen.entry}: ${chosen.whose}${chosen.folded ? ", folded" : ""}`;
    this.old.append(paragraph("label", label), hand(chosen.cards, label));
    const claims = chosen.claims.map((claim) => `claim ${claim}`);
    if (claims.length > 0) {
      const rejected = `The correction rejects ${listed(claims)}.`;
      set_text(this.rejected, `${rejected} If a claim is validated, reject it first.`);
    }
  }

  write_new() {
    const is_none = this.no_hand.checked;
    const is_seat = ["hand", "pot"].includes(this.chosen()?.kind ?? "hand");
    this.cards.disabled = is_none;
    this.folded.disabled = is_none || !is_seat;
    this.no_hand.disabled = !is_seat;
    const codes = is_none ? [] : cards_of(this.cards.value).cards;
    this.new.replaceChildren(...(codes.length > 0 ? [hand(codes, "New hand")] : []));
  }

  wrong_card() {
    const { wrong } = cards_of(this.no_hand.checked ? "" : this.cards.value);
    return wrong === null ? "" : `“${wrong.slice(0, 20)}” is not a card. Write As, Th or 10h.`;
  }

  // The body of the request. That nobody has a hand is its own key, never empty cards.
  correction({ no_hand: is_none, folded }) {
    const { kind, part, seat } = this.chosen();
    const cards = cards_of(this.cards.value).cards.join(" ");
    if (kind === "dealer") return { [part]: cards };
    if (kind === "board") return { board: cards };
    if (kind === "pot") {
      return { hands: [{ seat, ...(is_none ? { not_dealt_in: true } : { cards, folded }) }] };
    }
    if (is_none) return { seat, no_hand: true, cards: "", folded: false };
    return { seat, cards, folded };
  }

  path({ table }) {
    const { kind, round } = this.chosen();
    const at = `/api/tables/${encodeURIComponent(table)}`;
    const name = encodeURIComponent(round);
    if (kind === "pot" || kind === "board") return `${at}/pots/${name}/correct`;
    return `${at}/rounds/${name}/${kind === "dealer" ? "correct_dealer" : "correct"}`;
  }

  async done(answer) {
    const text = sentence(answer.body.text);
    this.corrected(text);
    const keep = this.chosen()?.name;
    await this.read(keep);
    set_text(this.result, text);
  }
}
