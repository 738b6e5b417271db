/**
 * Writes a guest's bytes to a port as fast as the port takes them. If the guest asks for it, bytes wait until the
 * board has answered the bytes before them. A protocol of requests and answers thus loses no round trip between them.
 */
import type { Clock } from '@wirebench/clock';
import { type AwaitedFrame, type ExpectedBytes, type PortSettings, wireTime } from '@wirebench/port';
import { expectedLimit, expectedTimeLimit, type MessageOf } from '../frames/messages.ts';
import type { Limits } from '../limits.ts';

/** Bytes received since the last write that are kept to search for an answer. */
const heardMost = 4_096;

/** The board's answer that the following bytes wait for. */
type Wait = { readonly answer: AwaitedFrame } | { readonly expected: ExpectedBytes };

/** `keys`: pressed one by one, which leave no line. `hidden`: only their number may be shown. */
type Manner = 'shown' | 'keys' | 'hidden';

interface Written {
  readonly bytes: Uint8Array;
  readonly manner: Manner;
  /** Called when hidden bytes, which need no room, were written (true) or dropped. */
  readonly ended?: (isWritten: boolean) => void;
}

type Item = Written | Wait;

interface HostWritingOptions {
  readonly clock: Clock;
  readonly limits: Limits;
  readonly number: number;
  readonly settings: PortSettings;
  /** Resolves when the port has taken the bytes; rejects if it takes no more. */
  readonly write: (bytes: Uint8Array, manner: Manner) => Promise<void>;
  readonly credit: (message: MessageOf<'credit'>) => void;
}

export class HostWriting {
  readonly #options: HostWritingOptions;
  readonly #items: Item[] = [];
  /** Bytes that the port has taken, and that number as the guest was last informed of it. */
  #taken = 0;
  #announced = 0;
  #received = 0;
  /** Offset after the bytes that the guest has announced as keys. */
  #keysEnd = 0;
  #isWriting = false;
  /** Number of waits in `#items`. */
  #waits = 0;
  #isPausing = false;
  /** Makes the current wait check again; null while no item waits for an answer. */
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

  /** Takes bytes from the guest. Returns false if they are empty, not the next bytes, or exceed the granted room. */
  add(at: number, bytes: Uint8Array): boolean {
    if (bytes.length === 0 || at !== this.#received || at + bytes.length > this.#taken + this.#options.limits.window) {
      return false;
    }
    this.#received += bytes.length;
    this.#items.push({ bytes: bytes.slice(), manner: this.#received <= this.#keysEnd ? 'keys' : 'shown' });
    void this.#writeOn();
    return true;
  }

  /** Notes that the next `length` bytes are keys. Returns false if `at` is not the next offset. */
  areKeys(at: number, length: number): boolean {
    if (at !== this.#received) {
      return false;
    }
    this.#keysEnd = at + length;
    return true;
  }

  /**
   * Writes bytes that must not be shown, after those before them. They do not count in the guest's stream. Resolves
   * with true when the port has taken them, and with false when they were dropped.
   */
  addHidden(bytes: Uint8Array): Promise<boolean> {
    if (this.#isOver) {
      return Promise.resolve(false);
    }
    return new Promise((resolve) => {
      this.#items.push({ bytes: bytes.slice(), manner: 'hidden', ended: resolve });
      void this.#writeOn();
    });
  }

  /**
   * Makes the following bytes wait until the board has sent this frame since the previous write. Returns false if
   * `at` is not the next offset, if another wait already precedes it directly, or if too many waits are queued.
   */
  hold(at: number, { delimiter, begins, ends }: AwaitedFrame): boolean {
    return this.#wait(at, { answer: { delimiter, begins: begins.slice(), ends: ends.slice() } });
  }

  /**
   * Makes the following bytes wait until the board has sent exactly these bytes since the previous write. Anything
   * else, or silence, keeps them here until they are discarded. Returns false as `hold` does, and for sizes and times
   * beyond the limits.
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

  /** Records bytes that the board has sent. */
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

  /** Drops the bytes that have not been handed to the port yet. */
  discard(): void {
    for (const item of this.#items.splice(0)) {
      if ('bytes' in item) {
        this.#took(item, false);
      }
    }
    this.#waits = 0;
    this.#goOn?.();
  }

  /**
   * Milliseconds since the last written byte left the wire, as computed from the baud rate; 0 while bytes are being
   * written.
   */
  get quietFor(): number {
    const isBusy = this.#isWriting && (this.#goOn === null || this.#isPausing);
    return isBusy ? 0 : Math.max(0, this.#options.clock.now() - this.#wireFreeAt);
  }

  /** Resolves when the guest's bytes have left the wire, as computed from the baud rate. */
  async drained(): Promise<void> {
    while (this.#isWriting && !this.#isOver) {
      await new Promise<void>((resolve) => this.#idle.push(resolve));
    }
    const left = this.#wireFreeAt - this.#options.clock.now();
    if (left > 0 && !this.#isOver) {
      await this.#options.clock.sleep(left);
    }
  }

  /** Ends writing: no further bytes go to the port. */
  end(): void {
    this.#isOver = true;
    for (const item of this.#items) {
      if ('bytes' in item) {
        item.ended?.(false);
      }
    }
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
        await this.#write(item);
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

  /**
   * Compares the received bytes with the expected ones. `some`: a prefix of them. `other`: different bytes, or too
   * many.
   */
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

  /** Resolves when the condition of a wait may have changed. */
  async #change(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#goOn = resolve;
    });
    this.#goOn = null;
  }

  async #write(item: Written): Promise<void> {
    const { bytes, manner } = item;
    const { clock, settings, write } = this.#options;
    this.#heard = [];
    this.#heardCount = 0;
    this.#wireFreeAt = Math.max(clock.now(), this.#wireFreeAt) + wireTime(settings, bytes.length);
    // A port that takes no more bytes ends by itself.
    const isWritten = await write(bytes, manner).then(
      () => true,
      () => false,
    );
    this.#took(item, isWritten);
  }

  #took(item: Written, isWritten: boolean): void {
    const { limits, number, credit } = this.#options;
    if (item.manner === 'hidden') {
      item.ended?.(isWritten);
      return;
    }
    this.#taken += item.bytes.length;
    if (this.#taken - this.#announced >= limits.window / 8) {
      this.#announced = this.#taken;
      credit({ kind: 'credit', port: number, total: this.#taken + limits.window });
    }
  }

  #wake(): void {
    for (const resolve of this.#idle.splice(0)) {
      resolve();
    }
  }
}

/** Returns true if the bytes contain a complete frame with this beginning and end. */
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
