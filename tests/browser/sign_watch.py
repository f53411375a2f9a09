"""Watches a sign frame by frame: compares the shown amounts with the received ones.

The script runs before the scripts of the page. It records every amount that JSON.parse returns,
before the page can use it, and compares every frame and every change of the page with it. A figure
above the last true amount is always wrong.
"""

WATCH = """
(() => {
  const watch = { heard: 0, frames: 0, changes: 0, lies: [], seen: {}, truth: {} };
  window.sign_watch = watch;
  const cents = (text) => Number(text.replace(/[^0-9]/g, ""));
  const parse = JSON.parse;
  JSON.parse = (text, ...more) => {
    const value = parse(text, ...more);
    for (const sign of value?.links ?? [value]) {
      if (!sign?.levels) continue;
      watch.heard += 1;
      for (const level of sign.levels) watch.truth[level.level] = cents(level.amount);
    }
    return value;
  };
  const look = () => {
    for (const level of document.querySelectorAll(".level")) {
      const text = level.querySelector(".figure").textContent;
      if (text === "") continue;
      const name = level.dataset.level;
      const shown = cents(text);
      const seen = watch.seen[name] ??= [];
      if (seen.at(-1) !== shown && seen.length < 20000) seen.push(shown);
      if (!(shown <= watch.truth[name])) watch.lies.push([name, shown, watch.truth[name]]);
    }
  };
  const frame = () => { watch.frames += 1; look(); requestAnimationFrame(frame); };
  requestAnimationFrame(frame);
  new MutationObserver(() => { watch.changes += 1; look(); }).observe(document, {
    subtree: true, childList: true, characterData: true });
})();
"""

# Moves the wall clock of the page ahead, as after a sleep; performance.now() does not move.
SLEEP = """
(() => {
  const now = Date.now;
  window.slept_ms = 0;
  Date.now = () => now() + window.slept_ms;
  let seen = "visible";
  Object.defineProperty(document, "visibilityState", { get: () => seen });
  window.be_seen = (state) => {
    seen = state;
    document.dispatchEvent(new Event("visibilitychange"));
  };
})();
"""
