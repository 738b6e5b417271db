/**
 * Sends to a port and waits for answers, as a run does. Every received byte is matched at most once and none is lost:
 * an answer takes the bytes up to its end, and the rest waits for the next exchange, as in the program `expect`.
 */
import type { Clock } from '@wirebench/clock';
import { NUL } from '../control-sequences.ts';
import type { StreamSpan } from '../expression/stream-expression.ts';
import { nextCharacter } from '../expression/utf8-units.ts';
import type { Hiding } from '../port-session.ts';
import { type AnswerPattern, countsNul, type RaceResult } from './answer-race.ts';
import { AnswerWatch } from './answer-watch.ts';
import { type ConversationLog, ConversationLogger } from './conversation-log.ts';

export interface Exchange {
  /** Null: nothing is sent. */
  readonly bytes: Uint8Array | null;
  /**
   * True: neither the log of the port nor that of the conversation has the bytes. A text: they have this name. Missing:
   * they are hidden if they answer a prompt for a password.
   */
  readonly hidden?: Hiding;
  /** The first that comes ends the exchange. Empty: it ends when the bytes are sent. */
  readonly answers: readonly AnswerPattern[];
  /** True: only bytes that are received after the beginning of this exchange count. False: all that no answer took. */
  readonly fresh: boolean;
  /** Longest wait in milliseconds. The time of the sent bytes on the wire is added. */
  readonly timeout: number;
}

/** @property at Time of the end, in milliseconds since the Unix epoch. */
export type ExchangeOutcome = { readonly at: number } & (
  | { readonly kind: 'sent' | 'no-answer' | 'closed' | 'cancelled' }
  /**
   * @property answer Index in `answers`.
   * @property after Milliseconds from the beginning of the exchange.
   * @property taken Number of bytes up to the end of the match that no earlier answer took.
   * @property text The bytes of the match, at most `maxMatchedBytes`.
   * @property groups Bytes of capture groups as they are drawn, from 1: without colours, and without NUL unless the answer names it. Null for one
   *   without a match. Index 0 is the whole match.
   */
  | {
      readonly kind: 'answered';
      readonly answer: number;
      readonly after: number;
      readonly taken: number;
      readonly text: Uint8Array;
      readonly groups: readonly (Uint8Array | null)[];
      readonly names: readonly (string | null)[];
    }
);

/** Most bytes that wait for an answer to take them. Older ones are forgotten. */
export const maxUnreadBytes = 256 * 1_024;
/** Most bytes of a match, and of a capture group, that an outcome contains. */
const maxMatchedBytes = 4_096;

export interface ConversationParts {
  readonly clock: Clock;
  send(bytes: Uint8Array, hidden: Hiding | undefined): Promise<void>;
  /** Returns true while the port shows a prompt for a password. */
  asksForSecret(): boolean;
  /** Returns the time that this number of bytes needs on its way, in milliseconds. */
  sendTime(length: number): number;
  /** Ends a message that is on its way in pieces. */
  stopSending(): void;
  isOpen(): boolean;
  /** Called once, at the end. */
  readonly onEnd: () => void;
}

/** Received bytes that no answer has taken yet: the newest ones, up to a limit. */
class UnreadBytes {
  readonly #limit: number;
  #pieces: Uint8Array[] = [];
  #length = 0;
  #start = 0;

  /** @param limit Most bytes that are kept. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Offset of the first unread byte in all bytes that were ever appended. */
  get start(): number {
    return this.#start;
  }

  get pieces(): readonly Uint8Array[] {
    return this.#pieces;
  }

  /** Appends a piece, which must not change afterwards. Forgets the oldest bytes beyond the limit. */
  append(piece: Uint8Array): void {
    this.#pieces.push(piece);
    this.#length += piece.length;
    if (this.#length > this.#limit) {
      this.dropUntil(this.#start + this.#length - this.#limit);
    }
  }

  /** Removes all bytes before `offset`. */
  dropUntil(offset: number): void {
    let excess = Math.min(offset - this.#start, this.#length);
    while (excess > 0) {
      const [first = new Uint8Array()] = this.#pieces;
      const dropped = Math.min(excess, first.length);
      if (dropped === first.length) {
        this.#pieces.shift();
      } else {
        this.#pieces[0] = first.subarray(dropped);
      }
      this.#start += dropped;
      this.#length -= dropped;
      excess -= dropped;
    }
  }

  clear(): void {
    this.dropUntil(this.#start + this.#length);
  }

  /** Copies the bytes from `from` up to `to`, as far as they are unread. */
  slice(from: number, to: number): Uint8Array<ArrayBuffer> {
    const first = Math.max(from, this.#start);
    const copy = new Uint8Array(Math.max(0, Math.min(to, this.#start + this.#length) - first));
    let at = this.#start;
    for (const piece of this.#pieces) {
      const part = piece.subarray(Math.max(0, first - at), Math.max(0, to - at));
      if (part.length > 0) {
        copy.set(part, Math.max(0, at - first));
      }
      at += piece.length;
    }
    return copy;
  }
}

export class Conversation {
  readonly #parts: ConversationParts;
  readonly #unread = new UnreadBytes(maxUnreadBytes);
  readonly #logger: ConversationLogger;
  #waiting: { take(bytes: Uint8Array): void; end(kind: 'closed'): void } | null = null;

  constructor(parts: ConversationParts) {
    this.#parts = parts;
    this.#logger = new ConversationLogger(parts.clock.wallTime());
  }

  /**
   * Sends, then waits for the first of the answers. One exchange at a time.
   *
   * Rejects as the port's `send` does, with a RangeError for an answer without bytes, and with an ExpressionError.
   */
  async exchange(exchange: Exchange, signal: AbortSignal): Promise<ExchangeOutcome> {
    const { clock } = this.#parts;
    if (signal.aborted) {
      return { kind: 'cancelled', at: clock.wallTime() };
    }
    if (exchange.bytes === null && !this.#parts.isOpen()) {
      return { kind: 'closed', at: clock.wallTime() };
    }
    if (exchange.fresh) {
      this.#unread.clear();
    }
    const outcome =
      exchange.answers.length === 0
        ? await this.#sendOnly(exchange, signal)
        : await this.#sendAndWait(exchange, signal);
    this.#logger.add({ kind: 'ended', at: outcome.at });
    return outcome;
  }

  /** Takes what the port received. The bytes must not change afterwards. */
  received(bytes: Uint8Array, at: number): void {
    this.#logger.add({ kind: 'received', at, bytes });
    this.#unread.append(bytes);
    this.#waiting?.take(bytes);
  }

  /** The connection has ended. */
  closed(): void {
    this.#waiting?.end('closed');
  }

  /** Ends the conversation and returns all that passed. */
  end(): ConversationLog {
    this.#parts.onEnd();
    return this.#logger.close();
  }

  async #sendOnly({ bytes, hidden }: Exchange, signal: AbortSignal): Promise<ExchangeOutcome> {
    const { clock } = this.#parts;
    try {
      await this.#send(bytes, hidden, signal);
    } catch (error) {
      if (signal.aborted && this.#parts.isOpen()) {
        return { kind: 'cancelled', at: clock.wallTime() };
      }
      throw error;
    }
    return { kind: 'sent', at: clock.wallTime() };
  }

  async #sendAndWait(exchange: Exchange, signal: AbortSignal): Promise<ExchangeOutcome> {
    const { bytes, hidden } = exchange;
    const notSent = new AbortController();
    const wait = this.#wait(exchange, AbortSignal.any([signal, notSent.signal]));
    try {
      const sending = this.#send(bytes, hidden, signal);
      // A port that takes no bytes must not delay the result beyond the timeout.
      await Promise.race([sending, wait.then(({ kind }) => (kind === 'answered' ? sending : undefined))]);
      sending.catch(() => undefined);
    } catch (error) {
      notSent.abort();
      if (signal.aborted && this.#parts.isOpen()) {
        return wait;
      }
      throw error;
    }
    return wait;
  }

  async #send(bytes: Uint8Array | null, hidden: Hiding | undefined, signal: AbortSignal): Promise<void> {
    if (bytes !== null) {
      const { length } = bytes;
      const at = this.#parts.clock.wallTime();
      const name = typeof hidden === 'string' ? { name: hidden } : {};
      const isShown = (hidden ?? this.#parts.asksForSecret()) === false;
      this.#logger.add({ kind: 'sent', at, bytes: isShown ? bytes : null, length, ...name });
      const stop = () => this.#parts.stopSending();
      signal.addEventListener('abort', stop, { once: true });
      try {
        await this.#parts.send(bytes, hidden);
      } finally {
        signal.removeEventListener('abort', stop);
      }
    }
  }

  #wait({ bytes, answers, timeout }: Exchange, signal: AbortSignal): Promise<ExchangeOutcome> {
    const { clock, sendTime } = this.#parts;
    const since = clock.wallTime();
    const from = this.#unread.start;
    let end: (outcome: ExchangeOutcome) => void = () => undefined;
    const watch = new AnswerWatch(clock, answers, (result) => {
      const pattern = answers[result.answer];
      end(this.#answered(result, from, since, pattern !== undefined && countsNul(pattern)));
    });
    return new Promise((resolve) => {
      end = (outcome) => {
        this.#waiting = null;
        watch.stop();
        cancelTimer();
        signal.removeEventListener('abort', cancel);
        resolve(outcome);
      };
      const endEmpty = (kind: 'no-answer' | 'closed' | 'cancelled') => end({ kind, at: clock.wallTime() });
      const endLate = (kind: 'no-answer' | 'closed') => {
        if (!watch.pause()) {
          endEmpty(kind);
        }
      };
      const cancel = () => endEmpty('cancelled');
      const late = timeout + (bytes === null ? 0 : sendTime(bytes.length));
      const cancelTimer = clock.schedule(late, () => endLate('no-answer'));
      signal.addEventListener('abort', cancel, { once: true });
      this.#waiting = { take: (piece) => watch.take(piece), end: endLate };
      for (const piece of [...this.#unread.pieces]) {
        watch.take(piece);
      }
    });
  }

  /** @param from Offset of the race's first byte. @param hasNul True: a NUL counts for the answer. */
  #answered(result: RaceResult, from: number, since: number, hasNul: boolean): ExchangeOutcome {
    const at = this.#parts.clock.wallTime();
    const bytesOf = ({ start, end }: StreamSpan) =>
      this.#unread.slice(from + start, from + Math.min(end, start + maxMatchedBytes));
    const groups = result.groups.map((span) => (span === null ? null : drawnBytes(bytesOf(span), hasNul)));
    const text = bytesOf(result);
    const taken = result.end;
    this.#unread.dropUntil(from + taken);
    return { kind: 'answered', at, answer: result.answer, after: at - since, taken, text, groups, names: result.names };
  }
}

/** Returns the bytes without colours (SGR sequences), and without NUL unless it counts. */
function drawnBytes(bytes: Uint8Array, hasNul: boolean): Uint8Array {
  const kept: number[] = [];
  for (let at = 0; at < bytes.length; ) {
    const { code, end } = nextCharacter(bytes, at, bytes.length);
    if (code !== null && (hasNul || code !== NUL)) {
      kept.push(...bytes.subarray(at, end));
    }
    at = end;
  }
  return Uint8Array.from(kept);
}
