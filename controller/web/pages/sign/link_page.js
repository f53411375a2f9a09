// Link page: the link that the address names, and the words if the floor has no such link.
import { by_id, paragraph } from "./element.js";
import { Live } from "./live.js";
import { ask } from "./sign_in.js";
import { decoded } from "./words.js";

// "/sign/C4-MEGA" -> "C4-MEGA". The name of a link can contain slashes.
export function link_after(prefix) {
  const name = location.pathname.slice(prefix.length);
  return decoded(name, name);
}

export const show_words = (text) => by_id("place").replaceChildren(paragraph("nothing", text));

// Follows the link. received(sign, age_ms): its amounts. ticked(): see live.js. A stream that does
// not open can mean that there is no such link.
export const follow_link = (link, received, ticked) =>
  new Live(`/events/signs?link=${encodeURIComponent(link)}`, "meter", {
    received: (sign, age_ms) => sign.link === link && received(sign, age_ms),
    ticked,
    refused: async () => {
      const answer = await ask("/api/meters");
      const is_known = !answer.ok || answer.body.links.some((one) => one.link === link);
      if (!is_known) show_unknown(link);
    },
  });

export const show_unknown = (link) => show_words(`There is no link ${link} on this floor.`);
