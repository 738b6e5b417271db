/**
 * Blink logic of a traffic light. A blink lasts 0.3 s, and steady traffic causes at most three blinks a second, to
 * avoid strobing.
 */
import type { Clock } from '@wirebench/clock';
import { paintStep, untilStep } from '../../../shared/paint-step.ts';

/** Length of a blink, in milliseconds: `--dur-blink` of the design. */
const blinkDuration = 300;
/** Dark time between two blinks, in milliseconds. Limits the rate to 2.5 blinks a second. */
const gapDuration = 100;

export class LedLight {
  readonly #clock: Clock;
  readonly #onChange: (lit: boolean) => void;
  readonly #steady: boolean;
  #phase: 'dark' | 'due' | 'lit' | 'gap' = 'dark';
  /** True: traffic arrived during a blink or the gap after it. */
  #again = false;
  #cancel: (() => void) | undefined;

  /** @param steady True: stay lit during traffic instead of blinking, for users who prefer reduced motion. */
  constructor(clock: Clock, onChange: (lit: boolean) => void, steady = false) {
    this.#clock = clock;
    this.#onChange = onChange;
    this.#steady = steady;
  }

  /** Reports traffic. */
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

  /** Schedules `then` at a shared paint step, so that eight lights need no more frames than one. */
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
