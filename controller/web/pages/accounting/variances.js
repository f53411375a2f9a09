// Variances: the differences of many days, open and explained. Reports are read a few at a time,
// because each of them is a whole day.
import { day_items } from "./day_items.js";
import { state_chip, weekday } from "./day_list.js";
import { box, button, element, paragraph, set_text, show, span, status_line } from "./element.js";
import { day_link, page_title } from "./page_parts.js";
import { ask } from "./sign_in.js";
import { count_of } from "./words.js";

const DAYS_STEP = 14;

async function day_part(context, day) {
  const answer = await ask(`/api/days/${day.day}`);
  const items = answer.ok
    ? day_items(answer.body, context.acts)
    : paragraph("error", answer.body.message);
  if (items === null) return { count: 0, node: null };
  const title = [day_link(day.day), span("quiet", ` ${weekday(day.day)} `), state_chip(day)];
  return {
    count: answer.ok ? items.children.length : 0,
    node: element("section", { class: "sheet_part" }, element("h3", {}, title), items),
  };
}

export async function show_variances(context) {
  const { days } = await context.read("/api/days");
  const ready = days.filter(({ is_ready }) => is_ready);
  const list = box();
  const summary = status_line("quiet");
  const more = button("", () => read());
  let at = 0;
  let count = 0;
  async function read() {
    more.disabled = true;
    const step = ready.slice(at, at + DAYS_STEP);
    const parts = await Promise.all(step.map((day) => day_part(context, day)));
    at += step.length;
    count += parts.reduce((sum, part) => sum + part.count, 0);
    list.append(...parts.map(({ node }) => node).filter(Boolean));
    set_text(summary, `${count_of(count, "item")} in the last ${count_of(at, "day")}.`);
    more.disabled = false;
    set_text(more, `Read ${Math.min(DAYS_STEP, ready.length - at)} more days`);
    show(more, at < ready.length);
  }
  await read();
  return [page_title("Variances"), summary, list, more];
}
