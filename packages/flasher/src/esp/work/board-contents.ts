/** Reads the parts of a board's flash that its plans depend on: partition table, OTA data, the start of each app. */
import { isErased } from '../../core/bytes.ts';
import { orNull } from '../../images/image-error.ts';
import { chipFacts } from '../chips/chip-facts.ts';
import type { EspBoard } from '../esp-board.ts';
import { EspError } from '../esp-failure.ts';
import { espImageMagic } from '../images/esp-image.ts';
import { readFlashSettings } from '../images/flash-settings.ts';
import { type OtaEntries, readOtaEntries } from '../images/ota-data.ts';
import {
  ENTRY_SIZE,
  type FoundTable,
  maximumTableSize,
  type PartitionTable,
  placesOfNewer,
  readPartitionTable,
  startsLikeTable,
  tablePlaces,
  usualTableOffset,
} from '../images/partition-table.ts';
import { isApp, isOtaData } from '../images/partition-types.ts';
import type { EspPlanBoard } from '../plan/esp-plan-types.ts';

export type BoardContents = Pick<
  EspPlanBoard,
  'table' | 'tableOffset' | 'isBlank' | 'headerSize' | 'otaData' | 'emptyApps'
>;

/**
 * Reads table, OTA data and the start of each app. Flash that is encrypted or cannot be read counts as `not-read`.
 *
 * @throws EspError
 */
export async function readBoardContents(board: EspBoard, signal: AbortSignal): Promise<BoardContents> {
  if (!board.ability.canReadFlash || board.info.security.flashEncryption === true) {
    return { table: 'not-read', otaData: null };
  }
  try {
    const found = await findTable(board, signal);
    if ('isBlank' in found) {
      return { table: 'none', otaData: null, isBlank: found.isBlank };
    }
    const { table, offset } = found;
    const headerSize = await readHeaderSize(board, signal);
    const otaData = await readChoice(board, table, signal);
    return { table, tableOffset: offset, headerSize, otaData, emptyApps: await emptyApps(board, table, signal) };
  } catch (error) {
    return unreadable(error);
  }
}

/** Ignores errors of boards whose flash cannot be read, such as the ROM of an ESP8266: they can still be written. */
function unreadable(error: unknown): BoardContents {
  if (error instanceof EspError && (error.code === 'not-in-rom' || error.code === 'flash-not-found')) {
    return { table: 'not-read', otaData: null };
  }
  throw error;
}

/**
 * Looks for the table at its usual place, then at the others. A table that is found may be left from an earlier build,
 * so that its data partitions are searched for a newer one.
 *
 * @returns `isBlank` without a table. True: nothing but erased flash was seen.
 */
async function findTable(board: EspBoard, signal: AbortSignal): Promise<FoundTable | { readonly isBlank: boolean }> {
  const { bootloaderOffset, hasPartitions } = chipFacts[board.info.chip];
  const size = board.info.flash?.size ?? Number.POSITIVE_INFINITY;
  const read = (offset: number, length: number) => board.read({ offset, length }, { signal });
  const readAt = async (offset: number): Promise<FoundTable | null> => {
    const bytes = await read(offset, maximumTableSize);
    const table = orNull(() => readPartitionTable(bytes));
    return table === null ? null : { table, offset };
  };
  let isBlank = true;
  /** Reads only the first entry where there is no table. */
  const look = async (offset: number): Promise<FoundTable | null> => {
    const head = await read(offset, ENTRY_SIZE);
    isBlank &&= isErased(head);
    return startsLikeTable(head) ? readAt(offset) : null;
  };
  let found = await readAt(usualTableOffset);
  if (!hasPartitions) {
    return found ?? { isBlank: false };
  }
  const places = found === null ? tablePlaces(bootloaderOffset + maximumTableSize) : placesOfNewer(found);
  for (const place of places.filter((offset) => offset + maximumTableSize <= size)) {
    const other = await look(place);
    if (other !== null) {
      found = other;
      break;
    }
  }
  await (found === null ? look(bootloaderOffset) : null);
  return found ?? { isBlank };
}

/** Returns null without a bootloader, and for chips whose programs have no fixed places. */
async function readHeaderSize(board: EspBoard, signal: AbortSignal): Promise<number | null> {
  const { chip } = board.info;
  const { bootloaderOffset, hasPartitions } = chipFacts[chip];
  if (!hasPartitions) {
    return null;
  }
  const [magic, , mode = 0, sizeAndFrequency = 0] = await board.read(
    { offset: bootloaderOffset, length: ENTRY_SIZE },
    { signal },
  );
  const codes = { mode, size: sizeAndFrequency >> 4, frequency: sizeAndFrequency & 15 };
  return magic === espImageMagic ? readFlashSettings(chip, codes).size : null;
}

async function readChoice(board: EspBoard, table: PartitionTable, signal: AbortSignal): Promise<OtaEntries | null> {
  const place = table.partitions.findLast(isOtaData);
  if (place === undefined) {
    return null;
  }
  return readOtaEntries(await board.read({ offset: place.offset, length: place.size }, { signal }));
}

/** Returns the offsets of app partitions in which no image begins. One that lies beyond the flash is left out. */
async function emptyApps(board: EspBoard, table: PartitionTable, signal: AbortSignal): Promise<number[]> {
  const size = board.info.flash?.size ?? Number.POSITIVE_INFINITY;
  const empty: number[] = [];
  for (const { offset } of table.partitions.filter((one) => isApp(one) && one.offset + ENTRY_SIZE <= size)) {
    const [first] = await board.read({ offset, length: ENTRY_SIZE }, { signal });
    if (first !== espImageMagic) {
      empty.push(offset);
    }
  }
  return empty;
}
