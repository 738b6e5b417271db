/** Reads the parts of a board's flash that its plans depend on: partition table and OTA data. */
import { orNull } from '../../images/image-error.ts';
import type { EspBoard } from '../esp-board.ts';
import { EspError } from '../esp-failure.ts';
import { type OtaData, readOtaData } from '../images/ota-data.ts';
import {
  maximumTableSize,
  type PartitionTable,
  readPartitionTable,
  usualTableOffset,
} from '../images/partition-table.ts';
import { isOtaData } from '../images/partition-types.ts';
import type { EspPlanBoard } from '../plan/esp-plan-types.ts';

export type BoardContents = Pick<EspPlanBoard, 'table' | 'otaData'>;

/**
 * Reads table and OTA data. Flash that is encrypted or cannot be read counts as `not-read`.
 *
 * @throws EspError
 */
export async function readBoardContents(board: EspBoard, signal: AbortSignal): Promise<BoardContents> {
  if (!board.ability.canReadFlash || board.info.security.flashEncryption === true) {
    return { table: 'not-read', otaData: null };
  }
  const bytes = await board.read({ offset: usualTableOffset, length: maximumTableSize }, { signal }).catch(unreadable);
  if (bytes === null) {
    return { table: 'not-read', otaData: null };
  }
  const table = orNull(() => readPartitionTable(bytes));
  return { table: table ?? 'none', otaData: table === null ? null : await readChoice(board, table, signal) };
}

/** Ignores errors of boards whose flash cannot be read, such as the ROM of an ESP8266: they can still be written. */
function unreadable(error: unknown): null {
  if (error instanceof EspError && (error.code === 'not-in-rom' || error.code === 'flash-not-found')) {
    return null;
  }
  throw error;
}

async function readChoice(board: EspBoard, table: PartitionTable, signal: AbortSignal): Promise<OtaData | null> {
  const place = table.partitions.find(isOtaData);
  if (place === undefined) {
    return null;
  }
  return readOtaData(await board.read({ offset: place.offset, length: place.size }, { signal }));
}
