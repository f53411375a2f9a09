// Pot: a poker hand, reported when it is over: the gross pot, the board, the seats that were dealt
// in, folds, the hands at the showdown, and the winners. Laws: it is sent with one touch, and never
// by itself. The page says what is missing. Only the seats dealt in are kept for the next hand.
import { box, button, element, paragraph, strong, text_input, toggle } from "./element.js";
import { card_entry, target_tabs } from "./panel_entry.js";
import { capitalized, cents, dollars, dollars_of, listed, plain_amount } from "./words.js";

export class Pot {
  constructor() {
    this.dealt = new Set();
    this.round = undefined; // the last reported round
    this.clear();
  }

  // After a report: the players stay.
  clear() {
    this.amount = "";
    this.is_showdown = true;
    this.folded = new Set();
    this.won = new Map(); // by seat: the typed amount that it won; "" means its equal part
  }
}

const seats_text = (seats) => `seat${seats.length === 1 ? "" : "s"} ${listed(seats.map(String))}`;
const dealt_of = (pot) => [...pot.dealt].sort((one, other) => one - other);
const live_of = (pot) => dealt_of(pot).filter((seat) => !pot.folded.has(seat));

// The targets for which cards can be entered: the board, and the seats that have not folded.
function pot_targets(picture, entry, pot) {
  const { game } = picture;
  const board = { key: "board", label: "Board", most: game.board_cards_max };
  const seats = live_of(pot).map((seat) => ({
    key: `seat ${seat}`, label: `Seat ${seat}`, seat, most: game.player_cards_max,
  }));
  return [board, ...seats].map((one) => ({ ...one, is_full: entry.cards(one.key).length === one.most }));
}

function pot_target(targets, entry) {
  const found = targets.find((one) => one.key === entry.target) ?? targets.find((one) => !one.is_full) ?? targets[0];
  entry.target = found.key;
  return found;
}

function pot_rules(picture, entry, target) {
  const lying = [...entry.drafts.values()].flat();
  return {
    most: target.most, joker: picture.game.joker,
    uses: (code) => picture.game.decks - lying.filter((one) => one === code).length,
  };
}

// Moves to the next target that lacks cards.
function pot_advance(targets, entry) {
  const at = targets.findIndex((one) => one.key === entry.target);
  const next = [...targets.slice(at + 1), ...targets.slice(0, at)].find((one) => !one.is_full);
  if (next !== undefined) entry.aim(next.key);
}

// The default parts of the winners: equal parts of the pot after the contribution, odd cents to the
// highest seats.
function parts(picture, pot) {
  const whole = cents(pot.amount);
  const seats = [...pot.won.keys()].sort((one, other) => other - one);
  if (whole === null || seats.length === 0) return new Map();
  const contribution = whole >= cents(picture.pot.minimum) ? cents(picture.pot.contribution) : 0;
  const left = Math.max(0, whole - contribution);
  const odd = left % seats.length;
  return new Map(seats.map((seat, at) => [seat, Math.floor(left / seats.length) + (at < odd ? 1 : 0)]));
}

// Why the pot cannot be reported yet; "" if it can.
function pot_hindrance(picture, entry, pot) {
  const whole = cents(pot.amount);
  if (whole === null || whole <= 0) return "Enter the gross pot: the amount before rake and contribution.";
  if (pot.dealt.size < 2) return "Mark the seats that were dealt in.";
  const live = live_of(pot);
  if (pot.is_showdown) {
    if (live.length < 2) return "A showdown has two hands or more. If all others folded, choose that.";
    if (entry.cards("board").length < picture.game.board_cards_max) {
      return `Enter ${picture.game.board_cards_max} cards of the board for a showdown.`;
    }
    const bare = live.filter((seat) => entry.cards(`seat ${seat}`).length < picture.game.player_cards_min);
    if (bare.length > 0) return `Enter the cards of ${seats_text(bare)}, or mark the fold.`;
  }
  if (pot.won.size === 0) return "Choose who won.";
  for (const [seat, typed] of pot.won) {
    if (typed !== "" && cents(typed) === null) return `Enter what seat ${seat} won, for example 120.00.`;
  }
  return "";
}

function touch_of(picture, entry, pot) {
  const part_of = parts(picture, pot);
  const won_of = (seat) => plain_amount(pot.won.get(seat) === "" ? part_of.get(seat) : cents(pot.won.get(seat)));
  return {
    do: "pot", round: picture.next_round, pot: plain_amount(cents(pot.amount)),
    board: entry.cards("board"), showdown: pot.is_showdown,
    hands: dealt_of(pot).map((seat) => ({
      seat, cards: entry.cards(`seat ${seat}`), folded: pot.folded.has(seat), ...(pot.won.has(seat) ? { won: won_of(seat) } : {}),
    })),
  };
}

// Entering a pot: the targets and the one that is aimed at, the rules for its cards, why it cannot
// be sent, and enter(): what the Enter key does.
export function pot_task(picture, entry, pot, act) {
  const targets = pot_targets(picture, entry, pot);
  const target = pot_target(targets, entry);
  const why = pot_hindrance(picture, entry, pot);
  const send = () => act(touch_of(picture, entry, pot));
  return {
    targets, target, why, rules: pot_rules(picture, entry, target), send,
    enter: () => (why === "" ? send() : pot_advance(targets, entry)),
  };
}

const amount_input = (id, value, on_input, properties) => text_input(id, {
  inputmode: "decimal", value, maxlength: 12, on_input: (event) => on_input(event.target.value.trim()), ...properties,
});

function head_view(picture, pot, changed) {
  const write = (text) => { pot.amount = text; changed(); };
  const end = (is_showdown) => () => { pot.is_showdown = is_showdown; changed(); };
  return box("pot_head",
    box("field", element("label", { for: "pot_amount", class: "label" }, "Gross pot, dollars"),
      amount_input("pot_amount", pot.amount, write, { placeholder: "0.00" })),
    element("div", { class: "row", role: "group", "aria-label": "How it ended" },
      toggle("showdown", pot.is_showdown, "Showdown", end(true)),
      toggle("uncontested", !pot.is_showdown, "All others folded", end(false))));
}

const labelled = (id, label, kind, ...children) => box("field",
  element("p", { class: "label", id }, label),
  element("div", { class: kind, role: "group", "aria-labelledby": id }, children));

const DEALT = { out: "not dealt in", in: "in the hand", folded: "folded" };

// A button for each seat: not dealt in, in the hand, folded.
function seats_view(picture, entry, pot, changed) {
  const state = (seat) => (!pot.dealt.has(seat) ? "out" : pot.folded.has(seat) ? "folded" : "in");
  const next = (seat) => {
    if (state(seat) === "out") pot.dealt.add(seat);
    else if (state(seat) === "in") pot.folded.add(seat);
    else {
      pot.folded.delete(seat);
      pot.dealt.delete(seat);
    }
    if (state(seat) !== "in") {
      entry.forget(`seat ${seat}`);
      pot.won.delete(seat);
      if (entry.target === `seat ${seat}`) entry.target = null;
    }
    changed();
  };
  const words = (seat) => ({ out: "–", in: pot.won.has(seat) ? "won" : "in", folded: "folded" })[state(seat)];
  const label = "Touch a seat once for dealt in, twice for folded";
  return labelled("dealt_label", label, "dealt", picture.seats.map(({ seat }) =>
    button([strong(String(seat)), element("span", {}, words(seat))], () => next(seat), {
      id: `dealt_${seat}`, class: `dealt_${state(seat)}`, "aria-label": `Seat ${seat}: ${DEALT[state(seat)]}`,
    })));
}

function winners_view(picture, pot, changed) {
  const part_of = parts(picture, pot);
  const live = live_of(pot);
  if (live.length === 0) return null;
  const winner = (seat) => {
    const typed = pot.won.get(seat);
    const part = part_of.get(seat);
    const words = typed === "" && part !== undefined ? ` ${dollars_of(part)}` : "";
    const press = () => {
      if (!pot.won.delete(seat)) pot.won.set(seat, "");
      changed();
    };
    const write = (text) => { pot.won.set(seat, text); changed(); };
    return [
      toggle(`won_${seat}`, typed !== undefined, `Seat ${seat}${words}`, press),
      typed !== undefined && amount_input(`won_amount_${seat}`, typed, write, {
        class: "won_amount", "aria-label": `Seat ${seat} won, dollars`, placeholder: part === undefined ? "" : plain_amount(part),
      }),
    ];
  };
  return labelled("won_label", "Who won", "row", live.map(winner));
}

export function pot_view(picture, entry, pot, act, live) {
  const changed = () => entry.changed();
  const may = picture.may.pot;
  if (!may.may) return [paragraph("why", may.words)];
  const { targets, target, rules, why: hindered, send } = pot_task(picture, entry, pot, act);
  const why = live ? hindered : "Not connected.";
  const { contribution, minimum, qualifying, collects } = picture.pot;
  const bare = live_of(pot).filter((seat) => entry.cards(`seat ${seat}`).length === 0);
  const can_fold_rest = pot.is_showdown && bare.length > 0 && live_of(pot).length - bare.length >= 2;
  const fold_rest = () => {
    for (const seat of bare) pot.folded.add(seat);
    changed();
  };
  const of_pot = cents(pot.amount) > 0 ? ` of ${dollars_of(cents(pot.amount))}` : "";
  return [
    paragraph("quiet small", collects
      ? `${dollars(contribution)} of every pot of ${dollars(minimum)} or more goes to the fund. `
      : "Take nothing for the fund. It collects no more. ",
    `The fund is won when a hand of ${qualifying} or better is beaten.`),
    head_view(picture, pot, changed),
    seats_view(picture, entry, pot, changed),
    target_tabs(entry, targets, target, can_fold_rest && button(`${capitalized(seats_text(bare))} folded`, fold_rest, { id: "fold_rest" })),
    card_entry(entry, target, rules),
    winners_view(picture, pot, changed),
    box("sending",
      button(`Report the pot${of_pot}`, send, { id: "send", class: "main big", disabled: why !== "", "aria-describedby": "send_why" }),
      element("p", { class: "why", id: "send_why" }, why)),
  ];
}
