// Entry: the cards that a dealer enters: touched on the grid, typed ("as", "10h", "Kd"), or as text
// from a scanner. Laws: no card of one deck can be entered twice, and a hand takes no more cards
// than its game allows. Everything can be corrected until it is sent. Nothing is sent by itself.
import { card, card_name, cards_of } from "./cards.js";
import { element, span } from "./element.js";

const RANKS = [..."AKQJT98765432"];
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
  element("div", { class: "targets", role: "group", "aria-label": "Target of the cards" }, targets.map((one) => element("button", {
    type: "button", id: `target_${one.key.replace(" ", "_")}`, class: one.is_due === false ? "done" : "",
    "aria-pressed": one.key === chosen?.key ? "true" : "false", on_click: () => entry.aim(one.key),
  }, one.label, one.is_kept || one.is_full ? " ✓" : "", one.is_passed ? " –" : "")), more);

// The entered cards; a touch removes one.
export function entered(entry, label, scan) {
  const cards = entry.cards();
  return element("div", { class: "entered" },
    element("div", { class: "hand", role: "group", "aria-label": `${label}, entered` },
      cards.map((code, at) => element("button", {
        type: "button", class: "plain", id: `entered_${at}`,
        "aria-label": `remove the ${card_name(code)}`, on_click: () => entry.drop(at),
      }, card(code)))),
    entry.rank !== null && span("rank", `${entry.rank === "T" ? "10" : entry.rank}…`),
    scan,
    element("button", {
      type: "button", id: "back", disabled: cards.length === 0 && entry.rank === null,
      on_click: () => entry.back(),
    }, "⌫ Back"));
}

const SIGNS = { s: "♠", h: "♥", d: "♦", c: "♣" };

// Thirteen by four; a card that is already on the table is dim.
export function grid(entry, rules) {
  const is_full = entry.cards().length >= rules.most;
  const button = (code, text) => element("button", {
    type: "button", id: `card_${code}`, class: rules.uses(code) <= 0 ? "used" : null, disabled: is_full || rules.uses(code) <= 0,
    "aria-label": card_name(code), on_click: () => entry.add(code, rules),
  }, text);
  return element("div", { class: "grid", role: "group", "aria-label": "Cards" },
    SUITS.map((suit) => element("div", { class: `suit suit_${suit}` },
      RANKS.map((rank) => button(rank + suit, `${rank === "T" ? "10" : rank}${SIGNS[suit]}`)))),
    rules.joker && element("div", { class: "joker" }, button(JOKER, "Joker")));
}

// A scanner types fast and ends with Enter; a person can type here too.
export function scanner(entry, rules) {
  const input = element("input", {
    type: "text", id: "scan", autocomplete: "off", autocapitalize: "off", spellcheck: "false",
    placeholder: "As Kd Qh", "aria-label": "Cards as text: As Kd Qh", maxlength: 80,
  });
  const take = () => {
    const { cards, wrong } = cards_of(input.value);
    input.value = "";
    for (const code of cards) if (!entry.add(code, rules)) return;
    if (wrong === null) return;
    entry.error = `“${wrong}” is not a card.`;
    entry.changed();
  };
  return element("form", { class: "scan", on_submit: (event) => { event.preventDefault(); take(); } },
    input, element("button", { type: "submit", id: "scan_take" }, "Add"));
}
