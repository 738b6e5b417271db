/**
 * When a light that shows traffic is on: each blink lasts 0.3 s, and under steady traffic there are at most three a second,
 * so that nobody is made to look into a strobe. Knows time; no screen.
 */
import type { Clock } from '@wirebench/clock';
import { paintStep, untilStep } from '../../../workbench/paint-step.ts';

/** How long a blink lasts, in milliseconds; `--dur-blink` of the design. */
const blinkDuration = 300;
/** Dark time between two blinks, in milliseconds: with it there are 2.5 a second at most. */
const gapDuration = 100;

export class LedLight {
  readonly #clock: Clock;
  readonly #onChange: (lit: boolean) => void;
  readonly #steady: boolean;
  #phase: 'dark' | 'due' | 'lit' | 'gap' = 'dark';
  /** Traffic came while the light could not answer to it. */
  #again = false;
  #cancel: (() => void) | undefined;

  /** @param steady for people who want nothing to move: it stays on as long as there is traffic. */
  constructor(clock: Clock, onChange: (lit: boolean) => void, steady = false) {
    this.#clock = clock;
    this.#onChange = onChange;
    this.#steady = steady;
  }

  /** Something was received or sent. */
  signal(): void {
    if (this.#phase === 'dark') {
      this.#phase = 'due';
      this.#cancel = this.#clock.schedule(untilStep(this.#clock.now(), 0), () => this.#blink());
    } else if (this.#phase !== 'due') {
      this.#again = true;
    }
  }

  dispose(): void {
    this.#cancel?.();
  }

  #blink(): void {
    this.#phase = 'lit';
    this.#onChange(true);
    this.#keepLit();
  }

  #keepLit(): void {
    this.#again = false;
    this.#after(blinkDuration, () => {
      if (this.#steady && this.#again) {
        this.#keepLit();
        return;
      }
      this.#phase = 'gap';
      this.#onChange(false);
      this.#after(gapDuration, () => this.#afterGap());
    });
  }

  /** In step with the other lights, so that eight of them cost no more frames than one. */
  #after(delay: number, then: () => void): void {
    this.#cancel = this.#clock.schedule(untilStep(this.#clock.now(), delay - paintStep / 2), then);
  }

  #afterGap(): void {
    if (this.#again) {
      this.#blink();
    } else {
      this.#phase = 'dark';
    }
  }
}
