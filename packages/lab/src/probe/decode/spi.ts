/** Decodes SPI from captured levels: words of both directions, sampled at the edges that the mode defines. */
import { changesOf, isHighAt, isRising, type Wave } from './wave.ts';

export interface SpiLines {
  readonly clock: Wave;
  /** Null if not captured. */
  readonly mosi: Wave | null;
  readonly miso: Wave | null;
  /** Low while a device is selected; null for a device that is always selected. */
  readonly select: Wave | null;
}

export interface SpiFormat {
  /** Bit 1: idle level of the clock (CPOL). Bit 0: the second edge samples (CPHA). */
  readonly mode: 0 | 1 | 2 | 3;
  readonly bitOrder: 'msb-first' | 'lsb-first';
  /** 1 to 32. */
  readonly wordBits: number;
}

export interface SpiItem {
  /** First and last sampling edge, in nanoseconds. */
  readonly at: number;
  readonly end: number;
  /** Null if the line was not captured. */
  readonly mosi: number | null;
  readonly miso: number | null;
  /** Number of bits. Smaller than `wordBits` if the device was deselected, or the capture ended, inside the word. */
  readonly bits: number;
}

export function decodeSpi(lines: SpiLines, { mode, bitOrder, wordBits }: SpiFormat): SpiItem[] {
  const { clock, mosi, miso, select } = lines;
  const samplesRising = mode === 0 || mode === 3;
  const isSelected = (at: number) => select === null || !isHighAt(select, at);
  const rising = new Map(clock.edges.map((at, index) => [at, isRising(clock, index)]));
  const items: SpiItem[] = [];
  let times: number[] = [];
  const finishWord = () => {
    const [at] = times;
    const end = times.at(-1);
    if (at !== undefined && end !== undefined) {
      const wordOn = (wave: Wave | null) =>
        wave &&
        wordOf(
          times.map((time) => isHighAt(wave, time)),
          bitOrder,
        );
      items.push({ at, end, mosi: wordOn(mosi), miso: wordOn(miso), bits: times.length });
    }
    times = [];
  };
  for (const at of select === null ? clock.edges : changesOf(clock, select)) {
    if (!isSelected(at)) {
      finishWord();
    } else if (rising.get(at) === samplesRising) {
      times.push(at);
      if (times.length === wordBits) {
        finishWord();
      }
    }
  }
  finishWord();
  return items;
}

function wordOf(bits: readonly boolean[], bitOrder: SpiFormat['bitOrder']): number {
  const ordered = bitOrder === 'msb-first' ? bits : bits.toReversed();
  return ordered.reduce((word, isHigh) => ((word << 1) | (isHigh ? 1 : 0)) >>> 0, 0);
}
