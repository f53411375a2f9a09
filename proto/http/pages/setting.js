// Setting: a button that turns a choice of this screen on or off. The browser remembers the choice.
import { remember, remembered } from "./element.js";

// value: what the browser stores while the choice is on.
export function bind_setting(button, name, value, apply) {
  const set = (is_on) => {
    apply(is_on);
    button.setAttribute("aria-pressed", String(is_on));
  };
  set(remembered(name) === value);
  button.addEventListener("click", () => {
    const is_on = button.getAttribute("aria-pressed") !== "true";
    remember(name, is_on ? value : "");
    set(is_on);
  });
}

// A setting that is an attribute data-NAME="value" of the page.
export const bind_page_setting = (button, name, value) =>
  bind_setting(button, name, value, (is_on) => {
    if (is_on) document.documentElement.dataset[name] = value;
    else delete document.documentElement.dataset[name];
  });
