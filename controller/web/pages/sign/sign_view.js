// Sign view: one link as people see it from ten metres.
//
// Laws. The shown amount is never above the last received one: it counts up to it, and falls at
// once after a win. An amount older than its maximum age is not greyed but removed, and words take
// its place. The same happens while the page is hidden, so that a screen that wakes does not begin
// with an old amount. A win is shown large in its turn (win_turns.js), and in its own line until it
// is paid. Memory does not grow: every node is made once.
import { element, paragraph, set_text, show, span } from "./element.js";
import { Freshness, now_ms } from "./live.js";
import { Figure, Level } from "./sign_level.js";
import { WinTurns } from "./win_turns.js";
import {
  cents,
  count_of,
  dollars,
  ended_words,
  listed,
  pays_words,
  price,
  progressive_words,
  words,
} from "./words.js";

const NOT_CONFIRMED_MS = 30_000;
const LINES_MAX = 3;
const CONNECTING_MS = 5_000;
const TABLES_NAMED_MAX = 12;
const LESSER = 0.8;
const STATES = {
  raised: "Pending",
  validated: "Verified",
  paid: "Paid",
  rejected: "Not confirmed",
};

const DOT = "  ·  ";
const joined = (...parts) => parts.filter(Boolean).join(DOT);
const is_linked = ({ state }) => state === "linked";
const place_words = ({ table, asset }) => [`Table ${table}`, asset].filter(Boolean);

// "Seat 2", "Seats 3, 4 and 6".
function seat_words({ seat, seats }) {
  if (seats.length === 0) return seat ? `Seat ${seat}` : "";
  const numbers = seats.map((one) => one.seat).toSorted((a, b) => a - b);
  return `Seats ${listed(numbers)}`;
}

// The state that the band shows: its kind, and its words.
function state_of(sign) {
  if (sign.discontinued) return ["ended", ended_words(sign)];
  if (sign.status !== "operating") {
    return ["suspended", `Suspended${sign.reason ? `: ${sign.reason}` : ""}`];
  }
  if (sign.pending_adjustment) return ["adjustment", "Pending adjustment"];
  if (sign.collecting === false) return ["stopped", "No more wagers are taken"];
  if (!sign.tables.some(is_linked)) return ["out", "Out of service at every table"];
  return sign.levels.length === 0 ? ["fixed", "Fixed awards: see the paytable"] : ["", ""];
}

export class SignView {
  // turns: all views of a screen share one.
  constructor(turns = new WinTurns()) {
    this.turns = turns;
    this.freshness = new Freshness();
    this.began_at = now_ms();
    this.levels = [];
    this.sign = null;
    this.awards = []; // awards of the link's meters, latest first
    this.not_confirmed = new Map(); // by claim: until when it is shown as not confirmed
    this.frame = null;
    this.is_still = false;
    this.boxes = new ResizeObserver((entries) => {
      for (const { target, contentRect } of entries) {
        const figure = [this.win_figure, ...this.levels.map((level) => level.figure)].find(
          (one) => one.box === target,
        );
        figure?.fit({ width: contentRect.width, height: contentRect.height });
      }
    });
    this.build();
  }

  build() {
    this.game = element("h1", { class: "game" });
    this.house = paragraph("house");
    this.band = element("p", { class: "band", role: "status" });
    this.win_title = element("h2", { class: "win_title" });
    this.win_figure = new Figure();
    this.win_place = paragraph("win_place");
    this.win_state = span("win_state");
    this.win = element(
      "section",
      { class: "win", "aria-live": "polite" },
      this.win_title,
      this.win_figure.box,
      paragraph("win_foot", this.win_place, this.win_state),
    );
    this.win_lines = Array.from({ length: LINES_MAX }, () => element("li", { class: "win_line" }));
    this.place_of_lines = element("ul", { class: "win_lines" }, this.win_lines);
    this.place_of_levels = element("div", { class: "levels" });
    this.wager = paragraph("wager");
    this.tables = paragraph("tables");
    this.notices = paragraph("notices");
    this.rules = element("a", { class: "rules_link", hidden: true }, "Rules");
    this.paytable = paragraph("paytable");
    this.node = paragraph("node");
    this.place = element(
      "article",
      { class: "sign" },
      element("header", { class: "sign_head" }, this.game, this.house),
      this.band,
      this.win,
      this.place_of_levels,
      this.place_of_lines,
      element(
        "footer",
        { class: "sign_foot" },
        this.wager,
        this.tables,
        this.rules,
        this.notices,
        this.paytable,
        this.node,
      ),
    );
    this.boxes.observe(this.win_figure.box);
    for (const node of [this.band, this.win, ...this.win_lines]) show(node, false);
    this.shape_levels(1);
    this.look();
  }

  shape_levels(count) {
    if (this.levels.length === count) return;
    for (const level of this.levels) this.boxes.unobserve(level.figure.box);
    this.levels = Array.from({ length: count }, () => new Level(() => this.size_levels()));
    this.place_of_levels.replaceChildren(...this.levels.map((level) => level.place));
    this.place_of_levels.dataset.count = Math.min(count, 5);
    for (const level of this.levels) this.boxes.observe(level.figure.box);
  }

  // The first level is the largest, and no other level gets a larger figure. Beside a win all
  // levels have one size.
  size_levels() {
    const sizes = this.levels.map(({ figure }) => figure.natural).filter((size) => size > 0);
    const is_beside = this.place.dataset.win === "yes";
    const most = is_beside ? Math.min(...sizes) : sizes[0] * LESSER;
    this.levels.forEach(({ figure }, at) => {
      figure.set_size(at === 0 && !is_beside ? figure.natural : Math.min(figure.natural, most));
    });
  }

  received(sign, age_ms) {
    this.freshness.received(age_ms, sign.maximum_age_ms);
    this.sign = sign;
    this.describe(sign);
    this.note_awards(sign);
    this.look();
    if (this.is_live) this.aim();
  }

  describe(sign) {
    const progressive = progressive_words(sign.progressive);
    this.place.dataset.link = sign.link;
    set_text(this.game, joined(sign.game, progressive));
    set_text(this.house, sign.house ?? "");
    // Only a house with several controllers has nodes.
    set_text(this.node, sign.node ? `Shown by node ${sign.node}` : "");
    const between = sign.minimum ? `${price(sign.minimum)} to ${price(sign.maximum)}` : "";
    const wager = sign.unit ? price(sign.unit) : between;
    set_text(this.wager, wager ? `${wager} wager` : "");
    this.write_tables(sign.tables);
    set_text(this.notices, joined(...sign.notices));
    this.write_paytable(sign);
    // What it pays, its odds and limits; for a fund of pots, the posted rules (§ 553.20(b)).
    show(this.rules, true);
    this.rules.setAttribute("href", `/rules/${encodeURIComponent(sign.link)}`);
    this.shape_levels(sign.levels.length);
    sign.levels.forEach((level, at) =>
      this.levels[at].describe(level, sign.levels.length === 1, progressive),
    );
    show(this.place_of_levels, sign.levels.length > 0 && !sign.discontinued);
  }

  // The odds or amounts of every hand and the payout limit (§ 645a.2(b)(9), (10), § 657a.2(b)(6)).
  // A discontinued progressive pays nothing.
  write_paytable({ paytable = [], bonuses = [], payout_limit: most, discontinued }) {
    const lines = paytable.map(({ line, pays }) => `${words(line)} ${pays_words(pays)}`);
    const more = bonuses.map(({ bonus, pays }) => `${words(bonus)} ${pays}`);
    const limit = most ? [`Payout limit ${price(most)} a hand`] : [];
    set_text(this.paytable, discontinued ? "" : joined(...lines, ...more, ...limit));
  }

  // The tables by name, and which of them take no wagers.
  write_tables(tables) {
    const linked = tables.filter(is_linked).map(({ table }) => table);
    const lost = tables.filter((one) => !is_linked(one)).map(({ table }) => table);
    const is_long = (names) => names.length > TABLES_NAMED_MAX;
    const noun = linked.length === 1 ? "Table" : "Tables";
    const many = count_of(linked.length, "table");
    const names = is_long(linked) ? many : `${noun} ${linked.join("  ")}`;
    const out = is_long(lost) ? `${lost.length} tables` : listed(lost);
    const in_service = linked.length > 0 ? names : "";
    const out_of_service = lost.length > 0 ? `${out} out of service` : "";
    const between = in_service && out_of_service && DOT;
    if (this.tables.textContent === in_service + between + out_of_service) return;
    this.tables.replaceChildren(
      in_service,
      out_of_service && span("out", between + out_of_service),
    );
  }

  note_awards(sign) {
    const before = new Map(this.awards.map((award) => [award.claim, award.state]));
    this.awards = sign.awards;
    for (const claim of this.not_confirmed.keys()) {
      if (!this.award_of(claim)) this.not_confirmed.delete(claim);
    }
    for (const { claim, state } of this.awards) {
      const was = before.get(claim);
      if (state === "rejected" && was && was !== state) {
        this.not_confirmed.set(claim, now_ms() + NOT_CONFIRMED_MS);
      }
    }
    this.turns.note(this, this.awards);
  }

  award_of(claim) {
    return this.awards.find((award) => award.claim === claim);
  }

  get is_live() {
    return this.is_still || (this.freshness.is_live() && document.visibilityState === "visible");
  }

  can_show(claim) {
    const award = this.award_of(claim);
    return this.is_live && award !== undefined && award.state !== "rejected";
  }

  // Shows what is true now, whether or not an event arrived.
  look() {
    const was_live = this.place.dataset.live;
    const is_live = this.is_live;
    this.place.dataset.live = is_live ? "yes" : "no";
    if (!is_live) {
      const why =
        this.sign === null && now_ms() - this.began_at < CONNECTING_MS
          ? "connecting"
          : "connection lost";
      for (const level of this.levels) level.take_away(why);
      this.win_figure.take_away("");
    } else if (was_live === "no") {
      this.aim();
    }
    this.look_at_band(is_live);
    this.look_at_win(is_live);
    show(this.tables, is_live);
    show(this.notices, is_live);
  }

  look_at_band(is_live) {
    const [kind, text] = is_live ? state_of(this.sign) : ["", ""];
    set_text(this.band, text);
    show(this.band, text !== "");
    this.place.dataset.kind = kind;
  }

  look_at_win(is_live) {
    const current = this.turns.current();
    const large = current?.view === this ? this.award_of(current.claim) : undefined;
    this.place.dataset.win = large ? "yes" : "no";
    show(this.win, large !== undefined);
    this.write_lines(
      is_live ? this.awards.filter((one) => one !== large && this.has_line(one)) : [],
    );
    if (!large) return;
    const level = this.levels.length > 1 && words(large.level);
    const shared = large.seats.length > 0 && "Shared";
    set_text(this.win_title, joined(words(large.line), level, shared));
    this.win_figure.write(cents(large.amount));
    set_text(this.win_place, joined(...place_words(large), seat_words(large)));
    set_text(this.win_state, STATES[large.state]);
    this.win_state.dataset.state = large.state;
    for (const level of this.levels) {
      level.place.classList.toggle("is_new", level.place.dataset.level === large.level);
    }
  }

  has_line({ claim, state }) {
    return (
      ["raised", "validated"].includes(state) || now_ms() < (this.not_confirmed.get(claim) ?? 0)
    );
  }

  // One line for each win that is not large now; the last line counts the wins without a line.
  write_lines(awards) {
    const with_line = awards.length > LINES_MAX ? awards.slice(0, LINES_MAX - 1) : awards;
    const texts = with_line.map((award) =>
      joined(words(award.line), ...place_words(award), dollars(award.amount), STATES[award.state]),
    );
    if (with_line.length < awards.length) {
      texts.push(`${awards.length - with_line.length} more wins`);
    }
    this.win_lines.forEach((line, at) => {
      set_text(line, texts[at] ?? "");
      show(line, texts[at] !== undefined);
    });
  }

  aim() {
    this.sign.levels.forEach(({ amount }, at) => {
      const whole = cents(amount);
      if (whole !== null) this.levels[at].aim(whole);
    });
    if (this.frame === null) this.frame = requestAnimationFrame((at) => this.draw(at));
  }

  draw(at) {
    this.frame = null;
    if (!this.is_live) {
      this.look();
      return;
    }
    let is_counting = false;
    for (const level of this.levels) {
      if (level.shown !== null && level.step(at)) is_counting = true;
    }
    if (is_counting) this.frame = requestAnimationFrame((next) => this.draw(next));
  }
}
