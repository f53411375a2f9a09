// Owed: what to pay to whom and from where, as the agent told it; envy by the hand that brought it.
import { element } from "./element.js";
import { dollars, words } from "./words.js";

function award_box(award) {
  const is_pending = award.claim !== null;
  return element("article", { class: `award ${is_pending ? "pending" : ""}` },
    element("h3", {}, `Seat ${award.seat}: ${words(award.line)}`),
    element("span", { class: "amount" }, dollars(award.amount)),
    element("p", {}, `${award.words}.`));
}

function envy_box(list) {
  const whose = list.holder === null ? "" : ` of seat ${list.holder}`;
  return element("article", { class: "award" },
    element("h3", {}, `Envy for the ${list.line_words}${whose}`),
    element("ul", {}, list.to.map((one) => element("li", {}, `Seat ${one.seat}: pay `,
      element("strong", {}, dollars(one.amount)), " from the rack now"))));
}

export function owed_view(picture) {
  const own = picture.awards.filter((award) => award.kind !== "envy");
  if (own.length === 0 && picture.envy.length === 0) return [];
  return [
    element("h2", {}, "To pay"),
    ...own.filter((award) => award.claim !== null).map(award_box),
    ...own.filter((award) => award.claim === null).map(award_box),
    ...picture.envy.map(envy_box),
  ];
}
