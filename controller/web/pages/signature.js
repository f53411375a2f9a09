// Signature: who signs an act, and the PIN that does it. Every act has a PIN of its own. The person
// who is signed in signs, unless another one gives his badge at the same screen. The PIN is read
// once, and its field is empty from then on.
import { element, show } from "./element.js";

let count = 0;

export class Signature {
  // `by_another`: the fields begin with an empty badge. `is_only_another`: nobody else can sign.
  // `who`: whom the rule asks for, in words. `pin_words`: whose PIN it is, beside another one.
  constructor(session, options = {}) {
    const { by_another = false, is_only_another = false, who = "", pin_words = "PIN" } = options;
    this.session = session;
    count += 1;
    const id = `signature_${count}`;
    this.badge = element("input", {
      id: `${id}_badge`,
      type: "text",
      autocomplete: "off",
      autocapitalize: "characters",
      spellcheck: "false",
      maxlength: 64,
    });
    this.pin = element("input", {
      id: `${id}_pin`,
      class: "pin",
      type: "password",
      inputmode: "numeric",
      autocomplete: "off",
      maxlength: 64,
    });
    const { badge, name } = session.person;
    this.own = element("p", { class: "own" }, `Signed by ${badge} ${name}`);
    this.other = element(
      "div",
      { class: "other" },
      element("label", { for: `${id}_badge` }, `Badge${who ? ` (${who})` : ""}`),
      this.badge,
    );
    this.change = element("button", {
      type: "button",
      class: "plain",
      on_click: () => this.let_another_sign(!this.is_another),
    });
    this.place = element(
      "div",
      { class: "signature" },
      this.own,
      this.other,
      this.change,
      element("label", { for: `${id}_pin` }, pin_words),
      this.pin,
    );
    this.let_another_sign(by_another || is_only_another);
    show(this.change, !is_only_another);
  }

  let_another_sign(is_another) {
    this.is_another = is_another;
    show(this.own, !is_another);
    show(this.other, is_another);
    this.change.textContent = is_another
      ? `${this.session.person.badge} signs`
      : "Somebody else signs";
    if (is_another && this.place.isConnected) this.badge.focus();
  }

  // The first field that is not filled in; null: there is none.
  missing() {
    if (this.is_another && this.badge.value.trim() === "") return this.badge;
    return this.pin.value === "" ? this.pin : null;
  }

  // What goes into the body: {pin} or {badge, pin}; null if something is not filled in.
  take() {
    const missing = this.missing();
    const pin = this.pin.value;
    this.pin.value = "";
    const badge = this.badge.value.trim();
    if (missing !== null) {
      missing.focus();
      return null;
    }
    return this.is_another ? { badge, pin } : { pin };
  }

  focus() {
    (this.is_another && this.badge.value === "" ? this.badge : this.pin).focus();
  }
}
