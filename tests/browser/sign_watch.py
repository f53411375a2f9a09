"""Watches a sign frame by frame: what it shows against what it has heard.

The script runs in the page before the page's own. It notes every amount that comes out of
JSON.parse, which is before the page can know it, and compares every frame and every change of the
page with it: a figure above the last true one is a lie, whatever the reason.
"""

WATCH = """
(() => {
  const watch = { heard: 0, frames: 0, changes: 0, lies: [], seen: {}, truth: {} };
  window.sign_watch = watch;
  const cents = (text) => Number(text.replace(/[^0-9]/g, ""));
  const parse = JSON.parse;
  JSON.parse = (text, ...more) => {
    const told = parse(text, ...more);
    for (const sign of told?.links ?? [told]) {
      if (!sign?.levels) continue;
      watch.heard += 1;
      for (const level of sign.levels) watch.truth[level.level] = cents(level.amount);
    }
    return told;
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

# Seconds that the clocks of the page are ahead, as after a sleep: performance.now() stands still.
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
