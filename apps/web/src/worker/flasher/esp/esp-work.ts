/**
 * Work at a connected Espressif board that takes several commands: inspecting its flash, making a plan, and carrying
 * the plan out. Every part can be cancelled, and is safe to repeat.
 */
import type { FlashRegion, WriteReport } from '@wirebench/flasher/core';
import {
  anyEsp,
  chipNames,
  compareWithDevice,
  type EspBoard,
  EspError,
  type EspPlan,
  type EspPlanBoard,
  type EspPlanFile,
  estimateEspTime,
  isOtaData,
  maximumTableSize,
  type OtaData,
  overridableEspRefusals,
  type PartitionTable,
  planEsp,
  readOtaData,
  readPartitionTable,
  sampleCompression,
  subtypeName,
  usualTableOffset,
} from '@wirebench/flasher/espressif';
import { ImageError } from '@wirebench/flasher/images';
import { beginsCoreDump, CORE_HEAD_SIZE } from '@wirebench/symbols';
import type { EspSettings, StoredCrash } from '../../../protocol/esp-types.ts';
import type { PlanFacts, PlanRequest } from '../../../protocol/flash-protocol.ts';
import type { CarryOut } from '../worker-family.ts';

/** Contents of a board's flash, as far as they can be read. */
export interface FlashContents extends Pick<EspPlanBoard, 'table' | 'otaData'> {
  readonly crash: StoredCrash | null;
}

export async function lookAtFlash(board: EspBoard, signal: AbortSignal): Promise<FlashContents> {
  if (!board.ability.canReadFlash || board.info.security.flashEncryption === true) {
    return notRead;
  }
  const bytes = await board.read({ offset: usualTableOffset, length: maximumTableSize }, { signal }).catch(unreadable);
  if (bytes === null) {
    return notRead;
  }
  const table = tableIn(bytes);
  if (table === null) {
    return { table: 'none', otaData: null, crash: null };
  }
  return {
    table,
    otaData: await readChoice(board, table, signal),
    crash: await findCrash(board, table, signal),
  };
}

const notRead: FlashContents = { table: 'not-read', otaData: null, crash: null };

/** Ignores errors of boards whose flash cannot be read, such as the ROM of an ESP8266: they can still be written. */
function unreadable(error: unknown): null {
  if (error instanceof EspError && (error.code === 'not-in-rom' || error.code === 'flash-not-found')) {
    return null;
  }
  throw error;
}

function tableIn(bytes: Uint8Array): PartitionTable | null {
  try {
    return readPartitionTable(bytes);
  } catch (error) {
    if (error instanceof ImageError) {
      return null;
    }
    throw error;
  }
}

async function readChoice(board: EspBoard, table: PartitionTable, signal: AbortSignal): Promise<OtaData | null> {
  const place = table.partitions.find(isOtaData);
  if (place === undefined) {
    return null;
  }
  return readOtaData(await board.read({ offset: place.offset, length: place.size }, { signal }));
}

/** Reads only the first words of the first `coredump` partition: the whole dump may take long. */
async function findCrash(board: EspBoard, table: PartitionTable, signal: AbortSignal): Promise<StoredCrash | null> {
  const place = table.partitions.find((partition) => subtypeName(partition) === 'coredump' && !partition.encrypted);
  if (place === undefined) {
    return null;
  }
  const { name, offset, size } = place;
  const head = await board.read({ offset, length: CORE_HEAD_SIZE }, { signal });
  return beginsCoreDump(head, size) ? { name, offset, length: size } : null;
}

export interface PreparedPlan {
  readonly plan: EspPlan;
  readonly facts: PlanFacts;
}

export interface PlanParts {
  readonly board: EspBoard;
  readonly isDemo: boolean;
  readonly contents: FlashContents;
  readonly files: readonly EspPlanFile[];
  readonly request: PlanRequest<EspSettings>;
  readonly signal: AbortSignal;
}

/** Makes a plan, and compares it with the board by hashes. A refused plan is not compared. */
export async function preparePlan(parts: PlanParts): Promise<PreparedPlan> {
  const { board, isDemo, contents, files, request, signal } = parts;
  const { info, ability } = board;
  const plan = await planEsp({ ...planChoices(request), files, board: { info, isDemo, ...contents } });
  const hashes = new Map<number, string>();
  const comparable = plan.refusals.length === 0 && !plan.eraseAll && ability.canHash && ability.readsSectors;
  if (comparable) {
    for (const { offset, bytes } of plan.regions) {
      hashes.set(offset, await board.md5({ offset, length: bytes.length }, { signal }));
    }
  }
  const { same, different, unknown, sameBytes, otherBytes } = compareWithDevice(plan, hashes);
  const written = [...different, ...unknown];
  const duration = estimateEspTime({
    regions: written,
    baudRate: info.link === 'uart' ? board.baudRate : null,
    compression: board.runsStub ? sampleCompression(written) : 1,
    eraseAll: plan.eraseAll,
    flashSize: info.flash?.size ?? null,
  });
  const { refusals, overridden, warnings, eraseAll, map } = plan;
  const facts: PlanFacts = {
    refusals,
    overridden,
    warnings,
    eraseAll,
    map,
    regions: plan.regions.map((region) => ({
      offset: region.offset,
      length: region.bytes.length,
      file: region.file,
      same: same.includes(region) ? true : unknown.includes(region) ? null : false,
    })),
    toWrite: otherBytes,
    same: sameBytes,
    duration,
  };
  return { plan, facts };
}

/** Translates a request into the plan's options. The model of a release counts only if it is a known chip. */
function planChoices({ settings, guard, overrides }: PlanRequest<EspSettings>) {
  const { flash, erase, keepNvs } = settings;
  const chip = chipNames.find((name) => name === guard?.model) ?? null;
  return {
    settings: flash,
    erase,
    keepNvs,
    guard: { ...anyEsp, chip, isDemo: guard?.demo ?? false },
    overrides: overridableEspRefusals.filter((code) => overrides.includes(code)),
  };
}

export interface CarryOutParts extends CarryOut {
  readonly board: EspBoard;
  readonly plan: EspPlan;
  /** Data read before an erase that did not end well, by offset. It is written back now. */
  readonly saved: Map<number, Uint8Array>;
}

/**
 * Reads the data to keep, erases, writes and verifies.
 * @throws EspError. `saved` then contains data that must not be lost.
 */
export async function carryOut(parts: CarryOutParts): Promise<WriteReport> {
  const { board, plan, saved, signal, onStage, onEvent } = parts;
  if (plan.refusals.length > 0) {
    throw new EspError('write-failed', { detail: 'The plan was refused.' });
  }
  for (const { offset, length } of plan.restore.filter((range) => !saved.has(range.offset))) {
    onStage('saving');
    saved.set(offset, await board.read({ offset, length }, { signal }));
  }
  if (plan.eraseAll) {
    onStage('erasing');
    await board.eraseAll({ signal });
  }
  for (const { offset, length } of plan.erase) {
    onStage('erasing');
    await board.erase({ offset, length }, { signal });
  }
  onStage('writing');
  const restored = [...saved]
    .map(([offset, bytes]): FlashRegion => ({ offset, bytes }))
    .filter(({ offset, bytes }) =>
      plan.regions.every(
        (region) => offset + bytes.length <= region.offset || region.offset + region.bytes.length <= offset,
      ),
    );
  const report = await board.write([...plan.regions, ...restored], {
    signal,
    onEvent,
    compare: !plan.eraseAll,
    // The plan has checked the files against the keys and the encryption of the board, or a person has insisted.
    secured: true,
  });
  saved.clear();
  return report;
}
