// Words: amounts, lines, ages and times as people read them. Laws: an amount is a text of dollars
// ("50000.90"). It is cut to whole cents, never rounded up, and never a floating-point number:
// calculations use whole cents, which are safe integers up to 90 million million dollars.

const AMOUNT = /^(-?)(\d+)(?:\.(\d+))?$/;

// "50000.90" -> 5000090; null if the text is not an amount.
export function cents(text) {
  const parts = AMOUNT.exec(text ?? "");
  if (parts === null) return null;
  const whole = Number(parts[2] + (parts[3] ?? "").padEnd(2, "0").slice(0, 2));
  if (!Number.isSafeInteger(whole)) return null;
  return parts[1] === "-" ? -whole : whole;
}

// "14709" -> "14,709"
export const number_text = (count) => String(count).replace(/\B(?=(\d{3})+$)/g, ",");

// 5000090 -> "50000.90", for requests.
export function plain_amount(whole) {
  const digits = String(whole).padStart(3, "0");
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

// What a person typed, for requests: "$1,234.5" -> "1234.50"; null if it is not an amount of whole
// cents.
export function amount_text(typed) {
  const plain = typed.trim().replace(/^\$/, "").replaceAll(",", "");
  const [, left, right = ""] = /^(\d+)(?:\.(\d{1,2}))?$/.exec(plain) ?? [];
  return left === undefined ? null : `${left}.${right.padEnd(2, "0")}`;
}

// 5000090 -> "$50,000.90"
export function dollars_of(whole) {
  const [left, right] = plain_amount(Math.abs(whole)).split(".");
  return `${whole < 0 ? "\u2212" : ""}$${number_text(left)}.${right}`;
}

export function dollars(text) {
  const whole = cents(text);
  return whole === null ? "–" : dollars_of(whole);
}

// What a chip costs: "$5" where there are no cents.
export const price = (text) => dollars(text).replace(/\.00$/, "");

const NAMED = {
  akq_spades: "Ace, king, queen of spades",
  akq_other: "Ace, king, queen of one suit",
  player_20: "Player's 20",
  table_games_manager: "table games manager",
};

export const capitalized = (text) => text.charAt(0).toUpperCase() + text.slice(1);

// "four_of_a_kind" -> "Four of a kind"
export const words = (name) => (name ? capitalized(NAMED[name] ?? name.replaceAll("_", " ")) : "");

// "Five-Card Progressive Payout Wager" -> "Five-Card Progressive"
export const progressive_words = (title) =>
  (title ?? "").replace(/\s+(payout\s+)?(wager|payout)$/i, "");

// "claim 7 is settled" -> "Claim 7 is settled."
export const sentence = (text) => capitalized(text) + (/[.!?]$/.test(text) ? "" : ".");

export const lower_words = (name) => words(name).replace(/^./, (first) => first.toLowerCase());

// "Mega". A progressive with one level calls it "main", which is not a word for people: then the
// second parameter is returned.
export const level_words = (level, otherwise = "") =>
  !level || level === "main" ? otherwise : words(level);

// What a line of a paytable pays: "100% of main" -> "100% of the meter"; "500 for 1" is not
// changed.
export function pays_words(pays) {
  const [, share, level] = /^(.+%) of (.+)$/.exec(pays) ?? [];
  if (!share) return pays;
  return level === "main" ? `${share} of the meter` : `${share} of the ${lower_words(level)} meter`;
}

// About a discontinued progressive: {went_to: {link, level} | null}.
export const ended_words = ({ went_to: to }) =>
  `This progressive has ended${to ? `; its amount was moved to ${to.link} ${to.level}` : ""}`;

// A part of an address; otherwise, if it is not encoded correctly.
export function decoded(part, otherwise) {
  try {
    return decodeURIComponent(part);
  } catch {
    return otherwise;
  }
}

export const listed = (items, last = "and") =>
  items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} ${last} ${items.at(-1)}`;

// dotted("Table C4-01", "", "seat 2") -> "Table C4-01 · seat 2"
export const dotted = (...parts) => parts.filter(Boolean).join(" · ");

// count_of(2, "table") -> "2 tables"
export const count_of = (count, noun) => `${number_text(count)} ${noun}${count === 1 ? "" : "s"}`;

// 42000 -> "0:42"; 3723000 -> "1:02:03"
export function age_text(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const two = (number) => String(number % 60).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60);
  return `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(seconds)}`;
}

// Times arrive in UTC and are shown in the time zone of the casino, as soon as it is known,
// whatever the time zone of this screen: "2026-11-21 10:04:05 EST".
function clock_of(timeZone) {
  const form = { hourCycle: "h23", hour: "2-digit", minute: "2-digit", second: "2-digit" };
  const date = { year: "numeric", month: "2-digit", day: "2-digit" };
  return {
    time: new Intl.DateTimeFormat("sv-SE", { ...form, timeZone }),
    both: new Intl.DateTimeFormat("sv-SE", { ...date, ...form, timeZone }),
    zone: new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "short" }),
  };
}
let clock = clock_of(undefined);
export function set_zone(zone) {
  try {
    clock = clock_of(zone);
  } catch {
    /* This browser does not know the zone: it shows its own. */
  }
}
export function time_of(moment) {
  const at = new Date(moment);
  return !moment || Number.isNaN(at.getTime()) ? "–" : clock.time.format(at);
}
export function date_and_time(moment) {
  const at = new Date(moment);
  if (!moment || Number.isNaN(at.getTime())) return "–";
  const zone = clock.zone.formatToParts(at).find(({ type }) => type === "timeZoneName");
  return `${clock.both.format(at)} ${zone.value}`;
}

// "2026-11-21T15:04:05.123456Z" -> "2026-11-21 15:04:05 UTC", for paper.
export const utc = (moment) =>
  moment ? `${moment.slice(0, 10)} ${moment.slice(11, 19)} UTC` : "–";
