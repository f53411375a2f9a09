// Accounting: gaming days and their results. This file finds the page that the address names, reads
// its data and shows it. Laws: a page shows what the controller answered when it was read, and does
// not change by itself. Nothing stays on the screen when nobody is signed in.
import { show_claims } from "./claim_list.js";
import { show_configurations } from "./configuration_history.js";
import { DayActs } from "./day_acts.js";
import { show_days } from "./day_list.js";
import { show_day } from "./day_sheet.js";
import { button, by_id, error_line, set_current, set_text, show } from "./element.js";
import { show_journal } from "./journal_pages.js";
import { show_links } from "./link_history.js";
import { show_meters } from "./meters_now.js";
import { show_acts } from "./people_acts.js";
import { bind_page_setting, bind_setting } from "./setting.js";
import { Session, ask } from "./sign_in.js";
import { show_variances } from "./variances.js";
import { decoded, sentence } from "./words.js";

// By the first word of the address. The words after it are parameters of show_it.
const PAGES = {
  days: { show_it: show_days, title: "Gaming days" },
  day: { show_it: show_day, title: "Gaming day", tab: "days" },
  variances: { show_it: show_variances, title: "Variances" },
  links: { show_it: show_links, title: "Links" },
  claims: { show_it: show_claims, title: "Claims" },
  people: { show_it: show_acts, title: "Acts of people" },
  configuration: { show_it: show_configurations, title: "Configuration" },
  journal: { show_it: show_journal, title: "Journal" },
  meters: { show_it: show_meters, title: "Current meters" },
};
const UNREADABLE =
  "This page does not understand the controller's answer, so it shows nothing of it.";
const TRIES_MAX = 6;
const TRY_AGAIN_MS = 500;
const place = by_id("page");

// The controller refused to answer; the message is in its words.
class ReadError extends Error {
  constructor(answer) {
    super(answer.body.message);
    this.status = answer.status;
    this.error = answer.body.error;
  }
}

let turn = 0;
const context = {
  async read(path) {
    const answer = await ask(path);
    if (!answer.ok) throw new ReadError(answer);
    return answer.body;
  },
  again: () => open({ stays: true }),
  // An act was done: reads the page again and shows the result.
  async done(text) {
    await open({ stays: true });
    set_text(by_id("result"), sentence(text));
    by_id("result").focus();
    scrollTo(0, 0);
  },
};

// ["day", "2026-11-21"]
const asked_page = () => {
  const parts = location.hash.slice(1).split("/");
  const words = parts.map((part) => decoded(part, "")).filter((word) => word !== "");
  return words[0] in PAGES ? words : ["days"];
};

function error_nodes(fault) {
  if (!(fault instanceof ReadError)) {
    reportError(fault); // an unknown answer is not shown in part
    return [error_line(UNREADABLE)];
  }
  if (fault.status === 401) session.still_stands();
  const can_read_again = fault.status !== 403;
  return [error_line(fault.message), can_read_again && button("Read again", context.again)];
}

// After an act on a day its report is made again, which takes a moment.
async function read_page(page, words, is_wanted) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await page.show_it(context, ...words);
    } catch (fault) {
      const is_soon = fault instanceof ReadError && fault.error === "report_not_ready";
      if (!is_soon || tries === TRIES_MAX || !is_wanted()) return error_nodes(fault);
    }
    await new Promise((resolve) => setTimeout(resolve, TRY_AGAIN_MS));
  }
}

// stays: the page is read again, and the reader keeps the place.
async function open({ stays = false } = {}) {
  if (session.person === null) return;
  turn += 1;
  const mine = turn;
  const [name, ...rest] = asked_page();
  const page = PAGES[name];
  for (const link of by_id("pages").querySelectorAll("a")) {
    set_current(link, link.hash === `#${page.tab ?? name}`, "page");
  }
  set_text(by_id("result"), "");
  place.setAttribute("aria-busy", "true");
  const nodes = await read_page(page, rest, () => mine === turn);
  if (mine !== turn || session.person === null) return;
  place.removeAttribute("aria-busy");
  place.dataset.page = location.hash.slice(1);
  place.replaceChildren(...nodes.flat(9).filter(Boolean));
  document.title = `${rest[0] && name === "day" ? rest[0] : page.title} · Accounting · Linkmeter`;
  if (stays) return;
  place.querySelector("h2")?.focus({ preventScroll: true });
  scrollTo(0, 0);
}

// --- settings and paper ---

// Paper shows what is folded on the screen. Afterwards it is folded again.
let unfolded = [];
window.addEventListener("beforeprint", () => {
  unfolded = [...place.querySelectorAll("details.folded:not([open])")];
  for (const one of unfolded) one.open = true;
});
window.addEventListener("afterprint", () => {
  for (const one of unfolded) one.open = false;
});

// --- beginning and end of a session ---

const session = new Session(by_id("sign_in"), {
  title: "Accounting",
  signed_in: (person) => {
    show(by_id("books"), true);
    set_text(by_id("person"), `${person.badge} ${person.name}`);
    context.session = session;
    context.acts = new DayActs(session, by_id("act"), context.done);
    open();
  },
  signed_out: () => {
    turn += 1;
    place.replaceChildren();
    set_text(by_id("result"), "");
    show(by_id("books"), false);
    document.title = "Accounting · Linkmeter";
  },
});
bind_setting(by_id("exact"), "exact", "on", (is_on) =>
  document.body.classList.toggle("is_exact", is_on),
);
bind_page_setting(by_id("theme"), "theme", "light");
window.addEventListener("hashchange", () => open());
by_id("sign_out").addEventListener("click", () => session.sign_out());
session.begin();
