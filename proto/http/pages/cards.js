// Cards: playing cards as drawings with large indices, readable across a table, with names for
// screen readers ("king of spades"). A card is a rank of 23456789TJQKA and a suit of cdhs; the
// joker is Xx. The colours are classes of linkmeter.css: two, or four if the page has
// data-deck="four".
import { drawing, element } from "./element.js";
import { listed } from "./words.js";

// From the lowest to the highest, and their names.
export const RANKS = [..."23456789TJQKA"];
const NAMES = "two three four five six seven eight nine ten jack queen king ace".split(" ");
const SUITS = { c: "clubs", d: "diamonds", h: "hearts", s: "spades" };

// Each shape fits a box of 32 by 32.
const SHAPES = {
  h: "M16 29C7 21 2 16 2 10a7 7 0 0 1 14-2 7 7 0 0 1 14 2c0 6-5 11-14 19z",
  d: "M16 1l11 15-11 15L5 16z",
  s: "M16 2C11 9 3 13 3 20a6.6 6.6 0 0 0 11.4 4.5C14.2 27 13 29 11 30.5h10c-2-1.5-3.2-3.5-3.4-6A6.6 6.6 0 0 0 29 20C29 13 21 9 16 2z",
  c: "M16 2a6.8 6.8 0 0 1 5.2 11.2A6.8 6.8 0 1 1 17.8 23.6c.3 3 1.4 5.4 3.2 6.9H11c1.8-1.5 2.9-3.9 3.2-6.9A6.8 6.8 0 1 1 10.8 13.2 6.8 6.8 0 0 1 16 2z",
};
const STAR = "M16 1l4.4 10.3L31 12.2l-8.1 7.2L25.5 30 16 24.3 6.5 30l2.6-10.6L1 12.2l10.6-.9z";

// "Ks" -> "king of spades"; a text that is not a card is returned unchanged.
export function card_name(code) {
  if (code === "Xx") return "joker";
  const rank = NAMES[RANKS.indexOf(code?.[0])];
  const suit = SUITS[code?.[1]];
  return rank && suit && code.length === 2 ? `${rank} of ${suit}` : String(code);
}

// "as" -> "As", "10H" -> "Th"; null if the text is not a card.
function card_of(text) {
  const known = text.replace(/^10/, "T");
  if (/^xx?$/i.test(known) || /^joker$/i.test(known)) return "Xx";
  if (known.length !== 2) return null;
  const code = known[0].toUpperCase() + known[1].toLowerCase();
  return RANKS.includes(code[0]) && code[1] in SUITS ? code : null;
}

// Reads "As Kd, Qh" or "AsKdQh": the cards before the first wrong piece, and that piece or null.
export function cards_of(text) {
  const pieces = text
    .trim()
    .split(/[\s,;]+/)
    .filter((piece) => piece !== "")
    .flatMap((piece) => (card_of(piece) !== null ? [piece] : (piece.match(/10.|[^1].|./g) ?? [])));
  const cards = [];
  for (const piece of pieces) {
    const code = card_of(piece);
    if (code === null) return { cards, wrong: piece };
    cards.push(code);
  }
  return { cards, wrong: null };
}

const word = (y, text) =>
  drawing("text", { class: "card_word", x: 50, y, "text-anchor": "middle" }, text);

// What stands on the face of a card.
function face_of(code, name) {
  if (code === "Xx") {
    const star = drawing("path", { d: STAR, transform: "translate(18 30) scale(2)" });
    return [star, word(122, "JOKER")];
  }
  if (name === code) return word(76, name);
  const is_ten = code[0] === "T";
  const narrow = is_ten ? { textLength: 56, lengthAdjust: "spacingAndGlyphs" } : {};
  const rank = { class: "card_rank", x: is_ten ? 7 : 11, y: 60, ...narrow };
  return [
    drawing("text", rank, is_ten ? "10" : code[0]),
    drawing("path", {
      d: SHAPES[code[1]],
      transform: `translate(33 73) scale(${58 / 32})`,
    }),
  ];
}

export function card(code) {
  const name = card_name(code);
  const suit = name === code || code === "Xx" ? "x" : code[1];
  return drawing(
    "svg",
    { class: `card suit_${suit}`, viewBox: "0 0 100 140", role: "img", "aria-label": name },
    drawing("rect", { class: "card_face", x: 1, y: 1, width: 98, height: 138, rx: 9 }),
    face_of(code, name),
  );
}

// A row of cards, which a screen reader reads as one: "Seat 2: nine of hearts, ten of hearts".
export function hand(codes, label) {
  const names = codes.length > 0 ? listed(codes.map(card_name)) : "no cards";
  return element(
    "div",
    { class: "hand", role: "group", "aria-label": `${label}: ${names}` },
    codes.map(card),
  );
}
