// The posted rules of one link: of a fund that pots make, all that § 553.20(b) asks for; of a
// progressive, what its meters pay. Laws: they are those of the configuration in force, told with
// the amount by the same stream as the sign's; the amount is taken away when it is older than its
// maximum age, and the rules are not.
import { by_id, element, say, show } from "./element.js";
import { Freshness, Live } from "./live.js";
import { ask } from "./sign_in.js";
import {
  cents,
  dollars,
  dollars_of,
  ended_words,
  level_words,
  listed,
  lower_words,
  pays_words,
  price,
  progressive_words,
  utc,
  words,
} from "./words.js";

// A link's name may have slashes.
const link = named_in(location.pathname.slice("/rules/".length));
const place = by_id("place");
const freshness = new Freshness();
let sign = null;
let told = ""; // what the rules were made from

function named_in(path) {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

const title = element("h1", {}, link);
const house = element("p", { class: "quiet" });
const amount = element("p", { class: "amount" });
const absent = element("p", { class: "absent" });
const band = element("p", { class: "band", role: "status" });
const dated = element("p", { class: "quiet small" });
const body = element("div", { class: "rules_body" });

const part = (name, share) =>
  element("div", {}, element("dt", {}, name), element("dd", {}, share));
const section = (name, ...content) => element("section", {}, element("h2", {}, name), content);
const sentences = (...all) => all.filter(Boolean).map((text) => element("p", {}, text));

const is_none = (share) => Number.parseFloat(share) === 0;

function contribution({ contribution: taken, minimum_pot, parts }, collects) {
  if (!collects) {
    return section(
      "What a pot contributes",
      sentences(
        "Nothing is taken from any pot any more. The amount stays here until it is won, or is moved to another Bad Beat payout.",
      ),
    );
  }
  const shares = Object.entries(parts).filter(([, share]) => !is_none(share));
  const goes = shares.map(([pool, share]) =>
    pool === "reserve" ? `${share} to the reserve that opens the next amount` : `${share} to the amount shown`,
  );
  return section(
    "What a pot contributes",
    sentences(
      `${dollars(taken)} is taken from each pot of ${dollars(minimum_pot)} or more: a fixed amount, and never more than that from one pot.`,
      `A pot of less than ${dollars(minimum_pot)} contributes nothing, and can win.`,
      "A pot is counted once an uncalled bet has gone back. The contribution is taken after the rake and before the pot goes to the winner.",
      `Of each contribution go ${listed(goes)}.`,
    ),
  );
}

function payout({ split }) {
  const parts = [
    ["The losing hand", split.losing_hand],
    ["The hand that beat it", split.winning_hand],
    ["Everybody else who was dealt in, in equal parts", split.table],
  ].filter(([, share]) => !is_none(share));
  return section(
    "What is paid",
    sentences("The whole amount shown:"),
    element(
      "dl",
      { class: "parts" },
      parts.map(([name, share]) => part(name, share)),
    ),
    sentences(
      "Equal hands share their part. With nobody else dealt in, the two hands share all of it in the same proportion.",
      "Shares are whole cents, and together exactly the amount.",
    ),
  );
}

function fund_rules({ fund, tables, collecting }) {
  const hand = fund.qualifying_hand ?? lower_words(fund.qualifying);
  const opens = cents(fund.reseed) ? `${dollars(fund.reseed)} and what the reserve holds` : "what the reserve holds";
  return [
    section(
      "What qualifies",
      sentences(
        `A losing hand of ${hand} or better: the best five cards of a player's own and the board's, beaten at a showdown with all five board cards.`,
        "The cards decide, not what is announced: who discards a hand unseen has none.",
      ),
    ),
    payout(fund),
    contribution(fund, collecting !== false),
    section(
      "Who is eligible",
      sentences(
        `Every player who is dealt in, at ${tables.length === 1 ? "table" : "tables"} ${listed(tables.map(({ table }) => table))}.`,
      ),
    ),
    section(
      "How it is paid",
      sentences(
        "The poker shift supervisor verifies the hand before anything is paid. From then until finance has adjusted the display it says \u201cPending adjustment\u201d.",
        `The next amount opens at ${opens}.`,
        "The fund belongs to the poker patrons: all that is displayed, the reseed included, is paid to them, also if this payout is ever discontinued. Nothing of it becomes the house's.",
      ),
    ),
    element("p", { class: "quiet small" }, "58 Pa. Code § 553.20"),
  ];
}

function wager_words({ unit, minimum, maximum }) {
  if (unit) return `Every wager is ${price(unit)}.`;
  return minimum ? `A wager is between ${price(minimum)} and ${price(maximum)}.` : "";
}

// Every line with its odds, or its share of a meter, best hand first; and bonuses on top of it.
function paytable({ paytable: lines = [], bonuses = [], levels }) {
  if (lines.length === 0) return null;
  return section(
    "What every hand pays",
    element(
      "dl",
      { class: "parts" },
      lines.map(({ line, pays }) => part(words(line), pays_words(pays))),
      bonuses.map(({ bonus, pays, first_cards }) =>
        part(words(bonus) + (first_cards ? `, in the first ${first_cards} cards` : ""), pays),
      ),
    ),
    sentences(
      "Only the highest hand pays.",
      levels.length > 0 ? "The meter pays what is on it when it is the player's turn." : "",
    ),
  );
}

// What each other bettor at the table gets, by the wager that the receiver made.
function envy_bonuses({ envy = [] }) {
  if (envy.length === 0) return null;
  const amounts = (steps) =>
    steps
      .map(({ wager, or_more, amount: given }) =>
        `${price(given)} for a ${price(wager)} wager${or_more ? " or more" : ""}`,
      )
      .join(", ");
  return section(
    "Envy Bonus, to every other bettor at the table",
    element(
      "dl",
      { class: "parts" },
      envy.map(({ line, by_wager }) => part(words(line), amounts(by_wager))),
    ),
  );
}

function payout_limit({ payout_limit: most, payout_limit_covers_meter: covers_meter, levels, envy = [] }) {
  if (!most) return null;
  return section(
    "Payout limit",
    sentences(
      `No more than ${dollars(most)} is paid to a player on a single hand, by all wagers of that hand that have a payout limit together.`,
      levels.length === 0
        ? ""
        : covers_meter
          ? "An award of the meter is limited too; what is not paid stays on the meter."
          : "An award of the meter is not limited.",
      envy.length > 0 ? "Envy Bonuses are not limited." : "",
    ),
  );
}

// What wins a meter, and all that the wager pays.
function meter_rules(told_sign) {
  const meters = told_sign.levels.map(({ level, limit, lines }) =>
    section(
      level_words(level, "The meter"),
      element(
        "dl",
        { class: "parts" },
        lines.map(({ line, hand, pays, or_better }) =>
          part(words(hand ?? line) + (or_better ? " or better" : ""), pays),
        ),
      ),
      limit ? sentences(`Posted limit: ${dollars(limit)}.`) : null,
    ),
  );
  const tables = told_sign.tables.map(({ table }) => table);
  return [
    ...meters,
    paytable(told_sign),
    envy_bonuses(told_sign),
    payout_limit(told_sign),
    section(
      "The wager",
      sentences(
        wager_words(told_sign),
        `${tables.length === 1 ? "Table" : "Tables"} ${listed(tables)}.`,
      ),
    ),
  ].filter(Boolean);
}

// What has ended has no rules any more.
function rules_of(told_sign) {
  if (told_sign.discontinued) return [];
  return told_sign.fund ? fund_rules(told_sign) : meter_rules(told_sign);
}

function heard(latest, age_ms) {
  freshness.heard(age_ms, latest.maximum_age_ms);
  sign = latest;
  const progressive = progressive_words(sign.progressive);
  say(title, [progressive || link, "rules"].join(" \u00b7 "));
  say(house, [sign.house, sign.game, sign.link].filter(Boolean).join(" \u00b7 "));
  const { fund, levels, tables, unit, minimum, maximum, collecting, discontinued } = sign;
  const lines = levels.map(({ level, limit, lines: all }) => ({ level, limit, lines: all }));
  const of_tables = tables.map(({ table }) => table);
  const pays = [sign.paytable, sign.bonuses, sign.envy, sign.payout_limit, sign.payout_limit_covers_meter];
  const terms = [fund, lines, pays, of_tables, unit, minimum, maximum, collecting, discontinued];
  const rules = JSON.stringify(terms);
  if (rules !== told) {
    told = rules;
    body.replaceChildren(...rules_of(sign));
  }
  look();
}

function look() {
  const is_live = freshness.is_live() && document.visibilityState === "visible";
  const has_ended = sign !== null && Boolean(sign.discontinued);
  const has_meter = sign === null || (sign.levels.length > 0 && !has_ended);
  const whole = is_live && !has_ended ? sign.levels.map((level) => cents(level.amount)) : [];
  const first = whole[0] ?? null;
  show(amount, first !== null);
  say(amount, first === null ? "" : dollars_of(first));
  show(absent, first === null && has_meter);
  say(absent, first === null ? "Amount not available" : "");
  show(dated, is_live && !has_ended);
  say(dated, is_live && !has_ended ? `Current amount, as of ${utc(sign.as_of)}` : "");
  const state = is_live ? state_words() : "";
  say(band, state);
  show(band, state !== "");
}

function state_words() {
  if (sign.discontinued) return ended_words(sign);
  if (sign.status !== "operating") return "Suspended";
  if (sign.pending_adjustment) return "Pending adjustment";
  if (sign.collecting !== false) return "";
  return sign.fund ? "No more contributions are taken" : "No more wagers are taken";
}

// A stream that does not open may mean that there is no such link: that is told in words.
async function look_for_link() {
  const answer = await ask("/api/meters");
  if (answer.ok && !answer.body.links.some((one) => one.link === link)) {
    place.replaceChildren(
      element("p", { class: "nothing" }, `There is no link ${link} on this floor.`),
    );
  }
}

document.title = `${link} rules · Linkmeter`;
place.replaceChildren(
  element("header", { class: "rules_head" }, house, title),
  element("div", { class: "current" }, band, amount, absent, dated),
  body,
);
new Live(`/events/signs?link=${encodeURIComponent(link)}`, "meter", {
  heard: (latest, age_ms) => {
    if (latest.link === link) heard(latest, age_ms);
  },
  ticked: look,
  refused: look_for_link,
});
look();
