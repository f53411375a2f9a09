// Sign in: who works at this screen. A person signs in by badge and PIN; the session is a cookie
// that no script can read, and a token that goes with everything that is asked for.
//
// Laws: a PIN is never kept: it is in its field until it is sent, and then the field is empty.
// Whoever does nothing for idle_s is signed out, here and at the server. Whatever goes wrong is
// told in a sentence; a server that is not reached is one of these things.
import { by_id, element, say, show } from "./element.js";
import { sentence, tell_zone } from "./words.js";

// Who works here without asking for anything is told to the server so often, and before the server
// would end the session of one who was told of last so long ago.
const TELL_MS = 60_000;
const TELL_BEFORE_END_MS = 120_000;
// The tabs of a browser are one session: whoever works at one of them is idle at none.
const TOUCHED = "linkmeter_touched_at";
const NOT_REACHED = {
  error: "not_reached",
  message:
    "The server was not reached. Nothing is known to have changed: look before you try again.",
};

// What a server answered: {ok, status, body}. Never throws.
export async function ask(path, options = {}) {
  try {
    const answer = await fetch(path, { cache: "no-store", credentials: "same-origin", ...options });
    let body = {};
    try {
      body = await answer.json();
    } catch {
      /* no words came */
    }
    if (!answer.ok) body.message = sentence(body.message || `the server refused this (${answer.status})`);
    const retry_s = answer.headers.get("Retry-After");
    if (answer.status === 429 && retry_s) body.message += ` Try again in ${retry_s} s.`;
    return { ok: answer.ok, status: answer.status, body };
  } catch {
    return { ok: false, status: 0, body: NOT_REACHED };
  }
}

// A browser that keeps nothing has tabs that know nothing of each other.
function store_touch(at) {
  try {
    localStorage.setItem(TOUCHED, String(at));
  } catch {
    /* none is kept */
  }
}

function stored_touch() {
  try {
    const at = Number(localStorage.getItem(TOUCHED));
    return at <= Date.now() ? at : 0;
  } catch {
    return 0;
  }
}

export class Session {
  // Fills the element `place` with the form. signed_in(person) and signed_out() are told of
  // changes.
  constructor(place, { title, signed_in, signed_out = () => {} }) {
    Object.assign(this, { place, title, signed_in, signed_out });
    this.person = null;
    this.told_at = Date.now();
    this.touched = () => {
      const now = Date.now();
      if (now - this.touched_at > 1000) store_touch(now);
      this.touched_at = now;
    };
    this.touched_at = 0;
    for (const name of ["pointerdown", "keydown", "wheel"]) {
      window.addEventListener(name, this.touched, { passive: true });
    }
    this.touched();
    setInterval(() => this.look_at_idle(), 1000);
    this.build();
  }

  has(right) {
    return this.person?.rights?.includes(right) ?? false;
  }

  // Is somebody signed in already?
  async begin() {
    const answer = await ask("/api/me");
    if (answer.ok) this.enter(answer.body);
    else this.leave(answer.status === 0 ? answer.body.message : "");
  }

  // True while the session stands; else the form is shown.
  async still_stands() {
    const asked_for = this.person;
    const answer = await ask("/api/me");
    // The answer says nothing about a person who has signed in since.
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
    if (answer.body.error === "not_signed_in") this.leave("You are signed out. Sign in to go on.");
    // Somebody else signed in at another tab: he is who works here now.
    if (["token_missing", "token_wrong"].includes(answer.body.error)) await this.begin();
    return answer;
  }

  async sign_out(why = "You are signed out.") {
    await this.post("/api/sign-out", {});
    this.leave(why);
  }

  enter(person) {
    this.person = person;
    tell_zone(person.zone);
    if (person.pin_to_be_changed) {
      this.ask_for_own_pin();
      return;
    }
    this.touched();
    this.told_at = Date.now();
    show(this.place, false);
    this.signed_in(person);
  }

  leave(why) {
    const was_in = this.person !== null;
    // The form is shown already, and somebody may be typing in it.
    if (!was_in && !this.place.hidden) return;
    this.person = null;
    this.build();
    say(this.error, why);
    this.pin.value = "";
    show(this.place, true);
    if (was_in) this.signed_out();
    (this.badge.value ? this.pin : this.badge).focus();
  }

  // Seconds until idleness ends the session; Infinity if nobody is signed in.
  idle_left_s() {
    if (this.person === null) return Infinity;
    const touched_at = Math.max(this.touched_at, stored_touch());
    return this.person.idle_s - (Date.now() - touched_at) / 1000;
  }

  look_at_idle() {
    const left = this.idle_left_s();
    const bar = by_id("idle");
    if (bar !== null) {
      show(bar, left < 60);
      if (left < 60) {
        const within = [10, 20, 30, 60].find((seconds) => left <= seconds);
        say(bar, `Signing out within ${within} s: touch anything to stay.`);
      }
    }
    const untold_ms = this.person === null ? 0 : Date.now() - this.told_at;
    const is_due =
      this.touched_at > this.told_at + TELL_MS ||
      (this.touched_at > this.told_at &&
        untold_ms > 1000 * this.person?.idle_s - TELL_BEFORE_END_MS);
    if (this.person !== null && left > 0 && is_due) {
      this.told_at = Date.now();
      this.still_stands();
    }
    if (left <= 0) {
      const minutes = Math.round(this.person.idle_s / 60);
      this.sign_out(`Signed out after ${minutes} minutes without a touch.`);
    }
  }

  // A PIN that somebody else has given opens nothing but its own change.
  ask_for_own_pin() {
    const field = (id) =>
      element("input", {
        id,
        type: "password",
        inputmode: "numeric",
        maxlength: 64,
        autocomplete: "off",
      });
    const [given, own, again] = ["given_pin", "own_pin", "own_pin_again"].map(field);
    const error = element("p", { class: "error", role: "alert" });
    const submit = async (event) => {
      event.preventDefault();
      const body = { pin: given.value, new_pin: own.value };
      const is_same = own.value === again.value;
      for (const one of [given, own, again]) one.value = "";
      given.focus();
      if (body.pin === "" || body.new_pin === "" || !is_same) {
        say(error, is_same ? "All three, please." : "The new PIN was not typed twice the same.");
        return;
      }
      const answer = await this.post("/api/pin", body);
      if (answer.ok) await this.begin();
      else say(error, answer.body.message);
    };
    this.place.replaceChildren(
      element(
        "form",
        { class: "sign_in", "aria-labelledby": "own_pin_title", on_submit: submit },
        element("h1", { id: "own_pin_title" }, "Choose your own PIN"),
        element("p", {}, `${this.person.name}, others know the PIN that you were given.`),
        element("label", { for: "given_pin" }, "The PIN you were given"),
        given,
        element("label", { for: "own_pin" }, "Your own PIN"),
        own,
        element("label", { for: "own_pin_again" }, "Your own PIN, again"),
        again,
        element("button", { class: "main", type: "submit" }, "Change the PIN"),
        error,
      ),
    );
    show(this.place, true);
    given.focus();
  }

  build() {
    const badge = this.badge?.value ?? "";
    this.badge = element("input", {
      id: "sign_in_badge",
      type: "text",
      required: true,
      maxlength: 64,
      autocomplete: "off",
      autocapitalize: "characters",
      spellcheck: "false",
    });
    this.badge.value = badge;
    this.pin = element("input", {
      id: "sign_in_pin",
      type: "password",
      inputmode: "numeric",
      required: true,
      maxlength: 64,
      autocomplete: "off",
    });
    this.button = element("button", { class: "main", type: "submit" }, "Sign in");
    this.error = element("p", { class: "error", role: "alert" });
    this.place.replaceChildren(
      element(
        "form",
        {
          class: "sign_in",
          "aria-labelledby": "sign_in_title",
          on_submit: (event) => this.submit(event),
        },
        element("h1", { id: "sign_in_title" }, this.title),
        element("label", { for: "sign_in_badge" }, "Badge"),
        this.badge,
        element("label", { for: "sign_in_pin" }, "PIN"),
        this.pin,
        this.button,
        this.error,
      ),
    );
  }

  async submit(event) {
    event.preventDefault();
    const body = { badge: this.badge.value.trim(), pin: this.pin.value };
    this.pin.value = "";
    if (body.badge === "" || body.pin === "") {
      say(this.error, "Badge and PIN, both.");
      return;
    }
    this.button.disabled = true;
    const answer = await this.post("/api/sign-in", body);
    this.button.disabled = false;
    if (answer.ok) {
      say(this.error, "");
      this.enter(answer.body);
      return;
    }
    say(this.error, answer.body.message);
    this.pin.focus();
  }
}
