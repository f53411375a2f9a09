// Show: the hands of a round in the order of settlement, which begins at the dealer's right. A hand
// that is compared with the dealer's hand waits for it, and both are shown together.
import { box, button, element, paragraph, span, toggle } from "./element.js";
import { card_entry, target_tabs } from "./panel_entry.js";
import { count_of, listed } from "./words.js";

const keyed_of = (entry, key) => (entry.keyed.has(key) ? { line: entry.keyed.get(key) } : {});

// The targets for which cards can be entered now: first those that must be shown, then the others.
export function targets_of(picture, entry) {
  const { game } = picture;
  const seat = (number, is_due) => ({
    key: `seat ${number}`, label: `Seat ${number}`, is_due, seat: number,
    least: Math.max(1, game.player_cards_min), most: game.player_cards_max,
    with_dealer: picture.seats[number - 1].with_dealer && picture.dealer.to_show,
    has_wager: picture.seats[number - 1].wagers.length > 0,
  });
  const dealer = {
    key: "dealer", label: "Dealer", is_due: picture.dealer.to_show,
    least: Math.max(1, game.dealer_cards_min), most: game.dealer_cards_max,
  };
  const can_show = !dealer.is_due && picture.dealer.cards.length === 0 && game.dealer_cards_max > 0;
  const drawn = picture.offers.filter((offer) => offer.is_drawn).map(({ wager }) => wager);
  const has_drawn = picture.seats.some(({ wagers }) => wagers.some(({ wager }) => drawn.includes(wager)));
  const is_draw_due = picture.draw.offered && has_drawn && picture.draw.magic === null && picture.draw.seat === null;
  const is_later = (one) => one.hand === null && !picture.order.includes(one.seat);
  const board_left = game.board_cards_max - picture.board.length;
  return [
    is_draw_due && { key: "draw", label: "Drawn card", least: 0, most: 1, is_due: true },
    ...picture.order.map((number) => seat(number, true)),
    dealer.is_due && dealer,
    ...picture.seats.filter(is_later).reverse().map((one) => seat(one.seat, false)),
    can_show && dealer,
    board_left > 0 && { key: "board", label: "Board", is_due: false, least: 1, most: board_left },
  ].filter(Boolean).map((target) => ({
    ...target, is_kept: entry.kept.has(target.key), is_passed: entry.passed.has(target.key),
  }));
}

// The chosen target, else the next that is due; null if the hand of every bettor is shown.
export function aimed(targets, entry) {
  const found = targets.find((target) => target.key === entry.target);
  if (found !== undefined) return found;
  const next = targets.find(is_open) ?? null;
  entry.target = next?.key ?? null;
  return next;
}

const is_open = ({ is_due, is_kept, is_passed }) => is_due && !is_kept && !is_passed;

// The cards that can be entered for the target.
function rules_of(picture, entry, target) {
  const lying = [
    ...picture.seats.flatMap((seat) => (picture.hands_are_told ? seat.hand?.cards ?? [] : [])), ...picture.dealer.cards, ...picture.board,
    ...[...entry.drafts].filter(([key]) => key !== "draw").flatMap(([, cards]) => cards),
  ];
  const copies = (code) => picture.game.decks * (code === "Xx" && !picture.game.joker ? 0 : 1);
  return {
    most: target.most, joker: picture.game.joker && target.key !== "draw",
    uses: (code) => (target.key === "draw" ? 1 : copies(code) - lying.filter((one) => one === code).length),
  };
}

function advance(entry, targets, from) {
  const next = targets.find((one) => one.key !== from && one.is_due && !entry.kept.has(one.key) && !entry.passed.has(one.key));
  entry.aim(next?.key ?? null);
}

// Sends the entry of the target. Hands that wait for the dealer's hand are sent with it.
async function send(picture, entry, targets, target, act, is_folded = false) {
  const cards = entry.cards(target.key);
  const show = { do: "show", round: picture.round, hands: [] };
  const passed = targets.filter((one) => one.is_passed && one.seat !== undefined);
  if (passed.length > 0) show.passed = passed.map((one) => one.seat);
  let done = [target.key];
  if (target.key === "draw") {
    show.draw = {};
    if (cards.length > 0) [show.draw.magic] = cards;
    if (entry.lucky !== undefined) show.draw.seat = entry.lucky;
  } else if (target.key === "board") {
    show.board = cards;
  } else if (target.key === "dealer") {
    show.dealer = cards;
    const together = targets.filter((one) => one.with_dealer);
    show.hands = together.filter((one) => one.is_kept)
      .map((one) => ({ seat: one.seat, cards: entry.cards(one.key), folded: false, ...keyed_of(entry, one.key) }));
    done = [target.key, ...together.map((one) => one.key)];
  } else if (target.with_dealer && !is_folded) {
    entry.kept.add(target.key);
    advance(entry, targets, target.key);
    return;
  } else {
    show.hands = [{ seat: target.seat, cards, folded: is_folded, ...(is_folded ? {} : keyed_of(entry, target.key)) }];
  }
  if (!await act(show)) return;
  for (const key of done) entry.forget(key);
  advance(entry, targets.filter((one) => !done.includes(one.key)), target.key);
}

// Why the entry cannot be sent; "" if it can.
function hindrance(entry, targets, target) {
  const count = entry.cards(target.key).length;
  if (target.key === "draw") {
    return count > 0 || entry.lucky !== undefined ? "" : "Enter the drawn card, the drawn position, or both.";
  }
  if (count < target.least) return `Enter ${count_of(target.least - count, "more card")}.`;
  if (target.key !== "dealer") return "";
  const missing = targets.filter((one) => one.with_dealer && !one.is_kept && !one.is_passed);
  return missing.length === 0 ? "" : `First enter ${listed(missing.map((one) => one.label.toLowerCase()))}, which you compare with your hand.`;
}

function send_words(target) {
  if (target.key === "draw") return "Send the draw";
  if (target.key === "board") return "Show the board";
  if (target.key === "dealer") return "Show my hand";
  return target.with_dealer ? `Keep ${target.label.toLowerCase()}'s hand` : `Show ${target.label.toLowerCase()}`;
}

const lucky = (picture, entry) => element("div", { class: "row", role: "group", "aria-label": "Drawn position" },
  span("label", "Drawn position"),
  [0, ...picture.seats.map((seat) => seat.seat)].map((number) => {
    const is_chosen = entry.lucky === number;
    return toggle(`lucky_${number}`, is_chosen, number === 0 ? "Dealer" : `${number}`, () => {
      entry.lucky = is_chosen ? undefined : number;
      entry.changed();
    });
  }));

// The line that the dealer calls. It decides nothing. If the cards make another line, the floor
// sees both.
function calling(picture, entry, target) {
  const called = entry.keyed.get(target.key);
  const on_change = (event) => {
    if (event.target.value === "") entry.keyed.delete(target.key);
    else entry.keyed.set(target.key, event.target.value);
    entry.changed();
  };
  return element("label", { class: "calling", for: "keyed" }, span("label", "I call it"),
    element("select", { id: "keyed", on_change }, element("option", { value: "" }, "– no line –"),
      picture.lines.map(({ line, words }) => element("option", { value: line, selected: called === line }, words))));
}

// Entering the hands of a round: the targets and the one that is aimed at, the rules for its cards,
// why it cannot be sent, and enter(): what the Enter key does. target is null if nothing is left.
export function show_task(picture, entry, act) {
  const targets = targets_of(picture, entry);
  const target = aimed(targets, entry);
  if (target === null) return { targets, target };
  const why = hindrance(entry, targets, target);
  const enter = (is_folded) => send(picture, entry, targets, target, act, is_folded);
  return {
    targets, target, why, rules: rules_of(picture, entry, target), send: enter,
    enter: () => why === "" && !target.is_kept && enter(),
  };
}

function pass(entry, targets, target) {
  if (target.is_passed) entry.passed.delete(target.key);
  else {
    entry.forget(target.key);
    entry.passed.add(target.key);
    advance(entry, targets, target.key);
  }
  entry.changed();
}

export function show_view(picture, entry, act, live) {
  const may = picture.may.show;
  const { targets, target, why: hindered, rules, send: send_it } = show_task(picture, entry, act);
  if (!may.may || targets.length === 0) return [paragraph("why", may.words ?? "Every hand is shown.")];
  const tabs = target_tabs(entry, targets, target);
  if (target === null) return [paragraph("why", "The hand of every bettor is shown. You can show another hand for Envy:"), tabs];
  const why = live ? hindered : "Not connected.";
  const is_kept = target.is_kept || target.is_passed;
  const is_seat = target.seat !== undefined;
  return [
    tabs,
    card_entry(entry, target, rules, target.key === "draw" && lucky(picture, entry)),
    box("sending",
      is_seat && picture.lines.length > 0 && calling(picture, entry, target),
      button(is_kept ? `${target.label} waits for your hand` : send_words(target), () => send_it(), {
        id: "send", class: "main big", disabled: why !== "" || is_kept, "aria-describedby": "send_why",
      }),
      is_seat && picture.game.folds && button(`${target.label} folded`, () => send_it(true), { id: "fold", disabled: !live || !target.has_wager }),
      is_seat && target.is_due && toggle("pass", target.is_passed, `${target.label} is not shown`, () => pass(entry, targets, target)),
      target.is_kept && button("Change it", () => { entry.kept.delete(target.key); entry.changed(); }, { id: "unkeep" }),
      element("p", { class: "why", id: "send_why" }, why)),
  ];
}
