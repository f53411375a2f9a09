// Link page: the link that the address names, and the words if the floor has no such link.
import { by_id, paragraph } from "./element.js";
import { ask } from "./sign_in.js";
import { decoded } from "./words.js";

// "/sign/C4-MEGA" -> "C4-MEGA". The name of a link can contain slashes.
export function link_after(prefix) {
  const name = location.pathname.slice(prefix.length);
  return decoded(name, name);
}

export const show_words = (text) => by_id("place").replaceChildren(paragraph("nothing", text));

// A stream that does not open can mean that there is no such link.
export async function look_for_link(link) {
  const answer = await ask("/api/meters");
  if (answer.ok && !answer.body.links.some((one) => one.link === link)) show_unknown(link);
}

export const show_unknown = (link) => show_words(`There is no link ${link} on this floor.`);
