/**
 * Data beside failed writes. Erasing takes data with it that shares an erase unit with a region. If the write fails
 * before that data is written back, it exists only here.
 */
import { addressText } from './bytes.ts';
import { partsOutside, rangeOf } from './ranges.ts';
import type { FlashRegion } from './region.ts';

/** Data of a board as one file, for a person to keep. */
export interface SavedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** True: the write puts all of it back, or the next one does after an interruption. */
  readonly isPutBack: boolean;
  /** Address that it goes back to. Missing: it holds files of a file system. */
  readonly offset?: number;
  /** True: it may hold passwords, so no page downloads it without being asked. Missing: it holds files of a person. */
  readonly mayHoldSecrets?: true;
}

/** Data of one board that is not written back yet. */
export interface UnrestoredFlash {
  /** Without overlaps. */
  regions: readonly FlashRegion[];
}

export interface BoardPlace {
  /** Unique id; null if the board has none or it cannot be read. */
  readonly id: string | null;
  /** Identifies the chip's model. */
  readonly chip: string;
  /** Port or device through which the board is connected. */
  readonly place: unknown;
  /** True: the last board of this place is connected again. False: any board may be there. */
  readonly isSame: boolean;
}

/**
 * Unfinished work of all boards of a page. A unique id identifies a board at every place. A board without one gets its
 * work only if the same model is connected again at the same place.
 */
export class UnfinishedBoards<Work> {
  readonly #none: () => Work;
  readonly #byId = new Map<string, Work>();
  readonly #byPlace = new Map<unknown, Map<string, Work>>();

  /** @param none Returns the work of a board of which nothing is unfinished. */
  constructor(none: () => Work) {
    this.#none = none;
  }

  of({ id, chip, place, isSame }: BoardPlace): Work {
    if (id !== null) {
      return this.#entryOf(this.#byId, id);
    }
    const chips = (isSame ? this.#byPlace.get(place) : undefined) ?? new Map<string, Work>();
    this.#byPlace.set(place, chips);
    return this.#entryOf(chips, chip);
  }

  #entryOf(entries: Map<string, Work>, key: string): Work {
    const entry = entries.get(key) ?? this.#none();
    entries.set(key, entry);
    return entry;
  }
}

export interface UnrestoredWrite<Report> {
  /** Read and changed by the write. */
  readonly unrestored: UnrestoredFlash;
  readonly regions: readonly FlashRegion[];
  /** True: the flash was erased on purpose, so nothing is written back. */
  readonly eraseAll: boolean;
  readonly write: (regions: readonly FlashRegion[]) => Promise<Report>;
  /** Returns the data that a failed write could not write back. */
  readonly leftBy: (error: unknown) => readonly FlashRegion[];
}

/**
 * Writes regions, and with them what earlier writes of the board could not write back. Remembers what this one could
 * not.
 *
 * @throws the rejection of `write`.
 */
export async function writeWithUnrestored<Report>(parts: UnrestoredWrite<Report>): Promise<Report> {
  const { unrestored, regions, eraseAll, write, leftBy } = parts;
  if (eraseAll) {
    unrestored.regions = [];
  }
  try {
    const report = await write([...regions, ...outside(unrestored.regions, regions)]);
    unrestored.regions = [];
    return report;
  } catch (error) {
    const left = leftBy(error);
    unrestored.regions = [...outside(unrestored.regions, left), ...left];
    throw error;
  }
}

/** Returns data that exists only here as files, named after chip, id and address: `esp32-240ac4000110-0x9000.bin`. */
export function filesOfUnrestored(
  { name, id }: { readonly name: string; readonly id: string | null },
  regions: readonly FlashRegion[],
): readonly SavedFile[] {
  const board = [name, ...(id === null ? [] : [id])].map((part) => part.toLowerCase().replaceAll(/[^a-z0-9]+/g, ''));
  return regions.map(({ offset, bytes }) => ({
    name: `${board.join('-')}-${addressText(offset)}.bin`,
    bytes,
    isPutBack: true,
    offset,
    mayHoldSecrets: true,
  }));
}

/** Returns the parts of `data` outside of `taken`. */
function outside(data: readonly FlashRegion[], taken: readonly FlashRegion[]): FlashRegion[] {
  const ranges = taken.map(rangeOf);
  return data.flatMap((region) => partsOutside(region, ranges));
}
