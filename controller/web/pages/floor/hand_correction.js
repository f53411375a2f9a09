// Hand correction: a dialog that puts right a hand of an open round, what lies on the dealer's side
// of it, or a hand or the board of one of the latest pots: which table, which hand, how it was
// entered, how it lies there or that nobody has one, why, and who signs. The dealer's entry
// stays; the controller decides what follows. Laws: the hand is read anew whenever a table is
// chosen and after every correction; what was typed is cards to look at before anybody signs.
import { cards_of, hand } from "./cards.js";
import { Reasons } from "./claim_acts.js";
import { element, say, show } from "./element.js";
import { ask } from "./sign_in.js";
import { Signature } from "./signature.js";
import { listed, sentence } from "./words.js";

const HAND_REASONS = {
  misread_card: "A card was misread",
  wrong_seat: "The cards are another seat's",
  missed_card: "A card was missed, or one too many was taken in",
  wrong_fold: "The hand was folded, or was not",
  other_error: "Another error",
};
const CARDS_LENGTH_MAX = 200;

// What can be put right at a table, each with the words for it. (The drawn Lucky position is no
// card: it is put right from a command line.)
const on_dealers_side = (round, dealer) =>
  [
    ["cards", "the dealer", dealer.cards],
    ["board", "the board", dealer.board],
    ["magic", "the Magic Card", dealer.magic ? [dealer.magic] : []],
  ]
    .filter(([, , cards]) => cards.length > 0)
    .map(([part, whose, cards]) => {
      const name = `Round ${round}, ${whose}`;
      return { ...dealer, kind: "dealer", part, round, whose, name, cards, folded: false };
    });
const in_round = ({ round, hands, dealer }) => [
  ...hands.filter((one) => !one.void).map((one) => ({ kind: "hand", round, whose: `seat ${one.seat}`, name: `Round ${round}, seat ${one.seat}`, ...one })),
  ...(dealer ? on_dealers_side(round, dealer) : []),
];
const in_pot = ({ pot, hands, board, entry, claims }) => [
  ...hands.map((one) => ({ kind: "pot", round: pot, whose: `seat ${one.seat}`, name: `Pot ${pot}, seat ${one.seat}`, entry, claims, ...one })),
  { kind: "board", round: pot, whose: "the board", name: `Pot ${pot}, the board`, entry, claims, cards: board, folded: false },
];

export class HandCorrection {
  // told(text): a hand was put right.
  constructor(session, dialog, told) {
    Object.assign(this, { session, dialog, told });
  }

  open(tables) {
    this.asked = 0;
    this.shown = [];
    const choose = (id, label, on_change) => {
      const select = element("select", { id, on_change });
      return [element("label", { for: id }, label), select];
    };
    const [table_label, table] = choose("hand_table", "Table", () => this.read());
    const [hand_label, choice] = choose("hand_choice", "Hand", () => this.write_old());
    table.append(...tables.map((name) => element("option", { value: name }, name)));
    this.table = table;
    this.choice = choice;
    this.none = element("p", { class: "quiet", role: "status" });
    this.old = element("div", { class: "hand_place" });
    this.standing = element("p", { class: "error" });
    this.cards = element("input", {
      id: "hand_cards",
      type: "text",
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      maxlength: CARDS_LENGTH_MAX,
      placeholder: "As Ks Qs",
      on_input: () => this.write_new(),
    });
    this.now = element("div", { class: "hand_place" });
    this.folded = element("input", { type: "checkbox" });
    this.no_hand = element("input", {
      id: "no_hand",
      type: "checkbox",
      on_change: () => this.write_new(),
    });
    this.reasons = new Reasons(HAND_REASONS);
    this.signature = new Signature(this.session, {
      by_another: !this.session.has("correct_hands"),
      who: "floorperson",
    });
    this.done = element("p", { class: "told", role: "status" });
    this.error = element("p", { id: "hand_error", class: "error", role: "alert" });
    this.dialog.replaceChildren(
      element(
        "form",
        { class: "act_form", on_submit: (event) => this.send(event), novalidate: true },
        element("h2", { id: "hand_act_title" }, "Correct a hand"),
        element("p", { class: "quiet" }, "The dealer's entry stays in the journal."),
        table_label,
        table,
        hand_label,
        choice,
        this.none,
        this.old,
        this.standing,
        element("label", { for: "hand_cards" }, "As it lies there: all its cards"),
        this.cards,
        this.now,
        element("label", { class: "choice" }, this.folded, "Folded"),
        element("label", { class: "choice" }, this.no_hand, "Nobody has a hand at this seat"),
        this.reasons.place,
        this.signature.place,
        element(
          "div",
          { class: "buttons" },
          element("button", { type: "submit", class: "main" }, "Correct the hand"),
          element(
            "button",
            { type: "button", class: "plain", on_click: () => this.dialog.close() },
            "Close",
          ),
        ),
        this.done,
        this.error,
      ),
    );
    this.read();
    this.dialog.showModal();
  }

  // The hands of the table's open rounds; `keep`: the one that stays chosen.
  async read(keep = "") {
    this.asked += 1;
    const asked = this.asked;
    const answer = await ask(`/api/tables/${encodeURIComponent(this.table.value)}/rounds`);
    if (asked !== this.asked) return;
    const { rounds = [], pots = [] } = answer.ok ? answer.body : {};
    this.shown = [...rounds.flatMap(in_round), ...pots.flatMap(in_pot)];
    this.choice.replaceChildren(
      ...this.shown.map(({ name }, at) => element("option", { value: at }, name)),
    );
    const kept = this.shown.findIndex(({ name }) => name === keep);
    if (kept >= 0) this.choice.value = kept;
    const nothing = answer.ok ? "No hand of an open round was shown here." : answer.body.message;
    say(this.none, this.shown.length > 0 ? "" : nothing);
    this.write_old();
  }

  chosen() {
    return this.shown[Number(this.choice.value)] ?? null;
  }

  write_old() {
    const chosen = this.chosen();
    this.old.replaceChildren();
    show(this.choice, chosen !== null);
    say(this.standing, "");
    this.cards.value = chosen === null ? "" : chosen.cards.join(" ");
    this.folded.checked = chosen?.folded ?? false;
    this.no_hand.checked = false;
    this.write_new();
    if (chosen === null) return;
    const label = `Entry ${chosen.entry}: ${chosen.whose}${chosen.folded ? ", folded" : ""}`;
    this.old.append(element("p", { class: "label" }, label), hand(chosen.cards, label));
    const claims = chosen.claims.map((claim) => `claim ${claim}`);
    if (claims.length > 0) {
      const rejected = `The correction rejects ${listed(claims)}.`;
      say(this.standing, `${rejected} A claim that was validated has to be rejected first.`);
    }
  }

  write_new() {
    const is_none = this.no_hand.checked;
    const is_seat = ["hand", "pot"].includes(this.chosen()?.kind ?? "hand");
    this.cards.disabled = is_none;
    this.folded.disabled = is_none || !is_seat;
    this.no_hand.disabled = !is_seat;
    const codes = is_none ? [] : cards_of(this.cards.value).cards;
    this.now.replaceChildren(...(codes.length > 0 ? [hand(codes, "New hand")] : []));
  }

  // No hand is said in so many words, never by a field that was left empty.
  said({ kind, part, seat }) {
    const cards = cards_of(this.cards.value).cards.join(" ");
    if (kind === "dealer") return { [part]: cards };
    if (kind === "board") return { board: cards };
    const is_none = this.no_hand.checked;
    if (kind === "pot") {
      const hand = is_none ? { not_dealt_in: true } : { cards, folded: this.folded.checked };
      return { hands: [{ seat, ...hand }] };
    }
    if (is_none) return { seat, no_hand: true, cards: "", folded: false };
    return { seat, cards, folded: this.folded.checked };
  }

  path({ kind, round }) {
    const table = `/api/tables/${encodeURIComponent(this.table.value)}`;
    const name = encodeURIComponent(round);
    if (kind === "pot" || kind === "board") return `${table}/pots/${name}/correct`;
    return `${table}/rounds/${name}/${kind === "dealer" ? "correct_dealer" : "correct"}`;
  }

  async send(event) {
    event.preventDefault();
    const chosen = this.chosen();
    say(this.done, "");
    say(this.error, "");
    if (chosen === null) return say(this.error, "Choose a hand.");
    const { wrong } = cards_of(this.no_hand.checked ? "" : this.cards.value);
    if (wrong !== null) {
      this.cards.focus();
      return say(this.error, `“${wrong.slice(0, 20)}” is no card: write As, Th or 10h.`);
    }
    const why = this.reasons.take();
    if (why === null) return say(this.error, "Choose a reason.");
    const signed = this.signature.take();
    if (signed === null) return;
    const button = event.submitter;
    button.disabled = true;
    const answer = await this.session.post(this.path(chosen), {
      ...this.said(chosen),
      ...why,
      ...signed,
    });
    button.disabled = false;
    if (!answer.ok) return say(this.error, answer.body.message);
    await this.read(chosen.name);
    const { text } = answer.body;
    say(this.done, sentence(text));
    this.told(sentence(text));
  }
}
