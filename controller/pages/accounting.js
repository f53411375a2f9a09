// Accounting: every meter as it is in the books, to eight decimals, and what all of them come to.
// Laws: read-only; added up in whole 10⁻⁸ dollars; a reading has its entry, and does not move by itself.
import { by_id, element, say, show } from "./element.js";
import { Session, ask } from "./sign_in.js";
import { price, words } from "./words.js";

const DECIMALS = 8;
const SUMS = ["amount", "withheld", "pending", "paid", "contributed", "seeded"];
const TITLES = {
  amount: "Meter", withheld: "Withheld", pending: "Pending", paid: "Paid",
  contributed: "Contributed", seeded: "Seeded",
};

// "12.34" -> 1234000000n; what is no amount counts as nothing and is shown as it was written.
function units(text) {
  const parts = /^(-?)(\d+)(?:\.(\d{1,8}))?$/.exec(text ?? "");
  if (parts === null) return 0n;
  const whole = BigInt(parts[2] + (parts[3] ?? "").padEnd(DECIMALS, "0"));
  return parts[1] ? -whole : whole;
}

// Cents are read at a glance; what is finer stands beside them, quieter.
function exact(whole) {
  const digits = String(whole < 0n ? -whole : whole).padStart(DECIMALS + 1, "0");
  const left = digits.slice(0, -DECIMALS).replace(/\B(?=(\d{3})+$)/g, ",");
  const right = digits.slice(-DECIMALS);
  return element("span", { class: "amount" }, `${whole < 0n ? "−" : ""}$${left}.${right.slice(0, 2)}`,
    element("span", { class: "fine" }, right.slice(2)));
}

const cell = (...children) => element("td", { class: "number" }, ...children);

function level_row(link, level, is_first) {
  const status = link.status === "operating" ? null : element("span", { class: "chip bad" }, "suspended");
  return element("tr", { class: is_first ? "first" : "" },
    element("th", { scope: "row" }, is_first ? [link.link, " ", status] : element("span", { class: "unseen" }, link.link)),
    element("td", {}, words(level.level)),
    SUMS.map((name) => cell(exact(units(level[name])))), cell(String(level.hits ?? "")));
}

function reserve_row(link) {
  return element("tr", {},
    element("th", { scope: "row" }, element("span", { class: "unseen" }, link.link)),
    element("td", {}, "Reserve"), cell(exact(units(link.reserve))),
    cell(exact(units(link.reserve_withheld))), cell(), cell(), cell(exact(units(link.reserve_contributed))), cell(), cell());
}

function table_of(links) {
  const sums = Object.fromEntries(SUMS.map((name) => [name,
    links.flatMap((link) => link.levels).reduce((sum, level) => sum + units(level[name]), 0n)]));
  sums.amount += links.reduce((sum, link) => sum + units(link.reserve), 0n);
  sums.withheld += links.reduce((sum, link) => sum + units(link.reserve_withheld), 0n);
  sums.contributed += links.reduce((sum, link) => sum + units(link.reserve_contributed), 0n);
  return element("table", {},
    element("caption", { class: "unseen" }, "Every meter of the floor"),
    element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "Link"), element("th", { scope: "col" }, "Level"),
      SUMS.map((name) => element("th", { scope: "col", class: "number" }, TITLES[name])),
      element("th", { scope: "col", class: "number" }, "Hits"))),
    element("tbody", {}, links.map((link) => [
      link.levels.length === 0
        ? element("tr", { class: "first" }, element("th", { scope: "row" }, link.link),
          element("td", { class: "quiet", colspan: 8 }, `fixed awards${link.unit ? `, ${price(link.unit)} wager` : ""}: no meter`))
        : link.levels.map((level, at) => level_row(link, level, at === 0)),
      units(link.reserve) !== 0n || units(link.reserve_withheld) !== 0n || units(link.reserve_contributed) !== 0n
        ? reserve_row(link) : null])),
    element("tfoot", {}, element("tr", {}, element("th", { scope: "row", colspan: 2 }, "All meters and reserves"),
      SUMS.map((name) => cell(exact(sums[name]))), cell())));
}

async function read() {
  const place = by_id("meters");
  const answer = await ask("/api/accounting");
  if (!answer.ok) {
    say(by_id("as_of"), "");
    if (answer.status === 401) session.still_stands();
    place.replaceChildren(element("p", { class: "error refused", role: "alert" }, answer.body.message));
    return;
  }
  say(by_id("as_of"), `entry ${answer.body.entry}`);
  place.replaceChildren(table_of(answer.body.links));
}

const session = new Session(by_id("sign_in"), {
  title: "Accounting",
  signed_in: (person) => {
    show(by_id("books"), true);
    say(by_id("person"), `${person.badge} ${person.name}`);
    read();
  },
  signed_out: () => { by_id("meters").replaceChildren(); show(by_id("books"), false); },
});
by_id("again").addEventListener("click", read);
by_id("sign_out").addEventListener("click", () => session.sign_out());
session.begin();
