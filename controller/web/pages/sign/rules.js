// The posted rules of one link: for a fund that pots pay into, all that § 553.20(b) requires; for a
// progressive, what its meters pay. Laws: they are the rules of the configuration in force, and
// come in the same stream as the amount of the sign. An amount older than its maximum age is
// removed; the rules stay.
import { box, by_id, element, paragraph, set_text, show, status_line, term } from "./element.js";
import { follow_link, link_after } from "./link_page.js";
import { Freshness } from "./live.js";
import {
  cents,
  dollars,
  dollars_of,
  dotted,
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

const link = link_after("/rules/");
const place = by_id("place");
const freshness = new Freshness();
let sign = null;

const title = element("h1", {}, link);
const house = paragraph("quiet");
const amount = paragraph("amount");
const absent = paragraph("absent", "Amount not available");
const band = status_line("band");
const dated = paragraph("quiet small");
const body = box("rules_body");

const section = (name, ...content) => element("section", {}, element("h2", {}, name), content);
const terms = (...all) => element("dl", { class: "parts" }, all);
const sentences = (...all) => all.filter(Boolean).map((text) => element("p", {}, text));

const is_none = (share) => Number.parseFloat(share) === 0;

function contribution({ contribution: taken, minimum_pot, parts }, collects) {
  if (!collects) {
    return section(
      "What a pot contributes",
      sentences(
        "No pot contributes any more. The amount stays until it is won, or until it is moved to another Bad Beat payout.",
      ),
    );
  }
  const shares = Object.entries(parts).filter(([, share]) => !is_none(share));
  const goes_to = (pool) =>
    pool === "reserve" ? "the reserve that opens the next amount" : "the amount shown";
  const goes = shares.map(([pool, share]) => `${share} goes to ${goes_to(pool)}`);
  return section(
    "What a pot contributes",
    sentences(
      `${dollars(taken)} is taken from each pot of ${dollars(minimum_pot)} or more. This is a fixed amount, and one pot never contributes more.`,
      `A pot of less than ${dollars(minimum_pot)} contributes nothing, and it can win.`,
      "The pot does not include an uncalled bet that was returned. The contribution is taken after the rake and before the pot is paid to the winner.",
      `Of each contribution, ${listed(goes)}.`,
    ),
  );
}

function payout({ split }) {
  const parts = [
    ["The losing hand", split.losing_hand],
    ["The hand that beat it", split.winning_hand],
    ["All other players who were dealt in, in equal parts", split.table],
  ].filter(([, share]) => !is_none(share));
  return section(
    "What is paid",
    sentences("The whole amount shown:"),
    terms(parts.map(([name, share]) => term(name, share))),
    sentences(
      "Equal hands share their part. If no other player was dealt in, the two hands share the whole amount in the same proportion.",
      "Shares are whole cents, and their sum is exactly the amount.",
    ),
  );
}

function fund_rules({ fund, tables, collecting }) {
  const hand = fund.qualifying_hand ?? lower_words(fund.qualifying);
  const reseed = cents(fund.reseed) ? `${dollars(fund.reseed)} and ` : "";
  return [
    section(
      "What qualifies",
      sentences(
        `A losing hand of ${hand} or better: the best five of the player's own cards and the board, beaten at a showdown with all five board cards.`,
        "The cards decide, not what a player announces. A hand that is discarded face down does not qualify.",
      ),
    ),
    payout(fund),
    contribution(fund, collecting !== false),
    section(
      "Who is eligible",
      sentences(`Every player who is dealt in, at ${tables_words(tables, "table")}.`),
    ),
    section(
      "How it is paid",
      sentences(
        "The poker shift supervisor verifies the hand before anything is paid. From then on the display says \u201cPending adjustment\u201d, until finance has adjusted it.",
        `The next amount opens at ${reseed}what the reserve holds.`,
        "The fund belongs to the poker patrons. The whole displayed amount, the reseed included, is paid to them, even if this payout is discontinued. No part of it goes to the house.",
      ),
    ),
    paragraph("quiet small", "58 Pa. Code § 553.20"),
  ];
}

const tables_words = (tables, noun = "Table") =>
  `${noun}${tables.length === 1 ? "" : "s"} ${listed(tables.map(({ table }) => table))}`;

function wager_words({ unit, minimum, maximum }) {
  if (unit) return `Every wager is ${price(unit)}.`;
  return minimum ? `A wager is between ${price(minimum)} and ${price(maximum)}.` : "";
}

// Every line with its odds or its share of a meter, best hand first, and the bonuses.
function paytable({ paytable: lines = [], bonuses = [], levels }) {
  if (lines.length === 0) return null;
  return section(
    "Paytable",
    terms(
      lines.map(({ line, pays }) => term(words(line), pays_words(pays))),
      bonuses.map(({ bonus, pays, first_cards }) =>
        term(words(bonus) + (first_cards ? `, in the first ${first_cards} cards` : ""), pays),
      ),
    ),
    sentences(
      "Only the highest hand pays.",
      levels.length > 0
        ? "The meter pays the amount that it has when the player's hand is settled."
        : "",
    ),
  );
}

// What each other bettor at the table receives, by the wager of the receiver.
function envy_bonuses({ envy = [] }) {
  if (envy.length === 0) return null;
  const amounts = (steps) =>
    steps
      .map(
        ({ wager, or_more, amount: given }) =>
          `${price(given)} for a ${price(wager)} wager${or_more ? " or more" : ""}`,
      )
      .join(", ");
  return section(
    "Envy Bonus, paid to every other bettor at the table",
    terms(envy.map(({ line, by_wager }) => term(words(line), amounts(by_wager)))),
  );
}

function payout_limit({
  payout_limit: most,
  payout_limit_covers_meter: covers_meter,
  levels,
  envy = [],
}) {
  if (!most) return null;
  return section(
    "Payout limit",
    sentences(
      `No more than ${dollars(most)} is paid to a player on a single hand, for all wagers with a payout limit together.`,
      levels.length === 0
        ? ""
        : covers_meter
          ? "The limit includes awards of the meter. The part that is not paid stays on the meter."
          : "The limit does not include awards of the meter.",
      envy.length > 0 ? "The limit does not include Envy Bonuses." : "",
    ),
  );
}

// What wins each meter, and everything that the wager pays.
function meter_rules(sign_now) {
  const meters = sign_now.levels.map(({ level, limit, lines }) =>
    section(
      level_words(level, "The meter"),
      terms(
        lines.map(({ line, hand, pays, or_better }) =>
          term(words(hand ?? line) + (or_better ? " or better" : ""), pays),
        ),
      ),
      limit ? sentences(`Posted limit: ${dollars(limit)}.`) : null,
    ),
  );
  return [
    ...meters,
    paytable(sign_now),
    envy_bonuses(sign_now),
    payout_limit(sign_now),
    section("The wager", sentences(wager_words(sign_now), `${tables_words(sign_now.tables)}.`)),
  ].filter(Boolean);
}

// A discontinued progressive has no rules.
function rules_of(sign_now) {
  if (sign_now.discontinued) return [];
  return sign_now.fund ? fund_rules(sign_now) : meter_rules(sign_now);
}

function received(latest, age_ms) {
  freshness.received(age_ms, latest.maximum_age_ms);
  sign = latest;
  const progressive = progressive_words(sign.progressive);
  set_text(title, dotted(progressive || link, "rules"));
  set_text(house, dotted(sign.house, sign.game, sign.link));
  // Rules that did not change keep their nodes.
  const rules = box("rules_body", rules_of(sign));
  if (rules.innerHTML !== body.innerHTML) body.replaceChildren(...rules.childNodes);
  look();
}

function look() {
  const is_live = freshness.is_live() && document.visibilityState === "visible";
  const has_ended = sign !== null && Boolean(sign.discontinued);
  const has_meter = sign === null || (sign.levels.length > 0 && !has_ended);
  const whole = is_live && !has_ended ? sign.levels.map((level) => cents(level.amount)) : [];
  const first = whole[0] ?? null;
  show(amount, first !== null);
  set_text(amount, first === null ? "" : dollars_of(first));
  show(absent, first === null && has_meter);
  show(dated, is_live && !has_ended);
  set_text(dated, is_live && !has_ended ? `Current amount, as of ${utc(sign.as_of)}` : "");
  const state = is_live ? state_words() : "";
  set_text(band, state);
  show(band, state !== "");
}

function state_words() {
  if (sign.discontinued) return ended_words(sign);
  if (sign.status !== "operating") return "Suspended";
  if (sign.pending_adjustment) return "Pending adjustment";
  if (sign.collecting !== false) return "";
  return sign.fund ? "No more contributions are taken" : "No more wagers are taken";
}

document.title = `${link} rules · Linkmeter`;
place.replaceChildren(
  element("header", { class: "rules_head" }, house, title),
  element("div", { class: "current" }, band, amount, absent, dated),
  body,
);
follow_link(link, received, look);
look();
