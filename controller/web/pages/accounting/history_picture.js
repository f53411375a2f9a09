// History picture: a level over days as a drawing: the meter at the end of each day, awards, seeds,
// and the hold of the wager. Laws: amounts are exact until they become coordinates. No meaning
// depends on colour alone. The table under the picture has the same figures.
import { cut_text, percent, units_or_zero } from "./amounts.js";
import { drawing, element, span } from "./element.js";

const WIDTHS = { wide: 960, narrow: 440 };
const DAY_WIDTH = 110; // of the name of a day under the picture
const LEFT = 92;
const RIGHT = 14;
const METER = { top: 16, height: 216 };
const HOLD = { top: 268, height: 84 };
const HEIGHT = 384;
const PLACES = 1_000_000n;

// A share of the axis, 0 to 1, from whole units.
const share = (whole, top) => (top === 0n ? 0 : Number((whole * PLACES) / top) / Number(PLACES));

// The next 1, 2 or 5 times a power of ten that is not less.
function round_up(whole) {
  let step = 1n;
  while (step * 10n <= whole) step *= 10n;
  return [1n, 2n, 5n, 10n].map((times) => times * step).find((one) => one >= whole);
}

function ticks_of(top) {
  const step = round_up(top / 4n > 0n ? top / 4n : 1n);
  const count = (top + step - 1n) / step;
  return Array.from({ length: Number(count) + 1 }, (_, at) => BigInt(at) * step);
}

// Letters keep their size, so a narrow screen gets a narrow picture.
const is_narrow = () => window.matchMedia("(max-width: 719px)").matches;

const x_of = (at, count, width) =>
  LEFT + (width - LEFT - RIGHT) * (count === 1 ? 0.5 : at / (count - 1));
const y_of = (whole, top, { top: y, height }) => y + height * (1 - share(whole, top));

const line_of = (places) =>
  places.map(([x, y], at) => `${at === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");

// The hold: handle minus payouts, since the first of these days.
export function holds_of(points) {
  let [handle, paid] = [0n, 0n];
  return points.map((point) => {
    handle += units_or_zero(point.handle);
    paid += units_or_zero(point.paid);
    return { handle, paid, hold: handle - paid };
  });
}

function axis(ticks, top, place, width, label) {
  return ticks.map((tick) => {
    const y = y_of(tick, top, place);
    return [
      drawing("line", { class: "grid", x1: LEFT, x2: width - RIGHT, y1: y, y2: y }),
      drawing("text", { class: "tick", x: LEFT - 8, y: y + 4, "text-anchor": "end" }, label(tick)),
    ];
  });
}

function days_axis(points, width) {
  const step = Math.max(1, Math.ceil((points.length * DAY_WIDTH) / (width - LEFT)));
  const bottom = HOLD.top + HOLD.height;
  return points.map(({ day }, at) => {
    if (at % step !== 0) return null;
    const x = x_of(at, points.length, width);
    const is_at_the_edge = at > 0 && at === points.length - 1; // its name ends at the edge
    const anchor = is_at_the_edge ? "end" : "middle";
    return [
      drawing("line", { class: "grid day", x1: x, x2: x, y1: METER.top, y2: bottom }),
      drawing("text", { class: "tick", x, y: HEIGHT - 8, "text-anchor": anchor }, day.slice(5)),
    ];
  });
}

// A mark with a tooltip.
const mark = (name, properties, words) => drawing(name, properties, drawing("title", {}, words));

const share_words = (share_of_all) => `${(share_of_all * 100n) / PLACES}%`;
const whole_dollars = (whole) => cut_text(whole).replace(/\.\d\d$/, "");

export function history_picture(name, points) {
  const closings = points.map(({ closing }) => units_or_zero(closing));
  const awards = points.map(({ awarded }) => units_or_zero(awarded));
  const highest = [...closings, ...awards].reduce((most, one) => (one > most ? one : most), 1n);
  const ticks = ticks_of(highest);
  const top = ticks.at(-1);
  const width = is_narrow() ? WIDTHS.narrow : WIDTHS.wide;
  const x = (at) => x_of(at, points.length, width);
  const meter = closings.map((one, at) => [x(at), y_of(one, top, METER)]);
  const floor = METER.top + METER.height;
  const area = `${line_of(meter)}L${x(points.length - 1)} ${floor}L${x(0)} ${floor}Z`;
  const award = (day, amount, at) => {
    const y = y_of(amount, top, METER);
    const text = `${day}: awarded ${cut_text(amount)}`;
    return [
      drawing("line", { class: "award_stem", x1: at, x2: at, y1: floor, y2: y }),
      mark("circle", { class: "award", cx: at, cy: y, r: 6 }, text),
    ];
  };
  const marks = points.map((point, at) => [
    awards[at] > 0n ? award(point.day, awards[at], x(at)) : null,
    units_or_zero(point.seeded) > 0n
      ? mark(
          "path",
          { class: "seed", d: `M${x(at)} ${floor - 12}l7 12h-14Z` },
          `${point.day}: seeded ${cut_text(units_or_zero(point.seeded))}`,
        )
      : null,
    mark(
      "circle",
      { class: "close", cx: meter[at][0], cy: meter[at][1], r: points.length > 60 ? 1.5 : 3 },
      `${point.day}: closed at ${cut_text(closings[at])}`,
    ),
  ]);
  const holds = holds_of(points);
  const hold_share = ({ hold, handle }) =>
    handle === 0n || hold < 0n ? 0n : (hold * PLACES) / handle;
  const hold = holds.map((one, at) => [x(at), y_of(hold_share(one), PLACES, HOLD)]);
  const last = points.length - 1;
  return element(
    "figure",
    { class: "history" },
    drawing(
      "svg",
      {
        viewBox: `0 0 ${width} ${HEIGHT}`,
        role: "img",
        "aria-label":
          `${name} over ${points.length} days, closing at ${cut_text(closings[last])}, hold ` +
          `${percent(holds[last].hold, holds[last].handle)}. The table below has the figures.`,
      },
      axis(ticks, top, METER, width, whole_dollars),
      axis([0n, PLACES / 2n, PLACES], PLACES, HOLD, width, share_words),
      days_axis(points, width),
      drawing("path", { class: "meter_area", d: area }),
      drawing("path", { class: "meter_line", d: line_of(meter) }),
      drawing("path", { class: "hold_line", d: line_of(hold) }),
      marks,
      drawing("text", { class: "tick", x: LEFT, y: HOLD.top - 8 }, "Hold, since the first day"),
    ),
    element(
      "figcaption",
      { class: "legend" },
      key("Meter at the end of the day", "path", { class: "meter_line", d: "M1 11L19 5" }),
      key("Awarded", "circle", { class: "award", cx: 10, cy: 8, r: 5 }),
      key("Seeded", "path", { class: "seed", d: "M10 2l7 12h-14Z" }),
      key("Hold", "path", { class: "hold_line", d: "M1 8H19" }),
    ),
  );
}

// One mark of the picture, and what it means.
function key(words, shape, properties) {
  const frame = { viewBox: "0 0 20 16", width: 20, height: 16, "aria-hidden": "true" };
  return span("key", drawing("svg", frame, drawing(shape, properties)), words);
}
