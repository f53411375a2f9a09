// Sign in: the session of the person at this screen. A person signs in with badge and PIN. The
// session is a cookie that no script can read, and a token that goes with every request.
//
// Laws: a PIN is never stored: it is in its field until it is sent, then the field is empty. A
// person who does nothing for idle_s is signed out, here and at the server. Every failure is shown
// as a sentence, also when the server is not reached.
import {
  badge_input,
  by_id,
  element,
  error_line,
  label_of,
  pin_input,
  remember,
  remembered,
  set_text,
  show,
} from "./element.js";
import { sentence, set_zone } from "./words.js";

// While a person works without sending requests, the page renews the session at the server this
// often, and in any case this long before the server would end it.
const RENEW_MS = 60_000;
const RENEW_BEFORE_END_MS = 120_000;
// The tabs of a browser share one session, so work in one tab keeps all of them signed in. If the
// browser stores nothing, each tab knows only its own touches.
const TOUCHED = "touched_at";
const NOT_REACHED = {
  error: "not_reached",
  message:
    "The server was not reached. It is unknown whether anything changed. " +
    "Check before you try again.",
};

// The answer of the server: {ok, status, body}. Never throws.
export async function ask(path, options = {}) {
  try {
    const answer = await fetch(path, { cache: "no-store", credentials: "same-origin", ...options });
    let body = {};
    try {
      body = await answer.json();
    } catch {
      /* no JSON */
    }
    if (!answer.ok)
      body.message = sentence(body.message || `the server refused this (${answer.status})`);
    const retry_s = answer.headers.get("Retry-After");
    if (answer.status === 429 && retry_s) body.message += ` Try again in ${retry_s} s.`;
    return { ok: answer.ok, status: answer.status, body };
  } catch {
    return { ok: false, status: 0, body: NOT_REACHED };
  }
}

function stored_touch() {
  const at = Number(remembered(TOUCHED));
  return at <= Date.now() ? at : 0;
}

export class Session {
  // place: the element for the form. signed_in(person) and signed_out() are called on changes.
  constructor(place, { title, signed_in, signed_out = () => {} }) {
    Object.assign(this, { place, title, signed_in, signed_out });
    this.person = null;
    this.renewed_at = Date.now();
    this.touched = () => {
      const now = Date.now();
      if (now - this.touched_at > 1000) remember(TOUCHED, String(now));
      this.touched_at = now;
    };
    this.touched_at = 0;
    for (const name of ["pointerdown", "keydown", "wheel"]) {
      window.addEventListener(name, this.touched, { passive: true });
    }
    this.touched();
    setInterval(() => this.check_idle(), 1000);
    this.build();
  }

  has(right) {
    return this.person?.rights?.includes(right) ?? false;
  }

  // Checks whether a person is already signed in.
  async begin() {
    const answer = await ask("/api/me");
    if (answer.ok) this.enter(answer.body);
    else this.leave(answer.status === 0 ? answer.body.message : "");
  }

  // Returns true while the session is valid. If it is not, the form is shown.
  async still_stands() {
    const asked_for = this.person;
    const answer = await ask("/api/me");
    // The answer is about the person who was signed in when it was requested.
    if (answer.status === 401 && this.person === asked_for) this.leave("You are signed out.");
    return answer.status !== 401;
  }

  async post(path, body) {
    const answer = await ask(path, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        "X-Linkmeter-Token": this.person?.token ?? "",
      },
      body: JSON.stringify(body),
    });
    if (answer.body.error === "not_signed_in")
      this.leave("You are signed out. Sign in to continue.");
    // Another person signed in at another tab, and is now the person at this screen.
    if (["token_missing", "token_wrong"].includes(answer.body.error)) await this.begin();
    return answer;
  }

  async sign_out(why = "You are signed out.") {
    await this.post("/api/sign-out", {});
    this.leave(why);
  }

  enter(person) {
    this.person = person;
    set_zone(person.zone);
    if (person.pin_to_be_changed) {
      this.ask_for_own_pin();
      return;
    }
    this.touched();
    this.renewed_at = Date.now();
    show(this.place, false);
    this.signed_in(person);
  }

  leave(why) {
    const was_in = this.person !== null;
    // The form is already shown, and a person may be typing in it.
    if (!was_in && !this.place.hidden) return;
    this.person = null;
    this.build();
    set_text(this.error, why);
    show(this.place, true);
    for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
    if (was_in) this.signed_out();
    (this.badge.value ? this.pin : this.badge).focus();
  }

  // Seconds until idleness ends the session; Infinity if nobody is signed in.
  idle_left_s() {
    if (this.person === null) return Infinity;
    const touched_at = Math.max(this.touched_at, stored_touch());
    return this.person.idle_s - (Date.now() - touched_at) / 1000;
  }

  check_idle() {
    const left = this.idle_left_s();
    const bar = by_id("idle");
    if (bar !== null) {
      show(bar, left < 60);
      if (left < 60) {
        const within = [10, 20, 30, 60].find((seconds) => left <= seconds);
        const stay = "Touch the screen or press a key to stay.";
        set_text(bar, `You will be signed out within ${within} s. ${stay}`);
      }
    }
    if (this.person === null) return;
    const is_due =
      this.touched_at > this.renewed_at + RENEW_MS ||
      (this.touched_at > this.renewed_at &&
        Date.now() - this.renewed_at > 1000 * this.person.idle_s - RENEW_BEFORE_END_MS);
    if (left > 0 && is_due) {
      this.renewed_at = Date.now();
      this.still_stands();
    }
    if (left <= 0) {
      const minutes = Math.round(this.person.idle_s / 60);
      this.sign_out(`You were signed out after ${minutes} minutes without activity.`);
    }
  }

  // With a PIN that another person has set, a person can only change the PIN.
  ask_for_own_pin() {
    const fields = ["given_pin", "own_pin", "own_pin_again"].map((id) => pin_input(id));
    const [given, own, again] = fields;
    const error = error_line();
    const submit = async (event) => {
      event.preventDefault();
      const body = { pin: given.value, new_pin: own.value };
      const is_same = own.value === again.value;
      for (const one of fields) one.value = "";
      given.focus();
      const missing = body.pin === "" || body.new_pin === "" ? "Enter all three PINs." : "";
      set_text(error, is_same ? missing : "The two entries of your new PIN differ.");
      if (error.textContent !== "") return;
      const answer = await this.post("/api/pin", body);
      if (answer.ok) await this.begin();
      else set_text(error, answer.body.message);
    };
    this.show_form("own_pin_title", "Choose your own PIN", submit, [
      element("p", {}, `${this.person.name}, other people know the PIN that you were given.`),
      label_of("given_pin", "The PIN that you were given"),
      given,
      label_of("own_pin", "Your own PIN"),
      own,
      label_of("own_pin_again", "Your own PIN, again"),
      again,
      element("button", { class: "main", type: "submit" }, "Change the PIN"),
      error,
    ]);
    show(this.place, true);
    given.focus();
  }

  show_form(title_id, title, on_submit, content) {
    this.place.replaceChildren(
      element(
        "form",
        { class: "sign_in", "aria-labelledby": title_id, on_submit },
        element("h1", { id: title_id }, title),
        content,
      ),
    );
  }

  build() {
    this.badge = badge_input("sign_in_badge", { required: true, value: this.badge?.value ?? "" });
    this.pin = pin_input("sign_in_pin", { required: true });
    this.button = element("button", { class: "main", type: "submit" }, "Sign in");
    this.error = error_line();
    this.show_form("sign_in_title", this.title, (event) => this.submit(event), [
      label_of("sign_in_badge", "Badge"),
      this.badge,
      label_of("sign_in_pin", "PIN"),
      this.pin,
      this.button,
      this.error,
    ]);
  }

  async submit(event) {
    event.preventDefault();
    const body = { badge: this.badge.value.trim(), pin: this.pin.value };
    this.pin.value = "";
    if (body.badge === "" || body.pin === "") {
      set_text(this.error, "Enter your badge and your PIN.");
      return;
    }
    this.button.disabled = true;
    const answer = await this.post("/api/sign-in", body);
    this.button.disabled = false;
    if (answer.ok) {
      set_text(this.error, "");
      this.enter(answer.body);
      return;
    }
    set_text(this.error, answer.body.message);
    this.pin.focus();
  }
}
