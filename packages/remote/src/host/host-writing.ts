/**
 * What a guest writes to a port, on its way to it: held until the port takes it, and where the guest says so until the board has answered
 * what was written before. So a protocol of questions and answers loses no round trip between them. Knows no guest and no protocol.
 */
import type { Clock } from '@wirebench/clock';
import { type AwaitedFrame, type ExpectedBytes, type PortSettings, wireTime } from '@wirebench/serial/port';
import { expectedLimit, expectedTimeLimit, type MessageOf } from '../frames/messages.ts';
import type { Limits } from '../limits.ts';

/** What the board has sent since the last write is kept up to this, in bytes, to be searched for an answer. */
const heardMost = 4_096;

/** What the board has to send before what follows is written. */
type Wait = { readonly answer: AwaitedFrame } | { readonly expected: ExpectedBytes };
type Item = { readonly bytes: Uint8Array } | Wait;

interface HostWritingOptions {
  readonly clock: Clock;
  readonly limits: Limits;
  readonly number: number;
  readonly settings: PortSettings;
  /** Resolves when the port has taken them; rejects when it takes nothing any more. */
  readonly write: (bytes: Uint8Array) => Promise<void>;
  readonly credit: (message: MessageOf<'credit'>) => void;
}

export class HostWriting {
  readonly #options: HostWritingOptions;
  readonly #items: Item[] = [];
  /** Bytes that the port has taken, and that number when the guest was last told. */
  #taken = 0;
  #told = 0;
  #received = 0;
  #isWriting = false;
  /** Waits in `#items`. */
  #waits = 0;
  #isPausing = false;
  /** Ends the wait for an answer; null while nothing waits for one. */
  #goOn: (() => void) | null = null;
  #heard: Uint8Array[] = [];
  /** Bytes in `#heard`. */
  #heardCount = 0;
  #wireFreeAt = Number.NEGATIVE_INFINITY;
  readonly #idle: (() => void)[] = [];
  #isOver = false;

  constructor(options: HostWritingOptions) {
    this.#options = options;
  }

  /** Bytes of the guest. False when they are none, not those that follow, or more than there was room for. */
  add(at: number, bytes: Uint8Array): boolean {
    if (bytes.length === 0 || at !== this.#received || at + bytes.length > this.#taken + this.#options.limits.window) {
      return false;
    }
    this.#received += bytes.length;
    this.#items.push({ bytes: bytes.slice() });
    void this.#writeOn();
    return true;
  }

  /**
   * What follows is written when the board has sent this since what is before it. False when this is not the place, something waits here
   * already, or too much waits.
   */
  hold(at: number, { delimiter, begins, ends }: AwaitedFrame): boolean {
    return this.#wait(at, { answer: { delimiter, begins: begins.slice(), ends: ends.slice() } });
  }

  /**
   * What follows is written when the board has sent exactly this since what is before it; anything else, and silence, keeps it here until it is
   * discarded. False as for `hold`, and for sizes and times that are too large.
   */
  expect(at: number, { begins, length, pause, limit }: ExpectedBytes): boolean {
    const isInBounds =
      begins.length > 0 &&
      length >= begins.length &&
      length <= expectedLimit &&
      pause <= expectedTimeLimit &&
      limit <= expectedTimeLimit;
    return isInBounds && this.#wait(at, { expected: { begins: begins.slice(), length, pause, limit } });
  }

  /** The board has sent these. */
  heard(bytes: Uint8Array): void {
    this.#heard.push(bytes);
    this.#heardCount += bytes.length;
    for (
      let first = this.#heard[0];
      first !== undefined && this.#heardCount - first.length >= heardMost;
      first = this.#heard[0]
    ) {
      this.#heardCount -= first.length;
      this.#heard.shift();
    }
    this.#goOn?.();
  }

  /** Throws away what has not been handed to the port yet. */
  discard(): void {
    for (const item of this.#items.splice(0)) {
      this.#took('bytes' in item ? item.bytes.length : 0);
    }
    this.#waits = 0;
    this.#goOn?.();
  }

  /** Milliseconds since what was written last left the wire, as far as its speed tells; 0 while there is something to write. */
  get quietFor(): number {
    const isBusy = this.#isWriting && (this.#goOn === null || this.#isPausing);
    return isBusy ? 0 : Math.max(0, this.#options.clock.now() - this.#wireFreeAt);
  }

  /** Resolves when all that the guest wrote has left the wire, as far as its speed tells. */
  async drained(): Promise<void> {
    while (this.#isWriting && !this.#isOver) {
      await new Promise<void>((resolve) => this.#idle.push(resolve));
    }
    const left = this.#wireFreeAt - this.#options.clock.now();
    if (left > 0 && !this.#isOver) {
      await this.#options.clock.sleep(left);
    }
  }

  /** Nothing is written any more. */
  end(): void {
    this.#isOver = true;
    this.#goOn?.();
    this.#wake();
  }

  #wait(at: number, wait: Wait): boolean {
    const last = this.#items.at(-1);
    const isFirst = last === undefined || 'bytes' in last;
    if (at !== this.#received || !isFirst || this.#waits >= this.#options.limits.waits) {
      return false;
    }
    this.#waits++;
    this.#items.push(wait);
    void this.#writeOn();
    return true;
  }

  async #writeOn(): Promise<void> {
    if (this.#isWriting) {
      return;
    }
    this.#isWriting = true;
    for (let item = this.#items[0]; item !== undefined && !this.#isOver; item = this.#items[0]) {
      if ('bytes' in item) {
        this.#items.shift();
        await this.#write(item.bytes);
      } else {
        await ('answer' in item ? this.#untilHeard(item, item.answer) : this.#untilExpected(item, item.expected));
        if (this.#items[0] === item) {
          this.#items.shift();
          this.#waits--;
        }
      }
    }
    this.#isWriting = false;
    this.#wake();
  }

  async #untilHeard(item: Item, answer: AwaitedFrame): Promise<void> {
    while (this.#isNext(item) && !holdsFrame(this.#heard, answer)) {
      await this.#change();
    }
  }

  async #untilExpected(item: Item, expected: ExpectedBytes): Promise<void> {
    const { clock } = this.#options;
    let isStopped = false;
    let hasPaused = expected.pause === 0;
    const late = () => {
      isStopped = true;
    };
    let cancel = clock.schedule(Math.max(0, this.#wireFreeAt - clock.now()) + expected.limit, late);
    const paused = () => {
      hasPaused = true;
      this.#goOn?.();
    };
    while (this.#isNext(item)) {
      const found = isStopped ? 'other' : this.#compare(expected);
      if (found === 'all' && hasPaused) {
        break;
      }
      if (found === 'all' && !this.#isPausing) {
        cancel();
        this.#isPausing = true;
        cancel = clock.schedule(expected.pause, paused);
      } else if (found === 'other') {
        isStopped = true;
        this.#isPausing = false;
        cancel();
      }
      await this.#change();
    }
    this.#isPausing = false;
    cancel();
  }

  /** `some`: what has come so far is how it begins. `other`: it is something else, or more. */
  #compare({ begins, length }: ExpectedBytes): 'some' | 'all' | 'other' {
    if (this.#heardCount > length) {
      return 'other';
    }
    let at = 0;
    for (const chunk of this.#heard) {
      for (const byte of chunk) {
        if (at < begins.length && byte !== begins[at]) {
          return 'other';
        }
        at++;
      }
    }
    return at === length ? 'all' : 'some';
  }

  #isNext(item: Item): boolean {
    return this.#items[0] === item && !this.#isOver;
  }

  /** Resolves when there may be another answer to what is waited for. */
  async #change(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#goOn = resolve;
    });
    this.#goOn = null;
  }

  async #write(bytes: Uint8Array): Promise<void> {
    const { clock, settings, write } = this.#options;
    this.#heard = [];
    this.#heardCount = 0;
    this.#wireFreeAt = Math.max(clock.now(), this.#wireFreeAt) + wireTime(settings, bytes.length);
    // A port that does not take them any more ends by itself.
    await write(bytes).catch(() => undefined);
    this.#took(bytes.length);
  }

  #took(count: number): void {
    const { limits, number, credit } = this.#options;
    this.#taken += count;
    if (this.#taken - this.#told >= limits.window / 8) {
      this.#told = this.#taken;
      credit({ kind: 'credit', port: number, total: this.#taken + limits.window });
    }
  }

  #wake(): void {
    for (const resolve of this.#idle.splice(0)) {
      resolve();
    }
  }
}

/** Whether a whole frame that begins and ends so is among these bytes. */
function holdsFrame(chunks: readonly Uint8Array[], { delimiter, begins, ends }: AwaitedFrame): boolean {
  const bytes = chunks.flatMap((chunk) => [...chunk]);
  let start = bytes.indexOf(delimiter) + 1;
  for (let end = bytes.indexOf(delimiter, start); start > 0 && end !== -1; end = bytes.indexOf(delimiter, start)) {
    const frame = bytes.slice(start, end);
    const isLongEnough = frame.length >= begins.length + ends.length;
    const tail = frame.length - ends.length;
    if (
      isLongEnough &&
      begins.every((byte, at) => frame[at] === byte) &&
      ends.every((byte, at) => frame[tail + at] === byte)
    ) {
      return true;
    }
    start = end + 1;
  }
  return false;
}
