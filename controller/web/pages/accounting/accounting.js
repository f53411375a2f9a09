// Accounting: the gaming days and what they came to. This file finds the page that is asked for,
// reads it and puts it there. Laws: what is shown is what the controller said when it was read, and
// does not move by itself; nothing of it stays on a screen that nobody is signed in at.
import { show_claims } from "./claim_list.js";
import { show_configurations } from "./configuration_history.js";
import { DayActs } from "./day_acts.js";
import { show_days } from "./day_list.js";
import { show_day } from "./day_sheet.js";
import { by_id, element, remember, remembered, say, show } from "./element.js";
import { show_journal } from "./journal_pages.js";
import { show_links } from "./link_history.js";
import { show_meters } from "./meters_now.js";
import { show_acts } from "./people_acts.js";
import { Session, ask } from "./sign_in.js";
import { show_variances } from "./variances.js";
import { sentence } from "./words.js";

// By the first word of the address; each is asked with the words behind it.
const PAGES = {
  days: { show_it: show_days, title: "Gaming days" },
  day: { show_it: show_day, title: "Gaming day", tab: "days" },
  variances: { show_it: show_variances, title: "Variances" },
  links: { show_it: show_links, title: "Links" },
  claims: { show_it: show_claims, title: "Claims" },
  people: { show_it: show_acts, title: "People’s acts" },
  configuration: { show_it: show_configurations, title: "Configuration" },
  journal: { show_it: show_journal, title: "Journal" },
  meters: { show_it: show_meters, title: "Meters now" },
};
const UNREADABLE =
  "This page does not understand what the controller said. Nothing of it is shown.";
const TRIES_MAX = 6;
const TRY_AGAIN_MS = 500;
const place = by_id("page");

// What the controller did not tell, in its words.
class Untold extends Error {
  constructor(answer) {
    super(answer.body.message);
    this.status = answer.status;
    this.error = answer.body.error;
  }
}

let turn = 0;
const desk = {
  async read(path) {
    const answer = await ask(path);
    if (!answer.ok) throw new Untold(answer);
    return answer.body;
  },
  again: () => open({ stays: true }),
  // Something was done: it is told, and the page is read anew.
  async done(text) {
    await open({ stays: true });
    say(by_id("told"), sentence(text));
    by_id("told").focus();
    scrollTo(0, 0);
  },
};

// ["day", "2026-11-21"]
const asked_page = () => {
  const words = location.hash
    .slice(1)
    .split("/")
    .map(decoded)
    .filter((word) => word !== "");
  return words[0] in PAGES ? words : ["days"];
};

function decoded(word) {
  try {
    return decodeURIComponent(word);
  } catch {
    return "";
  }
}

function untold(fault) {
  if (!(fault instanceof Untold)) {
    reportError(fault); // what came is not what this page knows: no half of it is shown
    return [element("p", { class: "error refused", role: "alert" }, UNREADABLE)];
  }
  if (fault.status === 401) session.still_stands();
  const again = element("button", { type: "button", on_click: () => desk.again() }, "Read again");
  return [
    element("p", { class: "error refused", role: "alert" }, fault.message),
    fault.status === 403 ? null : again,
  ];
}

// A report that is being made, as after every act upon its day, is there in a moment.
async function read_page(page, words, is_wanted) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await page.show_it(desk, ...words);
    } catch (fault) {
      const comes = fault instanceof Untold && fault.error === "report_not_ready";
      if (!comes || tries === TRIES_MAX || !is_wanted()) return untold(fault);
    }
    await new Promise((resolve) => setTimeout(resolve, TRY_AGAIN_MS));
  }
}

// `stays`: the same page anew; who reads it stays where he is.
async function open({ stays = false } = {}) {
  if (session.person === null) return;
  turn += 1;
  const mine = turn;
  const [name, ...rest] = asked_page();
  const page = PAGES[name];
  for (const link of by_id("pages").querySelectorAll("a")) {
    const is_here = link.hash === `#${page.tab ?? name}`;
    if (is_here) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  say(by_id("told"), "");
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

// --- how it looks ---

function choose(button, name, apply) {
  const set = (is_on) => {
    apply(is_on);
    button.setAttribute("aria-pressed", String(is_on));
  };
  set(remembered(name) === "on");
  button.addEventListener("click", () => {
    const is_on = button.getAttribute("aria-pressed") !== "true";
    remember(name, is_on ? "on" : "");
    set(is_on);
  });
}

function set_theme(button) {
  const set = (theme) => {
    if (theme === "light") document.documentElement.dataset.theme = "light";
    else delete document.documentElement.dataset.theme;
    button.setAttribute("aria-pressed", String(theme === "light"));
  };
  set(remembered("theme"));
  button.addEventListener("click", () => {
    const theme = button.getAttribute("aria-pressed") === "true" ? "" : "light";
    remember("theme", theme);
    set(theme);
  });
}

// Paper shows what is folded on the screen, and folds it again.
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
    say(by_id("person"), `${person.badge} ${person.name}`);
    desk.session = session;
    desk.acts = new DayActs(session, by_id("act"), desk.done);
    open();
  },
  signed_out: () => {
    turn += 1;
    for (const id of ["act", "explain"]) by_id(id).close();
    place.replaceChildren();
    say(by_id("told"), "");
    show(by_id("books"), false);
    document.title = "Accounting · Linkmeter";
  },
});
choose(by_id("exact"), "exact", (is_on) => document.body.classList.toggle("is_exact", is_on));
set_theme(by_id("theme"));
window.addEventListener("hashchange", () => open());
by_id("sign_out").addEventListener("click", () => session.sign_out());
session.begin();
