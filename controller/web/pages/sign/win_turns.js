// Win turns: which win is shown large now, on a screen of one link or of several.
//
// Laws: a win is shown large for 30 s after its claim was raised. If there are several, each gets a
// first turn of its own, in the order of arrival; then they take turns. So every win is seen within
// seconds. A win older than 30 s when it is first received is not shown large. Memory does not
// grow: a win is forgotten with its award.
import { now_ms } from "./live.js";

const STANDS_MS = 30_000;
const TURN_MS = 6_000;

export class WinTurns {
  constructor() {
    this.wins = []; // {view, claim, begins, until}, in the order of arrival
  }

  // The awards of the link of one view, latest first: {claim, since_ms}, by the sender's clock.
  note(view, awards) {
    const now = now_ms();
    const is_listed = (claim) => awards.some((award) => award.claim === claim);
    this.wins = this.wins.filter((win) => win.view !== view || is_listed(win.claim));
    for (const { claim, since_ms } of [...awards].reverse()) {
      if (since_ms >= STANDS_MS) continue;
      if (this.wins.some((win) => win.view === view && win.claim === claim)) continue;
      const last = this.wins.at(-1);
      const begins = Math.max(now, last ? last.begins + TURN_MS : now);
      const until = Math.max(now + STANDS_MS - since_ms, begins + TURN_MS);
      this.wins.push({ view, claim, begins, until });
    }
  }

  // The win whose turn it is; null if there is none. A win counts only if its view can show it.
  current() {
    const now = now_ms();
    const standing = this.wins.filter(
      ({ view, claim, begins, until }) => begins <= now && now < until && view.can_show(claim),
    );
    if (standing.length === 0) return null;
    const first_turn = standing.find(({ begins }) => now < begins + TURN_MS);
    return first_turn ?? standing[Math.floor(now / TURN_MS) % standing.length];
  }
}
