// Sign level: one amount on a sign, its name and the line that wins it. Laws: the figure fills its
// box; it counts up towards the truth and is never above it; when the truth fell, it falls at once;
// an amount that is taken away is gone from the page, not only from sight.
import { element, say, show } from "./element.js";
import { dollars_of, lower_words, price, words } from "./words.js";

const COUNT_MS = 900;
const no_motion = window.matchMedia("(prefers-reduced-motion: reduce)");
const ruler = document.createElement("canvas").getContext("2d");

// A figure that fills its box: dollars large, cents half as large.
export class Figure {
  // fitted(figure): it knows its largest size.
  constructor(fitted = (figure) => figure.set_size(figure.natural)) {
    this.fitted = fitted;
    this.natural = 0;
    this.dollars = element("span", { class: "whole" });
    this.cents = element("span", { class: "cents" });
    this.text = element(
      "p",
      { class: "figure amount" },
      element("span", {}, this.dollars, this.cents),
    );
    this.absent = element(
      "p",
      { class: "absent" },
      element("span", {}, "Amount not available"),
      element("span", { class: "why" }),
    );
    this.box = element("div", { class: "figure_box" }, this.text, this.absent);
    this.shape = "";
    this.size = { width: 0, height: 0 };
  }

  write(whole) {
    const text = dollars_of(whole);
    say(this.dollars, text.slice(0, -3));
    say(this.cents, text.slice(-3));
    show(this.text, true);
    show(this.absent, false);
    const shape = text.replace(/\d/g, "0");
    if (shape !== this.shape) {
      this.shape = shape;
      this.fit();
    }
  }

  // The amount is gone from the page, not only from sight.
  take_away(why) {
    say(this.dollars, "");
    say(this.cents, "");
    say(this.absent.lastChild, why);
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
    this.name = element("span", { class: "level_name" });
    this.line = element("span", { class: "level_line" });
    this.limit = element("span", { class: "level_limit" });
    this.place = element(
      "section",
      { class: "level" },
      element(
        "h2",
        { class: "level_head" },
        this.name,
        this.line,
        element("span", { class: "level_new" }, "new amount"),
        this.limit,
      ),
      this.figure.box,
    );
    this.shown = null; // whole cents; null: nothing is shown
    this.target = 0;
  }

  // `otherwise`: what is said where no line of a paytable wins it, as of a fund of pots.
  describe(told, is_alone, otherwise) {
    const wins = told.lines.map(({ line, hand, pays, or_better }, index) => {
      const name = index === 0 ? words(hand ?? line) : lower_words(hand ?? line);
      const text = or_better ? `${name} or better, beaten` : name;
      return pays === "100%" ? text : `${text} ${pays}`;
    });
    say(this.name, is_alone ? "" : words(told.level));
    say(this.line, wins.join(", ") || otherwise);
    say(this.limit, told.limit ? `limit ${price(told.limit)}` : "");
    this.place.dataset.level = told.level;
  }

  // The truth is now `whole`. Down at once, up in time; the same again changes nothing, or a figure
  // that is told often would never arrive.
  aim(whole) {
    if (this.shown !== null && whole === this.target) return;
    this.from = this.shown ?? whole;
    this.target = whole;
    this.began_at = performance.now();
    if (whole <= this.from || no_motion.matches) this.from = whole;
    this.step(this.began_at);
  }

  // Draws the figure of this moment; true while there is more to count.
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
