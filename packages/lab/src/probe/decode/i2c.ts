/**
 * Decodes I2C from captured levels (NXP UM10204, section 3.1): conditions, bytes with their acknowledge bits,
 * stretched clocks.
 */
import { changesOf, isHighAt, isRising, type Wave } from './wave.ts';

interface Timed {
  /** Nanoseconds, like `end`. */
  readonly at: number;
  readonly end: number;
}

export type I2cItem = Timed &
  (
    | { readonly kind: 'start' | 'repeated-start' | 'stop' }
    | {
        readonly kind: 'address';
        readonly address: number;
        readonly direction: 'read' | 'write';
        readonly isAcknowledged: boolean;
      }
    | { readonly kind: 'data'; readonly value: number; readonly isAcknowledged: boolean }
    /** SCL was low for much longer than usual, because a device stretches the clock or the master pauses. */
    | { readonly kind: 'stretch' }
    /** A start, a stop or the end of the capture inside a byte. */
    | { readonly kind: 'incomplete'; readonly bits: number }
  );

/** A low time above the median by this factor counts as stretched. */
const stretchFactor = 4;
const bitsOfByte = 9;

/** Decodes a bus. Bits before the first start are skipped, because a capture may begin anywhere. */
export function decodeI2c(scl: Wave, sda: Wave): I2cItem[] {
  const decoder = new I2cDecoder();
  let clock = scl.isHighAtFirst;
  let data = sda.isHighAtFirst;
  for (const at of changesOf(scl, sda)) {
    const nextClock = isHighAt(scl, at);
    const nextData = isHighAt(sda, at);
    if (clock && nextClock && data !== nextData) {
      decoder.condition(nextData ? 'stop' : 'start', at);
    } else if (!clock && nextClock) {
      // If both lines change in one sample, the new data level counts.
      decoder.bit(nextData, at);
    }
    clock = nextClock;
    data = nextData;
  }
  return [...decoder.finish(scl.end), ...stretches(scl, decoder.busyTimes)].toSorted((a, b) => a.at - b.at);
}

class I2cDecoder {
  readonly #items: I2cItem[] = [];
  readonly busyTimes: { from: number; to: number }[] = [];
  #isBusy = false;
  #isAddress = false;
  #bits: { readonly isHigh: boolean; readonly at: number }[] = [];

  condition(kind: 'start' | 'stop', at: number): void {
    // The clock's rise before the condition was recorded as a bit: remove it.
    this.#bits.pop();
    this.#endByte(at);
    if (kind === 'stop') {
      if (this.#isBusy) {
        this.#items.push({ kind, at, end: at });
        this.#end(at);
      }
      return;
    }
    this.#items.push({ kind: this.#isBusy ? 'repeated-start' : 'start', at, end: at });
    if (!this.#isBusy) {
      this.busyTimes.push({ from: at, to: Number.POSITIVE_INFINITY });
    }
    this.#isBusy = true;
    this.#isAddress = true;
  }

  bit(isHigh: boolean, at: number): void {
    if (!this.#isBusy) {
      return;
    }
    this.#bits.push({ isHigh, at });
    // A tenth clock belongs to the next byte or to a condition.
    if (this.#bits.length === bitsOfByte) {
      this.#takeByte(at);
    }
  }

  finish(end: number): I2cItem[] {
    this.#endByte(end);
    return this.#items;
  }

  #takeByte(end: number): void {
    const at = this.#bits[0]?.at ?? end;
    const value = this.#bits.slice(0, 8).reduce((bits, { isHigh }) => (bits << 1) | (isHigh ? 1 : 0), 0);
    const isAcknowledged = this.#bits[8]?.isHigh === false;
    this.#bits = [];
    this.#items.push(
      this.#isAddress
        ? { kind: 'address', at, end, address: value >> 1, direction: value & 1 ? 'read' : 'write', isAcknowledged }
        : { kind: 'data', at, end, value, isAcknowledged },
    );
    this.#isAddress = false;
  }

  #endByte(end: number): void {
    const [first] = this.#bits;
    if (this.#isBusy && first !== undefined) {
      this.#items.push({ kind: 'incomplete', at: first.at, end, bits: this.#bits.length });
    }
    this.#bits = [];
  }

  #end(at: number): void {
    this.#isBusy = false;
    const last = this.busyTimes.at(-1);
    if (last !== undefined) {
      last.to = at;
    }
  }
}

/** Returns stretched clocks between start and stop. On an idle bus a low line means nothing. */
function stretches(scl: Wave, busyTimes: readonly { from: number; to: number }[]): I2cItem[] {
  const lows = scl.edges
    .map((at, index) => ({ at, end: scl.edges[index + 1] ?? Number.NaN, falls: !isRising(scl, index) }))
    .filter(({ at, end, falls }) => falls && busyTimes.some(({ from, to }) => at >= from && end <= to));
  const times = lows.map(({ at, end }) => end - at).toSorted((a, b) => a - b);
  const usual = times[times.length >> 1] ?? 0;
  return lows
    .filter(({ at, end }) => end - at > usual * stretchFactor)
    .map(({ at, end }) => ({ kind: 'stretch', at: at + usual, end }));
}
