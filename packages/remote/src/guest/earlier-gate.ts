/**
 * Delivers lines from before a guest joined ahead of its live events. Live events wait until these lines have
 * arrived, or until it is known that none arrive. The lines are requested once per visit, even if the connection is
 * lost and restored.
 */
import type { Clock } from '@wirebench/clock';
import { type EarlierLineFields, hostAbilities, type MessageOf } from '../frames/messages.ts';
import type { Limits } from '../limits.ts';

/**
 * Lines from before the guest joined, in whole lines. `hostAhead`: lead of the host's clock over this one, in
 * milliseconds, too low by about one message's delay.
 */
export interface EarlierFromHost {
  readonly lines: readonly EarlierLineFields[];
  readonly hostAhead: number;
}

interface EarlierGateParts {
  readonly clock: Clock;
  readonly limits: Limits;
  readonly ask: () => void;
  /** Called at most once, before any live event. Null: this guest does not want the lines. */
  readonly show: ((earlier: EarlierFromHost) => void) | null;
}

export class EarlierGate {
  readonly #parts: EarlierGateParts;
  /** `waiting`: the host's abilities are unknown. `asked`: the lines were requested. `open`: live events pass. */
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

  /** Takes the host's abilities. */
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

  /** Called when the host has answered a later message. A host that has not sent its abilities by then has none. */
  answered(): void {
    if (this.#state === 'waiting') {
      this.open();
    }
  }

  /** Takes lines up to the limits for a host, and ignores further ones. */
  take({ now, lines, isLast }: MessageOf<'earlier'>): void {
    if (this.#state !== 'asked') {
      return;
    }
    const { clock, limits } = this.#parts;
    this.#hostAhead = now - clock.wallTime();
    for (const line of lines) {
      const room = this.#room.get(line.port) ?? { lines: limits.earlierLines, bytes: limits.earlierBytes };
      this.#room.set(line.port, { lines: room.lines - 1, bytes: room.bytes - line.bytes.length });
      if (room.lines > 0 && room.bytes >= line.bytes.length) {
        // Copies the bytes, because a view would keep the whole message in memory. Limits the time, because no
        // earlier line is from the future.
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

  /** Delivers the received lines. Live events pass from now on. */
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
