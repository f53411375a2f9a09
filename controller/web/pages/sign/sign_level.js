// Sign level: one amount on a sign, its name and the line that wins it. Laws: the figure fills its
// box. It counts up to the true amount and is never above it; if the true amount falls, it falls at
// once. An amount that is removed is removed from the page, not only hidden.
import { element, paragraph, set_text, show, span } from "./element.js";
import { dollars_of, lower_words, price, words } from "./words.js";

const COUNT_MS = 900;
const no_motion = window.matchMedia("(prefers-reduced-motion: reduce)");
const ruler = document.createElement("canvas").getContext("2d");

// A figure that fills its box: dollars large, cents half as large.
export class Figure {
  // fitted(figure): the figure has found its largest size.
  constructor(fitted = (figure) => figure.set_size(figure.natural)) {
    this.fitted = fitted;
    this.natural = 0;
    this.dollars = span("whole");
    this.cents = span("cents");
    this.text = paragraph("figure amount", element("span", {}, this.dollars, this.cents));
    this.absent = paragraph("absent", element("span", {}, "Amount not available"), span("why"));
    this.box = element("div", { class: "figure_box" }, this.text, this.absent);
    this.shape = "";
    this.size = { width: 0, height: 0 };
  }

  write(whole) {
    const text = dollars_of(whole);
    set_text(this.dollars, text.slice(0, -3));
    set_text(this.cents, text.slice(-3));
    show(this.text, true);
    show(this.absent, false);
    const shape = text.replace(/\d/g, "0");
    if (shape !== this.shape) {
      this.shape = shape;
      this.fit();
    }
  }

  // Removes the amount from the page.
  take_away(why) {
    set_text(this.dollars, "");
    set_text(this.cents, "");
    set_text(this.absent.lastChild, why);
    show(this.text, false);
    show(this.absent, true);
  }

  fit(size = this.size) {
    this.size = size;
    if (this.shape === "" || size.width === 0) return;
    ruler.font = `700 100px ${getComputedStyle(this.box).fontFamily}`;
    const width = (text) => ruler.measureText(text).width / 100;
    const ems = width(this.shape.slice(0, -3)) + width(this.shape.slice(-3)) / 2;
    this.natural = Math.floor(Math.min((size.width * 0.985) / ems, size.height * 1.02));
    this.fitted(this);
  }

  set_size(pixels) {
    this.text.style.fontSize = `${pixels}px`;
  }
}

export class Level {
  constructor(fitted) {
    this.figure = new Figure(fitted);
    this.name = span("level_name");
    this.line = span("level_line");
    this.limit = span("level_limit");
    this.place = element(
      "section",
      { class: "level" },
      element(
        "h2",
        { class: "level_head" },
        this.name,
        this.line,
        span("level_new", "new amount"),
        this.limit,
      ),
      this.figure.box,
    );
    this.shown = null; // whole cents; null if nothing is shown
    this.target = 0;
  }

  // otherwise: the text if no line of a paytable wins the level, as for a fund of pots.
  describe(level, is_alone, otherwise) {
    const wins = level.lines.map(({ line, hand, pays, or_better }, index) => {
      const name = index === 0 ? words(hand ?? line) : lower_words(hand ?? line);
      const text = or_better ? `${name} or better, beaten` : name;
      return pays === "100%" ? text : `${text} ${pays}`;
    });
    set_text(this.name, is_alone ? "" : words(level.level));
    set_text(this.line, wins.join(", ") || otherwise);
    set_text(this.limit, level.limit ? `limit ${price(level.limit)}` : "");
    this.place.dataset.level = level.level;
  }

  // Sets the true amount. The figure falls at once and rises with time. The same amount again
  // changes nothing; otherwise frequent events would keep the figure from arriving.
  aim(whole) {
    if (this.shown !== null && whole === this.target) return;
    this.from = this.shown ?? whole;
    this.target = whole;
    this.began_at = performance.now();
    if (whole <= this.from || no_motion.matches) this.from = whole;
    this.step(this.began_at);
  }

  // Draws the figure for this time; returns true while it still has to rise.
  step(at) {
    const part = Math.min(1, Math.max(0, (at - this.began_at) / COUNT_MS));
    this.shown = this.from + Math.floor((this.target - this.from) * part);
    this.figure.write(this.shown);
    return this.shown < this.target;
  }

  take_away(why) {
    this.shown = null;
    this.figure.take_away(why);
  }
}
