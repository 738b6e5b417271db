/**
 * Satellites that a position is made of. GSA sentences list them, one or more for each system; GSV sentences list those
 * in view. Numbers are unique only within a system.
 */
import type { Sentence } from './sentence.ts';

/** Systems by the identifier in GSA (NMEA 0183 version 4.11). */
const systemIds: Readonly<Record<string, string>> = {
  1: 'GPS',
  2: 'GLONASS',
  3: 'Galileo',
  4: 'BeiDou',
  5: 'QZSS',
  6: 'NavIC',
};
const talkers: Readonly<Record<string, string>> = {
  GP: 'GPS',
  GL: 'GLONASS',
  GA: 'Galileo',
  GB: 'BeiDou',
  BD: 'BeiDou',
  GQ: 'QZSS',
  QZ: 'QZSS',
  GI: 'NavIC',
};
/** Highest numbers of the systems where a GSA sentence of several systems does not name them. SBAS is listed with GPS. */
const ranges: readonly (readonly [highest: number, system: string])[] = [
  [64, 'GPS'],
  [99, 'GLONASS'],
  [158, 'GPS'],
  [202, 'QZSS'],
  [263, 'BeiDou'],
  [336, 'Galileo'],
  [463, 'BeiDou'],
];

const GSA_NUMBERS = 12;
const GSA_SYSTEM = 17;

/** Returns the system of a GSA or GSV sentence; null for several systems without a name. */
export function systemOf({ type, talker, cells }: Sentence): string | null {
  const id = type === 'GSA' ? systemIds[cells[GSA_SYSTEM]?.text ?? ''] : undefined;
  return id ?? talkers[talker] ?? null;
}

/** Returns the numbers of satellites in a GSA sentence, sorted. */
export function usedNumbers({ cells }: Sentence): number[] {
  return cells
    .slice(2, 2 + GSA_NUMBERS)
    .filter(({ text }) => /^\d{1,3}$/.test(text))
    .map(({ text }) => Number(text))
    .sort((a, b) => a - b);
}

/**
 * Tells whether a position uses a satellite.
 *
 * @param lists Newest GSA sentences.
 * @returns null if none of them is about its system.
 */
export function isUsed(lists: readonly Sentence[], system: string | null, number: number): boolean | null {
  let answer: boolean | null = null;
  for (const list of lists) {
    const own = systemOf(list);
    const numbers = usedNumbers(list).filter((one) => (own ?? systemOfNumber(one)) === system);
    if (own === system || numbers.length > 0) {
      answer = answer === true || numbers.includes(number);
    }
  }
  return answer;
}

function systemOfNumber(number: number): string | null {
  return ranges.find(([highest]) => number <= highest)?.[1] ?? null;
}

/** Silence in ms after which a GSA sentence begins another position. */
const EPOCH_GAP = 500;
/** Sentences of one position that do not name their systems. */
const MAX_MIXED = 6;

/** Keeps the GSA sentences of the newest position for each system. */
export class UsedLists {
  readonly #lists = new Map<string, { readonly frames: readonly Uint8Array[]; readonly isFull: boolean }>();
  /** True while GSA sentences follow each other. */
  #follows = false;
  #until = Number.NEGATIVE_INFINITY;

  /** Ends the list of one position: a sentence of another type came. */
  endPosition(): void {
    this.#follows = false;
  }

  /** Takes the sentences in order of time. Those of other types change nothing. */
  add(sentence: Sentence, frame: Uint8Array, from: number, to: number): void {
    if (sentence.type !== 'GSA') {
      return;
    }
    const system = systemOf(sentence) ?? '';
    const known = this.#lists.get(system);
    const isSame = this.#follows && from - this.#until < EPOCH_GAP;
    // More than twelve satellites of one system take a second sentence.
    const continues = isSame && known !== undefined && (system === '' ? known.frames.length < MAX_MIXED : known.isFull);
    const frames = continues ? [...known.frames, frame] : [frame];
    this.#lists.set(system, { frames, isFull: usedNumbers(sentence).length === GSA_NUMBERS });
    this.#follows = true;
    this.#until = to;
  }

  /** Returns the GSA sentences about a system, and those that name none. */
  about(system: string | null): readonly Uint8Array[] {
    const own = system === null ? [] : (this.#lists.get(system)?.frames ?? []);
    return [...own, ...(this.#lists.get('')?.frames ?? [])];
  }
}
