// Panel dialogs: what is asked before something that cannot be undone: a void and its reason, a
// close with hands that were not shown, a count that a floorperson resolves; and an amount that
// varies. Each dialog is a list of fields (act_dialog.js). It stays open until the table has taken
// the act.
import { open_act } from "./act_dialog.js";
import { amount_field, nodes_field, quick_field, select_field } from "./act_fields.js";
import { box, by_id, element, strong } from "./element.js";
import { bet_words, way_words } from "./panel_seats.js";
import { capitalized, cents, listed, price } from "./words.js";

const VOID_REASONS = ["Misdeal", "Wrong number of cards", "A card was exposed", "Wrong stub count", "Shuffler or shoe fault"];
const GIVE_BACK_REASONS = ["The sensors do not answer", "No power at the table"];
const FLOORPERSON = { who: "a floorperson", is_other: true };

const words_node = (...words) => element("p", {}, words);
const open = (session, spec) => open_act(by_id("dialog"), session, { cancel: "Go back", ...spec });

// Whether a win of this round waits for validation. A void then rejects its claim, which a dealer
// may not do alone.
const has_pending = (picture) => picture.claims.some(({ round, state }) => round === picture.round && state === "raised")
  || picture.awards.some(({ claim, claim_state }) => claim !== null && (claim_state === null || claim_state === "raised"));

// send(touch, signature): sends the action; returns the answer.
export function ask_void(session, picture, send) {
  const is_early = picture.mode === "counting";
  const is_signed = !is_early && has_pending(picture);
  const seats = picture.seats.filter((one) => !one.void).map(({ seat }) => [String(seat), `Only the hand of seat ${seat}`]);
  open(session, {
    title: is_early ? "Give the wagers back" : "Void the round",
    about: [
      words_node(is_early ? "The sensors do not answer, so nothing was counted. The chips go back to the players. Choose the reason."
        : "All progressive wagers of the void hands are returned. Payouts for them are taken back. Choose the reason."),
      is_signed && words_node("A claim of this round is pending, and the void rejects it. A floorperson must sign."),
    ],
    fields: [
      picture.mode === "round" && select_field("seat", "What to void", [["", "The whole round"], ...seats]),
      quick_field("reason", "Another reason", "Enter the reason.", { quick: is_early ? GIVE_BACK_REASONS : VOID_REASONS }),
    ],
    signer: is_signed ? FLOORPERSON : null,
    button: is_early ? "Give back for this reason" : "Void for this reason",
    kind: "danger",
    body: ({ reason, seat = null }) => ({
      do: "void", round: picture.round, reason, ...(seat === null ? {} : { seat: Number(seat) }),
    }),
    send,
  });
}

export function ask_close(session, picture, send, act) {
  const unshown = picture.order.map((seat) => `seat ${seat}`);
  const close = { do: "close", round: picture.round };
  if (unshown.length === 0) return act(close);
  return open(session, {
    title: "Some hands are not shown",
    about: words_node(`${capitalized(listed(unshown))} ${unshown.length === 1 ? "was" : "were"} not shown. A hand that is not shown wins nothing.`),
    signer: null,
    button: "Close anyway",
    kind: "danger",
    body: close,
    send,
  });
}

// Resolves to the amount that the dealer entered; null if the dealer went back.
export function ask_amount(session, seat, way) {
  const is_outside = ({ amount }) => cents(amount) < cents(way.minimum) || cents(amount) > cents(way.maximum);
  const bounds = `Enter an amount from $${way.minimum} to $${way.maximum}.`;
  return new Promise((resolve) => {
    let entered = null;
    open(session, {
      title: `Seat ${seat}: ${way_words(way)}`,
      fields: [amount_field("amount", "Amount in dollars", bounds, {
        value: way.minimum, check: (values) => (is_outside(values) ? bounds : ""),
      })],
      signer: null,
      button: "Mark it",
      send: ({ amount }) => {
        entered = amount;
        return { ok: true };
      },
      closed: () => resolve(entered),
    });
  });
}

// The corrected list of wagers, signed by a person who may resolve a count. It holds only wagers of
// the lock: a missing chip can be removed, and nothing can be added. Wagers without a chip stay.
export function ask_resolve(session, picture, send) {
  const boxes = [];
  const lines = picture.seats.map(({ seat, wagers }) => {
    const locked = wagers.filter(({ light }) => light !== "given_back");
    return locked.length > 0 && box("line", strong(`Seat ${seat}`),
      element("div", {}, locked.map((wager) => {
        const is_chip = wager.placement === "chip";
        const box = element("input", { type: "checkbox", id: `fix_${seat}_${boxes.length}`, checked: true, disabled: !is_chip });
        boxes.push({ box, seat, wager });
        const words = bet_words(wager, price(wager.amount));
        return element("label", { class: "choice" }, box, is_chip ? words : `${words}, not placed by chip`);
      })));
  });
  open(session, {
    title: "Resolve the count",
    about: words_node(`The dealer counted ${picture.count.chips ?? "another number"}. The system expects ${picture.count.expected}. Which of these wagers have a chip?`),
    fields: [nodes_field(box("corrections", lines))],
    signer: FLOORPERSON,
    button: "Resolve",
    body: () => ({
      do: "resolve", round: picture.round,
      wagers: boxes.filter(({ box }) => box.checked).map(({ seat, wager }) => ({
        seat, wager: wager.wager, amount: wager.amount, ...(wager.on === "dealer" ? { on: "dealer" } : {}) })),
    }),
    send,
  });
}
