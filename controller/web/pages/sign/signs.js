// Several links in turn on one screen: ?link=A&link=B&turn=SECONDS (3 to 600, default 12). A win
// interrupts the turns, whichever link it belongs to (win_turns.js).
import { by_id, element } from "./element.js";
import { show_unknown, show_words } from "./link_page.js";
import { Live, now_ms } from "./live.js";
import { ask } from "./sign_in.js";
import { SignView } from "./sign_view.js";
import { WinTurns } from "./win_turns.js";

const asked = new URLSearchParams(location.search);
const turn_ms =
  Math.min(600, Math.max(3, Number.parseInt(asked.get("turn") ?? "12", 10) || 12)) * 1000;
const place = by_id("place");
const dots = by_id("dots");
const RETRY_MS = 2000;

let links = [...new Set(asked.getAll("link"))];
let views = new Map();
const turns = new WinTurns();
let turned_at = now_ms();
let current = null;

function turn_to(link) {
  current = link;
  turned_at = now_ms();
  for (const [one, view] of views) view.place.hidden = one !== link;
  [...dots.children].forEach((dot, at) => dot.classList.toggle("is_current", links[at] === link));
  views.get(link).look();
}

function look() {
  const win = turns.current();
  const won = win && links.find((link) => views.get(link) === win.view);
  if (won && won !== current) turn_to(won);
  else if (!won && now_ms() - turned_at >= turn_ms && links.length > 1) {
    turn_to(links[(links.indexOf(current) + 1) % links.length]);
  } else views.get(current).look();
}

function begin() {
  views = new Map(links.map((link) => [link, new SignView(turns)]));
  place.replaceChildren(...[...views.values()].map((view) => view.place));
  dots.replaceChildren(...links.map(() => element("li")));
  dots.hidden = links.length < 2;
  turn_to(links[0]);
  const query = links.map((link) => `link=${encodeURIComponent(link)}`).join("&");
  new Live(`/events/signs?${query}`, "meter", {
    received: (sign, age_ms) => views.get(sign.link)?.received(sign, age_ms),
    ticked: look,
  });
}

// Finds the links to show. Unknown links are left out; if none is left, the page says so.
async function find_links() {
  const answer = await ask("/api/meters");
  if (!answer.ok) {
    show_words("Amounts not available: connecting");
    setTimeout(find_links, RETRY_MS);
    return;
  }
  const known = answer.body.links.map((sign) => sign.link);
  const unknown = links.filter((link) => !known.includes(link));
  links = links.length === 0 ? known : links.filter((link) => known.includes(link));
  if (links.length > 0) begin();
  else if (unknown.length > 0) show_unknown(unknown[0]);
  else show_words("This floor has no links.");
}

document.title = "Signs · Linkmeter";
find_links();
