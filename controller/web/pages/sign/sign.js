// One link's sign. What it shows and when is sign_view.js; how it hears of it is live.js.
import { by_id, element, say } from "./element.js";
import { Live } from "./live.js";
import { ask } from "./sign_in.js";
import { SignView } from "./sign_view.js";
import { utc } from "./words.js";

// A link's name may have slashes.
const link = named_in(location.pathname.slice("/sign/".length));
const is_still = new URLSearchParams(location.search).get("still") === "1";
const place = by_id("place");

function named_in(path) {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

// A stream that does not open may mean that there is no such link: that is told in words.
async function look_for_link() {
  const answer = await ask("/api/meters");
  if (answer.ok && !answer.body.links.some((sign) => sign.link === link)) {
    place.replaceChildren(
      element("p", { class: "nothing" }, `There is no link ${link} on this floor.`),
    );
  }
}

// One frame, dated, that stays as it is.
async function show_still() {
  const answer = await ask("/api/meters");
  const sign = answer.body.links?.find((one) => one.link === link);
  if (!sign) {
    await look_for_link();
    if (!answer.ok) place.replaceChildren(element("p", { class: "nothing" }, answer.body.message));
    return;
  }
  if (sign.age_ms > sign.maximum_age_ms) {
    place.replaceChildren(
      element("p", { class: "nothing" }, "Amount not available: what is known of it is too old."),
    );
    return;
  }
  const view = new SignView();
  view.is_still = true;
  place.replaceChildren(view.place);
  document.body.classList.add("still");
  view.heard(sign, sign.age_ms);
  view.place.append(element("p", { class: "dated" }, `As of ${utc(sign.as_of)}`));
}

document.title = `${link} · Linkmeter`;
if (is_still) {
  show_still();
} else {
  const view = new SignView();
  place.replaceChildren(view.place);
  say(view.game, link);
  new Live(`/events/signs?link=${encodeURIComponent(link)}`, "meter", {
    heard: (sign, age_ms) => {
      if (sign.link === link) view.heard(sign, age_ms);
    },
    ticked: () => view.look(),
    refused: look_for_link,
  });
}
