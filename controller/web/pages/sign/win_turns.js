// Win turns: which win is shown large now, on a screen of one link or of several.
//
// Laws: a win stands large for 30 s after it was raised. Where several do, each has a first turn of
// its own, one after the other, as they came; from then on they take turns. So a win that comes
// while another stands is seen within seconds, and none is left out. What was raised longer ago
// when it is first heard of is not news. Nothing grows: a win is forgotten with its award.
import { now_ms } from "./live.js";

const STANDS_MS = 30_000;
const TURN_MS = 6_000;

export class WinTurns {
  constructor() {
    this.wins = []; // {view, claim, begins, until}, as they came
  }

  // All that is told of one view's link, the latest first: {claim, since_ms}, as the sender's one
  // clock has it.
  note(view, awards) {
    const now = now_ms();
    const is_told = (claim) => awards.some((award) => award.claim === claim);
    this.wins = this.wins.filter((win) => win.view !== view || is_told(win.claim));
    for (const { claim, since_ms } of awards.toReversed()) {
      if (since_ms >= STANDS_MS) continue;
      if (this.wins.some((win) => win.view === view && win.claim === claim)) continue;
      const last = this.wins.at(-1);
      const begins = Math.max(now, last ? last.begins + TURN_MS : now);
      const until = Math.max(now + STANDS_MS - since_ms, begins + TURN_MS);
      this.wins.push({ view, claim, begins, until });
    }
  }

  // The win whose turn it is; null: none. Only what its view can show counts.
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
