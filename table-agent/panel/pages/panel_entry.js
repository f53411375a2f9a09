// Entry: the cards that a dealer enters: touched on the grid, typed ("as", "10h", "Kd"), or as text
// from a scanner. Laws: no card of one deck can be entered twice, and a hand takes no more cards
// than its game allows. Everything can be corrected until it is sent. Nothing is sent by itself.
import { RANKS, card, card_name, cards_of } from "./cards.js";
import { box, button, element, error_line, span, text_input, toggle } from "./element.js";

const SUITS = [..."shdc"];
const JOKER = "Xx";

// What is entered and not sent, by target ("seat 3", "dealer", "board", "draw").
export class Entry {
  constructor(changed) {
    this.changed = changed;
    this.round = null;
    this.clear();
  }

  clear() {
    this.drafts = new Map();
    this.target = null;
    this.rank = null;  // a typed rank that waits for its suit
    this.error = "";
    this.passed = new Set();
    this.kept = new Set();  // complete hands that wait for the dealer's hand
    this.keyed = new Map();  // by target: the line that the dealer calls
  }

  // A new round discards the entries of the last one.
  of_round(round) {
    if (round === this.round) return;
    this.round = round;
    this.clear();
  }

  cards(target = this.target) { return this.drafts.get(target) ?? []; }

  aim(target) {
    this.target = target;
    this.rank = null;
    this.error = "";
    this.changed();
  }

  // Returns false if the card was not added; then error says why.
  add(code, { most, uses }) {
    this.rank = null;
    const cards = this.cards();
    if (cards.length >= most) this.error = `This hand takes no more than ${most} cards.`;
    else if (uses(code) <= 0) this.error = `The ${card_name(code)} is already on the table.`;
    else {
      this.error = "";
      this.drafts.set(this.target, [...cards, code]);
    }
    this.changed();
    return this.error === "";
  }

  back() {
    this.error = "";
    if (this.rank !== null) this.rank = null;
    else this.drafts.set(this.target, this.cards().slice(0, -1));
    this.changed();
  }

  drop(at) {
    this.error = "";
    this.drafts.set(this.target, this.cards().filter((_, place) => place !== at));
    this.changed();
  }

  forget(target) {
    this.drafts.delete(target);
    this.kept.delete(target);
    this.keyed.delete(target);
    this.passed.delete(target);
  }

  // Handles one typed key; returns true if it belongs to the cards.
  key(key, rules) {
    if (key === "Backspace") {
      this.back();
      return true;
    }
    const lower = key.toLowerCase();
    if (this.rank !== null && SUITS.includes(lower)) {
      this.add(this.rank + lower, rules);
      return true;
    }
    if (this.rank === "T" && key === "0") return true;  // the second key of "10"
    const rank = key === "1" ? "T" : key.toUpperCase();
    if (RANKS.includes(rank)) {
      this.rank = rank;
      this.error = "";
      this.changed();
      return true;
    }
    if (lower === "x" && rules.joker) {
      this.add(JOKER, rules);
      return true;
    }
    return false;
  }
}

// A button for each target; `more` follows them.
export const target_tabs = (entry, targets, chosen, ...more) =>
  element("div", { class: "targets", role: "group", "aria-label": "Target of the cards" },
    targets.map(({ key, label, is_due, is_kept, is_full, is_passed }) => {
      const words = [label, is_kept || is_full ? " ✓" : "", is_passed ? " –" : ""];
      const kind = is_due === false ? "done" : "";
      return toggle(`target_${key.replace(" ", "_")}`, key === chosen?.key, words, () => entry.aim(key), { class: kind });
    }), more);

// The cards of one target: what is entered, then more ways to enter it, and all cards.
export const card_entry = (entry, target, rules, ...more) => [
  entered(entry, target.label, scanner(entry, rules)),
  more,
  entry.error !== "" && error_line(entry.error),
  grid(entry, rules),
];

// The entered cards; a touch removes one.
function entered(entry, label, scan) {
  const cards = entry.cards();
  const name = (code) => `remove the ${card_name(code)}`;
  return element("div", { class: "entered" },
    element("div", { class: "hand", role: "group", "aria-label": `${label}, entered` },
      cards.map((code, at) => button(card(code), () => entry.drop(at), { class: "plain", id: `entered_${at}`, "aria-label": name(code) }))),
    entry.rank !== null && span("rank", `${rank_words(entry.rank)}…`),
    scan,
    button("⌫ Back", () => entry.back(), { id: "back", disabled: cards.length === 0 && entry.rank === null }));
}

const SIGNS = { s: "♠", h: "♥", d: "♦", c: "♣" };
const rank_words = (rank) => (rank === "T" ? "10" : rank);

// Thirteen by four; a card that is already on the table is dim.
function grid(entry, rules) {
  const is_full = entry.cards().length >= rules.most;
  const key = (code, text) => {
    const is_used = rules.uses(code) <= 0;
    return button(text, () => entry.add(code, rules), {
      id: `card_${code}`, class: is_used ? "used" : null, disabled: is_full || is_used, "aria-label": card_name(code),
    });
  };
  return element("div", { class: "grid", role: "group", "aria-label": "Cards" },
    SUITS.map((suit) => box(`suit suit_${suit}`, [...RANKS].reverse().map((rank) => key(rank + suit, rank_words(rank) + SIGNS[suit])))),
    rules.joker && box("joker", key(JOKER, "Joker")));
}

// A scanner types fast and ends with Enter; a person can type here too.
function scanner(entry, rules) {
  const input = text_input("scan", {
    autocapitalize: "off", spellcheck: "false", placeholder: "As Kd Qh", "aria-label": "Cards as text: As Kd Qh", maxlength: 80,
  });
  const take = (event) => {
    event.preventDefault();
    const { cards, wrong } = cards_of(input.value);
    input.value = "";
    for (const code of cards) if (!entry.add(code, rules)) return;
    if (wrong === null) return;
    entry.error = `“${wrong}” is not a card.`;
    entry.changed();
  };
  return element("form", { class: "scan", on_submit: take }, input, element("button", { type: "submit", id: "scan_take" }, "Add"));
}
