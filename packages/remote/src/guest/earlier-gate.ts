/**
 * Puts the lines from before a guest came in front of what it sees live: live events wait until these lines have come, or until it is known
 * that none come. It asks once in a visit, also when the connection is lost and made again.
 */
import type { Clock } from '@wirebench/clock';
import { type EarlierLineFields, hostAbilities, type MessageOf } from '../frames/messages.ts';
import type { Limits } from '../limits.ts';

/** Lines from before, whole lines first. `hostAhead`: what the host's clock is ahead of this one, in milliseconds, by about the way of a message. */
export interface EarlierFromHost {
  readonly lines: readonly EarlierLineFields[];
  readonly hostAhead: number;
}

interface EarlierGateParts {
  readonly clock: Clock;
  readonly limits: Limits;
  readonly ask: () => void;
  /** Called once at most, before any live event. Null: this guest does not want them. */
  readonly show: ((earlier: EarlierFromHost) => void) | null;
}

export class EarlierGate {
  readonly #parts: EarlierGateParts;
  /** `waiting`: the host's abilities are not known. `asked`: its lines are to come. `open`: live events pass. */
  #state: 'waiting' | 'asked' | 'open';
  readonly #held: (() => void)[] = [];
  #heldBytes = 0;
  readonly #lines: EarlierLineFields[] = [];
  /** Lines and bytes that the host may still send, by port. */
  readonly #room = new Map<number, { lines: number; bytes: number }>();
  #hostAhead = 0;
  #cancelWait: (() => void) | null = null;

  constructor(parts: EarlierGateParts) {
    this.#parts = parts;
    this.#state = parts.show === null ? 'open' : 'waiting';
  }

  /** Takes what the host can do. */
  abilities(bits: number): void {
    if (this.#state !== 'waiting') {
      return;
    }
    if ((bits & hostAbilities.earlier) === 0) {
      this.open();
      return;
    }
    this.#state = 'asked';
    this.#parts.ask();
    this.#cancelWait = this.#parts.clock.schedule(this.#parts.limits.earlierWait, () => this.open());
  }

  /** The host has answered a later message. One that has not told its abilities by now has none. */
  answered(): void {
    if (this.#state === 'waiting') {
      this.open();
    }
  }

  /** Takes lines as far as a host may send them; the rest is ignored. */
  take({ now, lines, isLast }: MessageOf<'earlier'>): void {
    if (this.#state !== 'asked') {
      return;
    }
    const { clock, limits } = this.#parts;
    this.#hostAhead = now - clock.now();
    for (const line of lines) {
      const room = this.#room.get(line.port) ?? { lines: limits.earlierLines, bytes: limits.earlierBytes };
      this.#room.set(line.port, { lines: room.lines - 1, bytes: room.bytes - line.bytes.length });
      if (room.lines > 0 && room.bytes >= line.bytes.length) {
        // A view of the message would keep all of it in memory. Nothing that passed before is of the future.
        this.#lines.push({ ...line, time: Math.min(line.time, now), bytes: line.bytes.slice() });
      }
    }
    if (isLast) {
      this.open();
    }
  }

  /** Runs a live event now or after the lines from before. @param bytes Bytes that the event keeps in memory. */
  pass(event: () => void, bytes: number): void {
    if (this.#state === 'open') {
      event();
      return;
    }
    this.#held.push(event);
    this.#heldBytes += bytes;
    if (this.#heldBytes > this.#parts.limits.held) {
      this.open();
    }
  }

  /** Shows what has come, and lets live events pass from now on. */
  open(): void {
    if (this.#state === 'open') {
      return;
    }
    this.#state = 'open';
    this.#cancelWait?.();
    if (this.#lines.length > 0) {
      const lines = [...this.#lines.filter(({ isOpen }) => !isOpen), ...this.#lines.filter(({ isOpen }) => isOpen)];
      this.#parts.show?.({ lines, hostAhead: this.#hostAhead });
      this.#lines.length = 0;
    }
    for (const event of this.#held.splice(0)) {
      event();
    }
  }
}
