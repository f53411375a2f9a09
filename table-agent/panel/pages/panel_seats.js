// Seats: the wagers and hands of each seat, from the dealer's side: seat 1 is at the left. Laws: a
// light shows what the controller has counted, and nothing else looks like it. Without sensors, the
// dealer marks the accepted wagers here.
import { hand } from "./cards.js";
import { element, paragraph, span } from "./element.js";
import { dollars, price, words } from "./words.js";

const LIGHTS = {
  accepted: "counted", waiting: "sent", placed: "marked", refused: "refused: give it back",
  given_back: "give it back", returned: "returned", blocked: "blocked", off: "not counted",
};

function wager_line(wager, { has_device, sensors_are_there }) {
  const sensed = sensors_are_there ? "on the sensor" : "was on the sensor";
  const light = wager.light === "placed" && has_device ? sensed : LIGHTS[wager.light] ?? wager.light;
  return element("div", { class: "wager" },
    element("span", { title: wager.title }, `${short(wager.title)}${wager.on === "dealer" ? " on dealer" : ""} `,
      span("amount", price(wager.amount))),
    span(`light ${wager.light}`, light),
    wager.words && span("why", wager.words));
}

// One way to bet: a wager, an amount and a hand. If the amount varies, a dialog asks for it.
function ways_of(offers) {
  const ways = [];
  for (const offer of offers) {
    for (const link of offer.links) {
      for (const on of offer.decided_by === "either_hand" ? ["own", "dealer"] : ["own"]) {
        ways.push({
          wager: offer.wager, title: offer.title, placement: offer.placement, on,
          amount: link.unit, minimum: link.minimum, maximum: link.maximum,
        });
      }
    }
  }
  return ways;
}

const claim_words = (state) => ({ raised: "pending" })[state] ?? state ?? "· ask the floor";
export const short = (title) => title.replace(/ (Progressive )?(Payout )?Wager$/, "");
const is_of = (wager, way) => wager.wager === way.wager && wager.on === way.on &&
  (way.amount === null ? true : wager.amount === way.amount);

export function way_words(way) {
  const amount = way.amount !== null ? price(way.amount) : `${price(way.minimum)} to ${price(way.maximum)}`;
  return `${short(way.title)}${way.on === "dealer" ? " on dealer" : ""} ${amount}`;
}

// Buttons that mark the accepted wagers of a seat.
function marks(seat, picture, { may, place, remove }) {
  return ways_of(picture.offers).map((way, at) => {
    const lies = seat.wagers.find((wager) => wager.light === "placed" && is_of(wager, way));
    const other = seat.wagers.some((wager) => wager.light === "placed" && wager.wager === way.wager &&
      wager.on === way.on && !is_of(wager, way));
    return element("button", {
      type: "button", class: "mark", id: `mark_${seat.seat}_${at}`,
      "aria-pressed": lies !== undefined ? "true" : "false", disabled: !may || other,
      "aria-label": `Seat ${seat.seat}: ${way_words(way)}`,
      on_click: () => (lies !== undefined ? remove(seat.seat, way) : place(seat.seat, way)),
    }, lies !== undefined ? `${short(way.title)}${way.on === "dealer" ? " on dealer" : ""} ${price(lies.amount)}` : way_words(way));
  });
}

function seat_box(seat, picture, actions) {
  const is_open = picture.mode === "open" && !picture.has_device && !picture.only_shows;
  const shown = seat.hand !== null;
  const wins = seat.awards.length > 0;
  const count = picture.seats.length;
  const away = Math.abs(seat.seat - (count + 1) / 2);
  const lower = away <= count / 6 ? "lower_2" : away <= count / 3 ? "lower_1" : "";
  const is_current = actions.target === `seat ${seat.seat}`;
  return element("article", {
    class: `seat ${lower} ${seat.wagers.length === 0 ? "empty" : ""} ${seat.to_show ? "to_show" : ""} ` +
      `${wins ? "has_win" : ""} ${is_current ? "current" : ""}`,
    "aria-label": `Seat ${seat.seat}`,
  },
  element("h3", {}, `Seat ${seat.seat}`,
    seat.void && span("chip", "void"),
    seat.to_show && span("chip gold", "show"),
    shown && seat.hand.folded && span("chip", "folded"),
    seat.correction !== null && span("chip gold", words(seat.correction.state).toLowerCase()),
    shown && seat.hand.state === "waiting" && span("chip gold", "sent")),
  seat.correction !== null && paragraph("bad small correction", `${seat.correction.words}.`),
  seat.fault !== null && paragraph("bad small", `Sensor: ${seat.fault}`),
  is_open ? marks(seat, picture, actions) : null,
  seat.wagers.filter((wager) => !is_open || wager.light !== "placed")
    .map((wager) => wager_line(wager, picture)),
  seat.wagers.length === 0 && !is_open && paragraph("quiet small", "no wager"),
  shown && hand(seat.hand.cards, `Seat ${seat.seat}`),
  shown && seat.hand.keyed !== null && paragraph("quiet small", `called: ${words(seat.hand.keyed).toLowerCase()}`),
  seat.awards.map((award) => paragraph(`won ${award.claim !== null ? award.claim_state ?? "unnumbered" : ""}`, `${award.kind === "envy" ? "Envy" : words(award.line)} ${dollars(award.amount)}` +
    (award.claim !== null ? ` · claim ${award.claim} ${claim_words(award.claim_state)}` : "") +
    (award.pay === "paid_before" ? " · paid before" : "") +
    (award.pay === "after_validation" && award.claim === null ? ` · wait for claim ${award.waits_for}` : ""))));
}

export const seats = (picture, actions) => picture.seats.map((seat) => seat_box(seat, picture, actions));
