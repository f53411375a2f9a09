// Signature: the badge and PIN that sign one act. The person who is signed in signs, unless another
// person enters a badge at the same screen. The PIN is read once; then its field is empty.
import { badge_input, box, button, label_of, paragraph, pin_input, show } from "./element.js";

let count = 0;

export class Signature {
  // by_another: begins with an empty badge. is_only_another: only another person can sign.
  // who: who can sign, for the badge's label. whose: "witness" for the second of two signatures.
  constructor(session, { by_another = false, is_only_another = false, who = "", whose = "" } = {}) {
    this.session = session;
    this.whose = whose ? `the ${whose}’s ` : "your ";
    count += 1;
    const id = `signature_${count}`;
    this.badge = badge_input(`${id}_badge`);
    this.pin = pin_input(`${id}_pin`, { class: "pin" });
    const { badge, name } = session.person;
    this.own = paragraph(null, `You sign as ${badge} ${name}`);
    const badge_label = `Badge${who ? ` (${who})` : ""}`;
    this.other = box("other", label_of(`${id}_badge`, badge_label), this.badge);
    this.change = button("", () => this.let_another_sign(!this.is_another), { class: "plain" });
    this.place = box(
      "signature",
      this.own,
      this.other,
      this.change,
      label_of(`${id}_pin`, whose ? `PIN of the ${whose}` : "PIN"),
      this.pin,
    );
    this.let_another_sign(by_another || is_only_another);
    show(this.change, !is_only_another);
  }

  let_another_sign(is_another) {
    this.is_another = is_another;
    show(this.own, !is_another);
    show(this.other, is_another);
    const { badge } = this.session.person;
    this.change.textContent = is_another ? `Sign as ${badge}` : "Another person signs";
    if (is_another && this.place.isConnected) this.badge.focus();
  }

  // The first field that is empty: {node, words}; null if none is.
  missing() {
    if (this.is_another && this.badge.value.trim() === "") {
      return { node: this.badge, words: `Enter ${this.whose}badge.` };
    }
    return this.pin.value === "" ? { node: this.pin, words: `Enter ${this.whose}PIN.` } : null;
  }

  // {pin} or {badge, pin} for the request. Nothing may be missing.
  take() {
    const pin = this.pin.value;
    this.pin.value = "";
    return this.is_another ? { badge: this.badge.value.trim(), pin } : { pin };
  }

  focus() {
    (this.is_another && this.badge.value === "" ? this.badge : this.pin).focus();
  }
}
