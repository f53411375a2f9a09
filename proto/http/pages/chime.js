// Chime: two soft tones for events that a person must not miss. A browser plays no sound before the
// page is touched. Until then the button says that it waits for a touch, and not that sound is on.
import { remember, remembered, set_text } from "./element.js";

export class Chime {
  constructor(button) {
    this.button = button;
    this.is_wanted = remembered("sound") === "on";
    this.context = null;
    button.addEventListener("click", () => {
      this.is_wanted = !this.is_on();
      remember("sound", this.is_wanted ? "on" : "off");
      this.wake().then(() => this.play());
    });
    for (const name of ["pointerdown", "keydown"]) {
      window.addEventListener(name, (event) => {
        if (!button.contains(event.target)) this.wake();
      });
    }
    this.show_state();
  }

  is_on() {
    return this.is_wanted && this.context?.state === "running";
  }

  async wake() {
    if (this.is_wanted) {
      this.context ??= new AudioContext();
      if (this.context.state !== "running") await this.context.resume().catch(() => {});
    }
    this.show_state();
  }

  show_state() {
    const is_on = this.is_on();
    set_text(
      this.button,
      is_on ? "Sound on" : this.is_wanted ? "Sound: touch the page to turn it on" : "Sound off",
    );
    this.button.setAttribute("aria-pressed", String(is_on));
  }

  play() {
    if (!this.is_on()) return;
    [659.3, 880].forEach((pitch, at) => {
      const begin = this.context.currentTime + at * 0.16;
      const tone = this.context.createOscillator();
      const loud = this.context.createGain();
      tone.frequency.value = pitch;
      loud.gain.setValueAtTime(0.0001, begin);
      loud.gain.exponentialRampToValueAtTime(0.25, begin + 0.02);
      loud.gain.exponentialRampToValueAtTime(0.0001, begin + 0.5);
      tone.connect(loud).connect(this.context.destination);
      tone.start(begin);
      tone.stop(begin + 0.55);
    });
  }
}
