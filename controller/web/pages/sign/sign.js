// The sign of one link. sign_view.js decides what it shows, and link_page.js receives the amounts.
import { by_id, paragraph, set_text } from "./element.js";
import { follow_link, link_after, show_unknown, show_words } from "./link_page.js";
import { ask } from "./sign_in.js";
import { SignView } from "./sign_view.js";
import { utc } from "./words.js";

const link = link_after("/sign/");
const is_still = new URLSearchParams(location.search).get("still") === "1";
const place = by_id("place");

// One frame with its date. It does not change.
async function show_still() {
  const answer = await ask("/api/meters");
  const sign = answer.body.links?.find((one) => one.link === link);
  if (!answer.ok) return show_words(answer.body.message);
  if (!sign) return show_unknown(link);
  if (sign.age_ms > sign.maximum_age_ms) {
    return show_words("Amount not available: the last known amount is too old.");
  }
  const view = new SignView();
  view.is_still = true;
  place.replaceChildren(view.place);
  document.body.classList.add("still");
  view.received(sign, sign.age_ms);
  return view.place.append(paragraph("dated", `As of ${utc(sign.as_of)}`));
}

document.title = `${link} · Linkmeter`;
if (is_still) {
  show_still();
} else {
  const view = new SignView();
  place.replaceChildren(view.place);
  set_text(view.game, link);
  follow_link(
    link,
    (sign, age_ms) => view.received(sign, age_ms),
    () => view.look(),
  );
}
