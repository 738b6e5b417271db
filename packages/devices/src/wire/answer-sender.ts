/** Sends a bootloader's answers to the line, each with the fault that is due. */

import type { Random } from '../random.ts';
import type { DeviceLine } from './device.ts';
import { faultDelay } from './step-faults.ts';
import type { TimerGroup } from './timer-group.ts';

/** Milliseconds between the bytes of a split answer. */
const splitPause = 3;

export interface SenderParts {
  readonly line: DeviceLine;
  readonly timers: TimerGroup;
  readonly random: Random;
}

export class AnswerSender {
  readonly #parts: SenderParts;
  /** An answer that waits to be sent together with the next one. `cancel` stops the timer that would send it alone. */
  #held: { readonly bytes: Uint8Array; readonly cancel: () => void } | null = null;

  constructor(parts: SenderParts) {
    this.#parts = parts;
  }

  /**
   * Sends an answer. Returns the time at which all of it has been handed to the line.
   * @param fault Fault to apply. Kinds that do not concern answers have no effect.
   */
  send(answer: Uint8Array, fault: { readonly kind: string; readonly delay?: number } | null): number {
    const { line, random, timers } = this.#parts;
    const now = line.clock.now();
    const bytes = Uint8Array.from([...(this.#held?.bytes ?? []), ...answer]);
    this.#held?.cancel();
    this.#held = null;
    switch (fault?.kind) {
      case 'drop-answer':
        break;
      case 'damage-answer': {
        const at = random.below(Math.max(1, bytes.length));
        bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8));
        line.write(bytes);
        break;
      }
      case 'garbage':
        line.write(Uint8Array.from({ length: 1 + random.below(40) }, () => random.below(256)));
        line.write(bytes);
        break;
      case 'repeat-answer':
        line.write(bytes);
        line.write(bytes);
        break;
      case 'split-answer':
        for (const [index, byte] of bytes.entries()) {
          timers.after(index * splitPause, () => line.write(Uint8Array.of(byte)));
        }
        return now + bytes.length * splitPause;
      case 'join-answer':
        this.#held = { bytes, cancel: timers.after(faultDelay(fault), () => this.send(new Uint8Array(), null)) };
        break;
      default:
        line.write(bytes);
    }
    return now;
  }
}
