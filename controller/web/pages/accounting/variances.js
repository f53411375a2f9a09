// Variances: the differences of many days, open and explained. Reports are read a few at a time,
// because each of them is a whole day.
import { day_item } from "./day_items.js";
import { state_chip, weekday } from "./day_list.js";
import { element, paragraph, set_text, show, span } from "./element.js";
import { ask } from "./sign_in.js";
import { count_of } from "./words.js";

const DAYS_STEP = 14;

async function day_part(context, day) {
  const answer = await ask(`/api/days/${day.day}`);
  const title = element(
    "h3",
    {},
    element("a", { class: "entry", href: `#day/${day.day}` }, day.day),
    span("quiet", ` ${weekday(day.day)} `),
    state_chip(day),
  );
  if (!answer.ok) {
    const words = paragraph("error", answer.body.message);
    return { count: 0, node: element("section", { class: "sheet_part" }, title, words) };
  }
  const { report, record } = answer.body;
  if (report.items.length === 0) return { count: 0, node: null };
  const explain =
    record.state === "closed" ? null : (item) => context.acts.explain(report.day, item);
  return {
    count: report.items.length,
    node: element(
      "section",
      { class: "sheet_part" },
      title,
      element(
        "ol",
        { class: "items" },
        report.items.map((item) => day_item(item, report, explain)),
      ),
    ),
  };
}

export async function show_variances(context) {
  const { days } = await context.read("/api/days");
  const ready = days.filter(({ is_ready }) => is_ready);
  const list = element("div", { class: "variances" });
  const summary = element("p", { class: "quiet", role: "status" });
  const more = element("button", { type: "button", on_click: () => read() }, "");
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
  return [element("h2", { tabindex: -1 }, "Variances"), summary, list, more];
}
