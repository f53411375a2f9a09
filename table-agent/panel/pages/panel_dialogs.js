// Dialogs: what is asked before something that cannot be taken back: a void and its reason, a close
// with hands that were not shown, a count that a floorperson resolves, an amount that varies.
import { by_id, element } from "./element.js";
import { short, way_words } from "./panel_seats.js";
import { cents, listed, price } from "./words.js";

const REASONS = ["Misdeal", "Wrong number of cards", "A card was exposed", "Wrong stub count", "Shuffler or shoe fault"];

// 500 -> "5.00"
const whole_text = (whole) => `${Math.floor(whole / 100)}.${String(whole % 100).padStart(2, "0")}`;

const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);

// Opens the dialog with what `make(close)` gives; resolves to what close() was given, null without.
function open(title, make) {
  const dialog = by_id("dialog");
  return new Promise((resolve) => {
    let result = null;
    const close = (value) => { result = value; dialog.close(); };
    dialog.onclose = () => {
      dialog.replaceChildren(); // no PIN stays in what nobody sees
      resolve(result);
    };
    dialog.replaceChildren(element("h2", { id: "dialog_title" }, title), make(close));
    dialog.showModal();
  });
}

const row = (close, ...buttons) => element("div", { class: "row" },
  element("button", { type: "button", id: "dialog_no", on_click: () => close(null) }, "Go back"), ...buttons);

// Fields for somebody else's signature; `told` shows why it was not taken.
function signature_fields(prefix) {
  const badge = element("input", { type: "text", id: `${prefix}_badge`, autocomplete: "off", autocapitalize: "characters", required: true });
  const pin = element("input", { type: "password", id: `${prefix}_pin`, inputmode: "numeric", autocomplete: "off", required: true });
  const error = element("p", { class: "error", role: "alert" });
  return {
    nodes: [
      element("label", { for: `${prefix}_badge` }, "Floorperson's badge"), badge,
      element("label", { for: `${prefix}_pin` }, "PIN"), pin, error],
    told: (words) => { error.textContent = words; },
    is_full: () => badge.value.trim() !== "" && pin.value !== "",
    // The PIN is given once.
    take: () => {
      const signature = { badge: badge.value.trim(), pin: pin.value };
      pin.value = "";
      return signature;
    },
    again: () => pin.focus(),
  };
}

// Is a win of this round still to be judged? Then a void rejects its claim, which no dealer may.
const has_pending = (picture) => picture.claims.some(({ round, state }) => round === picture.round && state === "raised")
  || picture.awards.some(({ claim, claim_state }) => claim !== null && (claim_state === null || claim_state === "raised"));

// With a pending claim a floorperson signs, and it stays open until it is taken.
export async function ask_void(picture, act) {
  const is_early = picture.mode === "counting";
  const is_signed = !is_early && has_pending(picture);
  const signed = is_signed ? signature_fields("void") : null;
  await open(is_early ? "Give the wagers back" : "Void the round", (close) => {
    let seat = null; // of one hand alone; null: of the whole round
    const say = async (reason) => {
      if (signed !== null && !signed.is_full()) {
        signed.told("A claim is pending. A floorperson's badge and PIN are needed to reject it.");
        signed.again();
        return;
      }
      const touch = { do: "void", round: picture.round, reason, ...(seat === null ? {} : { seat }) };
      if (signed === null) {
        close(true);
        await act(touch);
      } else if (await act(touch, signed.take(), signed.told)) close(true);
      else signed.again();
    };
    const whole = picture.mode === "round" && element("select", { id: "void_seat",
      on_change: (event) => { seat = event.target.value === "" ? null : Number(event.target.value); } },
    element("option", { value: "" }, "The whole round"),
    ...picture.seats.filter((one) => !one.void).map((one) => element("option", { value: String(one.seat) }, `Only the hand of seat ${one.seat}`)));
    const other = element("input", { type: "text", id: "void_other", maxlength: 150, autocomplete: "off" });
    return element("form", { on_submit: (event) => { event.preventDefault(); if (other.value.trim()) say(other.value.trim()); } },
      element("p", {}, is_early ? "The sensors do not answer, so nothing was counted. The chips go back to the players. Why?"
        : "All progressive wagers of what is void are returned. What was paid for it is taken back. Why?"),
      is_signed && element("p", {}, "A claim of this round is pending: the void rejects it. A floorperson signs."),
      is_signed && signed.nodes,
      whole && element("label", { for: "void_seat" }, "What is void"), whole,
      (is_early ? ["The sensors went dark", "No power at the table"] : REASONS).map((words) => element("button", { type: "button", on_click: () => say(words) }, words)),
      element("label", { for: "void_other" }, "Another reason"), other,
      row(close, element("button", { type: "submit", id: "void_yes", class: "danger" }, is_early ? "Give them back for this reason" : "Void for this reason")));
  });
}

export async function ask_close(picture, act) {
  const unshown = picture.order.map((seat) => `seat ${seat}`);
  if (unshown.length > 0) {
    const sure = await open("Not everything is shown", (close) => element("div", { class: "stack" },
      element("p", {}, `${capital(listed(unshown))} ${unshown.length === 1 ? "was" : "were"} not shown. What hangs on that is lost.`),
      row(close, element("button", { type: "button", id: "close_yes", class: "danger", on_click: () => close(true) }, "Close all the same"))));
    if (sure === null) return;
  }
  await act({ do: "close", round: picture.round });
}

export function ask_amount(seat, way) {
  return open(`Seat ${seat}: ${way_words(way)}`, (close) => {
    const input = element("input", { type: "text", id: "amount", inputmode: "decimal", autocomplete: "off", value: way.minimum });
    const error = element("p", { class: "error", role: "alert" });
    const take = (event) => {
      event.preventDefault();
      const whole = cents(input.value.trim());
      if (whole === null || whole < cents(way.minimum) || whole > cents(way.maximum)) {
        error.textContent = `From $${way.minimum} to $${way.maximum}.`;
      } else {
        close(whole_text(whole));
      }
    };
    return element("form", { on_submit: take }, element("label", { for: "amount" }, "Amount in dollars"), input, error,
      row(close, element("button", { type: "submit", id: "amount_yes", class: "main" }, "Mark it")));
  });
}

// The corrected list, signed by whoever may resolve a count; it stays open until it is taken. Only
// wagers of the lock are in it: a chip that was not there may be left out, and nothing is added.
// What no chip is counted for stays.
export async function ask_resolve(picture, act) {
  await open("Resolve the count", (close) => {
    const boxes = [];
    const lines = picture.seats.map(({ seat, wagers }) => {
      const locked = wagers.filter(({ light }) => light !== "given_back");
      return locked.length > 0 && element("div", { class: "line" }, element("strong", {}, `Seat ${seat}`),
        element("div", {}, locked.map((wager) => {
          const is_chip = wager.placement === "chip";
          const box = element("input", { type: "checkbox", id: `fix_${seat}_${boxes.length}`, checked: true, disabled: !is_chip });
          boxes.push({ box, seat, wager });
          const words = `${short(wager.title)}${wager.on === "dealer" ? " on dealer" : ""} ${price(wager.amount)}`;
          return element("label", { class: "choice" }, box, is_chip ? words : `${words}, not placed by chip`);
        })));
    });
    const signed = signature_fields("fix");
    return element("form", { on_submit: async (event) => {
      event.preventDefault();
      const wagers = boxes.filter(({ box }) => box.checked).map(({ seat, wager }) => ({
        seat, wager: wager.wager, amount: wager.amount, ...(wager.on === "dealer" ? { on: "dealer" } : {}) }));
      if (await act({ do: "resolve", round: picture.round, wagers }, signed.take(), signed.told)) close(true);
      else signed.again();
    } },
    element("p", {}, `Counted ${picture.count.chips ?? "another number"}, the system has ${picture.count.expected}. Which of these wagers have a chip?`),
    element("div", { class: "corrections" }, lines),
    signed.nodes,
    row(close, element("button", { type: "submit", id: "fix_yes", class: "main" }, "Resolve")));
  });
}
