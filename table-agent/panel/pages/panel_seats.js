// Seats: the wagers and hands of each seat, from the dealer's side: seat 1 is at the left. Laws: a
// light shows what the controller has counted, and nothing else looks like it. Without sensors, the
// dealer marks the accepted wagers here.
import { hand } from "./cards.js";
import { box, element, paragraph, span, toggle } from "./element.js";
import { dollars, price, words } from "./words.js";

const LIGHTS = {
  accepted: "counted", waiting: "sent", placed: "marked", refused: "refused: give it back",
  given_back: "give it back", returned: "returned", blocked: "blocked", off: "not counted",
};

const short = (title) => title.replace(/ (Progressive )?(Payout )?Wager$/, "");
// "Five-Card on dealer $5"
export const bet_words = ({ title, on }, amount) => `${short(title)}${on === "dealer" ? " on dealer" : ""} ${amount}`;

function wager_line(wager, { has_device, sensors_are_there }) {
  const sensed = sensors_are_there ? "on the sensor" : "was on the sensor";
  const light = wager.light === "placed" && has_device ? sensed : LIGHTS[wager.light] ?? wager.light;
  return box("wager",
    element("span", { title: wager.title }, bet_words(wager, ""), span("amount", price(wager.amount))),
    span(`light ${wager.light}`, light),
    wager.words && span("why", wager.words));
}

// One way to bet: a wager, an amount and a hand. If the amount varies, a dialog asks for it.
const ways_of = (offers) => offers.flatMap(({ wager, title, placement, links, decided_by }) => {
  const sides = decided_by === "either_hand" ? ["own", "dealer"] : ["own"];
  return links.flatMap(({ unit: amount, minimum, maximum }) =>
    sides.map((on) => ({ wager, title, placement, on, amount, minimum, maximum })));
});

export const claim_words = (state) => (state === "raised" ? "pending" : state ?? "· ask the floor");

export const way_words = (way) =>
  bet_words(way, way.amount !== null ? price(way.amount) : `${price(way.minimum)} to ${price(way.maximum)}`);

// Buttons that mark the accepted wagers of a seat.
function marks(seat, picture, { may, place, remove }) {
  return ways_of(picture.offers).map((way, at) => {
    const there = seat.wagers.filter(({ light, wager, on }) => light === "placed" && wager === way.wager && on === way.on);
    const is_of_way = ({ amount }) => way.amount === null || amount === way.amount;
    const lies = there.find(is_of_way);
    const other = !there.every(is_of_way);
    const words = lies === undefined ? way_words(way) : bet_words(way, price(lies.amount));
    return toggle(`mark_${seat.seat}_${at}`, lies !== undefined, words, () => (lies === undefined ? place : remove)(seat.seat, way), {
      class: "mark", disabled: !may || other, "aria-label": `Seat ${seat.seat}: ${way_words(way)}`,
    });
  });
}

// An award under its seat: what it is, its amount, and the state of its claim.
function award_line({ kind, line, amount, claim, claim_state, pay, waits_for }) {
  return paragraph(`won ${claim !== null ? claim_state ?? "unnumbered" : ""}`,
    `${kind === "envy" ? "Envy" : words(line)} ${dollars(amount)}`,
    claim !== null && ` · claim ${claim} ${claim_words(claim_state)}`,
    pay === "paid_before" && " · paid before",
    pay === "after_validation" && claim === null && ` · wait for claim ${waits_for}`);
}

function seat_box(seat, picture, actions) {
  const { seat: number, hand: shown, wagers, awards, correction } = seat;
  const is_open = picture.mode === "open" && !picture.has_device && !picture.only_shows;
  const count = picture.seats.length;
  const away = Math.abs(number - (count + 1) / 2);
  const kinds = [
    "seat",
    away <= count / 6 ? "lower_2" : away <= count / 3 && "lower_1",
    wagers.length === 0 && "empty",
    seat.to_show && "to_show",
    awards.length > 0 && "has_win",
    actions.target === `seat ${number}` && "current",
  ];
  return element("article", { class: kinds.filter(Boolean).join(" "), "aria-label": `Seat ${number}` },
    element("h3", {}, `Seat ${number}`,
      seat.void && span("chip", "void"),
      seat.to_show && span("chip gold", "show"),
      shown?.folded && span("chip", "folded"),
      correction && span("chip gold", words(correction.state).toLowerCase()),
      shown?.state === "waiting" && span("chip gold", "sent")),
    correction && paragraph("bad small", `${correction.words}.`),
    seat.fault !== null && paragraph("bad small", `Sensor: ${seat.fault}`),
    is_open && marks(seat, picture, actions),
    wagers.filter((wager) => !is_open || wager.light !== "placed").map((wager) => wager_line(wager, picture)),
    wagers.length === 0 && !is_open && paragraph("quiet small", "no wager"),
    shown && hand(shown.cards, `Seat ${number}`),
    shown && shown.keyed !== null && paragraph("quiet small", `called: ${words(shown.keyed).toLowerCase()}`),
    awards.map(award_line));
}

export const seats = (picture, actions) => picture.seats.map((seat) => seat_box(seat, picture, actions));
