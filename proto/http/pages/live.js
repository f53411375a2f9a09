// Live: one stream of server-sent events that reconnects by itself, and the age of its values.
//
// Laws. A value is live for maximum_age_ms after the time at which it was true, and not longer. Its
// age is age_ms, measured by the sender, plus the time since, measured by this page's clocks:
// performance.now(), which never goes back, and the wall clock, which can only make a value older
// (performance.now() can stop while a machine sleeps).
// An event can also be late, because a network held it or the browser put the page to sleep. The
// first event of a stream was sent after the stream was requested, so that time bounds its delay. A
// later event is compared with it: as_of + age_ms is the time of sending on the sender's clock. So
// every age is an upper bound, and the two clocks need not agree. They need not run at the same
// speed either: the difference of their crystals during a stream is not counted as delay. It can
// hide a delay of at most a quarter of a second, because streams are renewed before it grows
// larger.
// Memory does not grow: there is one stream and one timer, for any number of days.

const TICK_MS = 200;
const SILENCE_MS_MAX = 3000; // the server sends once a second
const OPENING_MS_MAX = 6000;
const WAIT_MS_MIN = 400;
const WAIT_MS_MAX = 3000;
const DRIFT_PART = 2e-4; // two clocks drift apart by less: 17 s a day
const STREAM_MS_MAX = 20 * 60_000; // a random part of it, so that screens do not renew together

// Elapsed milliseconds, by the clock that shows more. Small steps of the wall clock are ignored,
// because time synchronization adjusts it all day.
class Elapsed {
  constructor() {
    this.total = 0;
    this.steady = performance.now();
    this.wall = Date.now();
  }
  now() {
    const steady = performance.now();
    const wall = Date.now();
    const passed = steady - this.steady;
    const slept = wall - this.wall;
    this.total += slept > passed + 1000 ? slept : passed;
    this.steady = steady;
    this.wall = wall;
    return this.total;
  }
}
const elapsed = new Elapsed();

// Milliseconds since this page began. It includes sleep and never goes back.
export const now_ms = () => elapsed.now();

// The age of one value.
export class Freshness {
  constructor() {
    this.forget();
  }
  forget() {
    this.received_at = null;
    this.age_then = 0;
    this.maximum = 0;
  }
  received(age_ms, maximum_age_ms) {
    this.received_at = now_ms();
    this.age_then = age_ms;
    this.maximum = maximum_age_ms - TICK_MS; // the page checks once a tick
  }
  age_ms() {
    return this.received_at === null ? Infinity : this.age_then + now_ms() - this.received_at;
  }
  is_live() {
    return this.received_at !== null && this.age_ms() <= this.maximum;
  }
}

// received(data, age_ms): an event and its age now. ticked(): every 200 ms, and when the page
// wakes. refused(): a stream did not open; if it returns false, there is no further try.
export class Live {
  constructor(url, event_name, { received, ticked = () => {}, refused = () => true }) {
    Object.assign(this, { url, event_name, received, ticked, refused });
    this.source = null;
    this.wait_ms = WAIT_MS_MIN;
    this.end = new AbortController();
    const { signal } = this.end;
    const listen = (place, name) => place.addEventListener(name, () => this.woken(), { signal });
    for (const name of ["visibilitychange", "resume"]) listen(document, name);
    for (const name of ["pageshow", "online"]) listen(window, name);
    this.timer = setInterval(() => this.tick(), TICK_MS);
    this.open();
  }

  close() {
    this.end.abort();
    this.shut();
    clearInterval(this.timer);
  }

  open() {
    this.shut();
    this.opened_at = now_ms();
    this.renew_at = this.opened_at + STREAM_MS_MAX * (0.5 + Math.random() / 2);
    this.last_at = null;
    this.earliest = null;
    const source = new EventSource(this.url);
    this.source = source;
    source.addEventListener(this.event_name, (event) => {
      if (source === this.source) this.take(event);
    });
    source.addEventListener("error", () => {
      if (source === this.source) this.failed();
    });
  }

  shut() {
    if (this.source !== null) this.source.close();
    this.source = null;
  }

  take(event) {
    let data;
    try {
      data = JSON.parse(event.data);
    } catch {
      return;
    }
    const now = now_ms();
    const maximum = data.maximum_age_ms ?? SILENCE_MS_MAX;
    const offset = now - (Date.parse(data.as_of.replace(/(\.\d{3})\d+/, "$1")) + data.age_ms);
    const is_first = this.earliest === null;
    if (!is_first) this.earliest += (now - this.taken_at) * DRIFT_PART;
    this.taken_at = now;
    const late = is_first ? now - this.opened_at : Math.max(0, offset - this.earliest);
    this.earliest = is_first ? offset - late : Math.min(this.earliest, offset);
    // Too late, or a clock was set, or the stream was slow to open: a new stream gives a better
    // bound.
    if (!(late <= (is_first ? maximum / 2 : maximum))) {
      this.again();
      return;
    }
    this.last_at = now;
    this.wait_ms = WAIT_MS_MIN;
    this.received(data, data.age_ms + late);
  }

  failed() {
    const was_open = this.last_at !== null;
    this.again();
    if (was_open) return;
    Promise.resolve(this.refused()).then(
      (go_on) => {
        if (go_on === false) this.close();
      },
      () => {},
    );
  }

  // Tries again, a little later each time, and at a random time so that screens do not try
  // together.
  again() {
    this.shut();
    this.retry_at = now_ms() + this.wait_ms * (0.5 + Math.random() / 2);
    this.wait_ms = Math.min(this.wait_ms * 2, WAIT_MS_MAX);
  }

  woken() {
    if (document.visibilityState === "visible" || document.prerendering) {
      const is_silent = this.last_at === null || now_ms() - this.last_at > SILENCE_MS_MAX / 2;
      if (this.source === null || is_silent) {
        this.wait_ms = WAIT_MS_MIN;
        this.open();
      }
    }
    this.ticked();
  }

  tick() {
    const now = now_ms();
    if (this.source === null) {
      if (now >= this.retry_at) this.open();
    } else if (
      this.last_at === null
        ? now - this.opened_at > OPENING_MS_MAX
        : now - this.last_at > SILENCE_MS_MAX
    ) {
      this.again();
    } else if (now > this.renew_at) {
      this.open();
    }
    this.ticked();
  }
}
