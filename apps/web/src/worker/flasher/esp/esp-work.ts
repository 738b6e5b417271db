/**
 * Work at a connected Espressif board that takes several commands: inspecting its flash, making a plan, and carrying
 * the plan out. Every part can be cancelled, and is safe to repeat.
 */
import type { Clock } from '@wirebench/clock';
import {
  type BoardChange,
  changedRegions,
  erasedBytes,
  type FlashRegion,
  type WriteReport,
} from '@wirebench/flasher/core';
import {
  anyEsp,
  type BootRules,
  bytesOfChanges,
  type ChangeProgress,
  changeKey,
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
  writeChanges,
} from '@wirebench/flasher/espressif';
import { ImageError } from '@wirebench/flasher/images';
import { beginsCoreDump, CORE_HEAD_SIZE } from '@wirebench/symbols';
import type { EspSettings, PartitionHead, StoredCrash } from '../../../protocol/esp-types.ts';
import type { PlanFacts, PlannedPart, PlanRequest } from '../../../protocol/flash-protocol.ts';
import type { CarryOut } from '../worker-family.ts';
import { readHeads } from './esp-heads.ts';

/** Contents of a board's flash, as far as they can be read. */
export interface FlashContents extends Pick<EspPlanBoard, 'table' | 'otaData'> {
  readonly crash: StoredCrash | null;
  readonly heads: readonly PartitionHead[];
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
    return { table: 'none', otaData: null, crash: null, heads: await readHeads(board, [], signal) };
  }
  return {
    table,
    otaData: await readChoice(board, table, signal),
    crash: await findCrash(board, table, signal),
    heads: await readHeads(board, table.partitions, signal),
  };
}

const notRead: FlashContents = { table: 'not-read', otaData: null, crash: null, heads: [] };

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
  /** Conditions in the eFuses; null if they were not read. */
  readonly bootRules: BootRules | null;
  /** Changes that an earlier write has begun. The board no longer holds the contents that they were made from. */
  readonly begun: ChangeProgress;
  readonly signal: AbortSignal;
}

/** Makes a plan, and compares it with the board by hashes. A refused plan is not compared. */
export async function preparePlan(parts: PlanParts): Promise<PreparedPlan> {
  const { board, isDemo, contents, files, request, bootRules, begun, signal } = parts;
  const { info, ability } = board;
  const { canErase, canHash } = ability;
  const changes = request.changes ?? [];
  const plan = await planEsp({
    ...planChoices(request),
    files,
    changes,
    outdated: await outdatedChanges(board, changes, begun, signal),
    board: { info, isDemo, canErase, canHash, bootRules, ...contents },
  });
  const regions = [...plan.regions, ...changedParts(plan)];
  const hashes = new Map<number, string>();
  const comparable = plan.refusals.length === 0 && !plan.eraseAll && ability.canHash && ability.readsSectors;
  if (comparable) {
    // The hash of encrypted flash says nothing about plain bytes.
    for (const { offset, bytes } of regions.filter(({ encrypted }) => encrypted !== true)) {
      hashes.set(offset, await board.md5({ offset, length: bytes.length }, { signal }));
    }
  }
  const { same, different, unknown, sameBytes, otherBytes } = compareWithDevice({ regions }, hashes);
  const written = [...different, ...unknown];
  const duration = estimateEspTime({
    regions: written,
    baudRate: info.link === 'uart' ? board.baudRate : null,
    compression: board.runsStub ? sampleCompression(written) : 1,
    eraseAll: plan.eraseAll,
    flashSize: info.flash?.size ?? null,
  });
  const { refusals, overridden, warnings, eraseAll, map, start } = plan;
  const facts: PlanFacts = {
    refusals,
    overridden,
    warnings,
    eraseAll,
    map,
    regions: regions.map((region) => ({
      offset: region.offset,
      length: region.bytes.length,
      file: region.file,
      same: same.includes(region) ? true : unknown.includes(region) ? null : false,
    })),
    toWrite: otherBytes,
    same: sameBytes,
    duration,
    start,
  };
  return { plan, facts };
}

/** Returns the regions of the changes under their names. Erased sectors are regions of 0xFF. */
function changedParts({ refusals, changes }: EspPlan): (FlashRegion & { readonly file: string })[] {
  const isSound = refusals.every(({ code }) => code !== 'change-not-in-sectors');
  return (isSound ? changes : []).flatMap((change) =>
    changedRegions(change).map(({ offset, length, bytes }) => ({
      offset,
      bytes: bytes ?? erasedBytes(length),
      file: change.name,
    })),
  );
}

/** Returns what a plan leaves in flash. Regions of a file that follow each other are one part. Erased sectors are none. */
export function partsOf(plan: EspPlan): PlannedPart[] {
  const changed = plan.changes.flatMap((change) =>
    changedRegions(change).flatMap(({ offset, bytes }) =>
      bytes === null ? [] : [{ offset, bytes, file: change.name }],
    ),
  );
  const parts: { name: string; offset: number; end: number; bytes: Uint8Array[] }[] = [];
  for (const { offset, bytes, file } of [...plan.regions, ...changed]) {
    const last = parts.at(-1);
    if (last !== undefined && last.name === file && last.end === offset) {
      last.bytes.push(bytes);
      last.end += bytes.length;
    } else {
      parts.push({ name: file, offset, end: offset + bytes.length, bytes: [bytes] });
    }
  }
  return parts.map(({ name, offset, bytes }) => ({
    name,
    offset,
    content: new Blob(bytes.map((part) => Uint8Array.from(part))),
  }));
}

/** Returns the names of the changes whose contents on the board differ from those that they were made from. */
async function outdatedChanges(
  board: EspBoard,
  changes: readonly BoardChange[],
  begun: ChangeProgress,
  signal: AbortSignal,
): Promise<string[]> {
  const outdated: string[] = [];
  const size = board.info.flash?.size ?? null;
  for (const change of changes) {
    const { name, range, basis } = change;
    const isReadable = board.ability.canHash && (size === null || range.offset + range.length <= size);
    if (basis !== null && isReadable && !begun.has(changeKey(change))) {
      const found = await board.md5(range, { signal });
      if (found !== basis) {
        outdated.push(name);
      }
    }
  }
  return outdated;
}

/** Translates a request into the plan's options. The model of a release counts only if it is a known chip. */
function planChoices({ settings, guard, overrides }: PlanRequest<EspSettings>) {
  const { flash, erase, keepNvs, encrypt = false } = settings;
  const chip = chipNames.find((name) => name === guard?.model) ?? null;
  return {
    settings: flash,
    erase,
    keepNvs,
    encrypt,
    guard: { ...anyEsp, chip, isDemo: guard?.demo ?? false },
    overrides: overridableEspRefusals.filter((code) => overrides.includes(code)),
  };
}

/** Work at a board that an interrupted write has left, until the next one finishes it. */
export interface Unfinished {
  /** Data read before an erase and not written back yet, by offset. */
  readonly contents: Map<number, Uint8Array>;
  readonly changes: ChangeProgress;
}

export interface CarryOutParts extends CarryOut {
  readonly clock: Clock;
  readonly board: EspBoard;
  readonly plan: EspPlan;
  readonly saved: Unfinished;
}

/**
 * Reads the data to keep, erases, writes and verifies the files, then carries out the changes.
 * @throws EspError. `saved` then contains data that must not be lost.
 */
export async function carryOut(parts: CarryOutParts): Promise<WriteReport> {
  const { board, plan, saved, signal, unseen, onStage, onEvent } = parts;
  const { contents } = saved;
  if (plan.refusals.length > 0) {
    throw new EspError('write-failed', { detail: 'The plan was refused.' });
  }
  for (const { offset, length } of plan.restore.filter((range) => !contents.has(range.offset))) {
    onStage('saving');
    contents.set(offset, await unseen(() => board.read({ offset, length }, { signal })));
  }
  if (plan.eraseAll) {
    onStage('erasing');
    await board.eraseAll({ signal });
  }
  for (const { offset, length } of plan.erase) {
    onStage('erasing');
    await board.erase({ offset, length }, { signal });
  }
  const restored = [...contents]
    .map(([offset, bytes]): FlashRegion => ({ offset, bytes }))
    .filter(({ offset, bytes }) =>
      plan.regions.every(
        (region) => offset + bytes.length <= region.offset || region.offset + region.bytes.length <= offset,
      ),
    );
  const files = [...plan.regions, ...restored];
  const listeners = splitProgress(files, plan.changes, onEvent);
  const write = () => writeFiles(parts, files, listeners.files);
  const written = files.length === 0 ? null : await (restored.length === 0 ? write() : unseen(write));
  contents.clear();
  if (plan.changes.length === 0 && written !== null) {
    return written;
  }
  const progress = changesLeft(plan, saved.changes);
  const begun = written !== null && written.written > 0;
  const changed = await unseen(() =>
    writeChanges(board, plan.changes, {
      clock: parts.clock,
      signal,
      onStage,
      onEvent: listeners.changes,
      begun,
      progress,
    }),
  );
  saved.changes.clear();
  return written === null ? changed : joinReports(written, changed);
}

function writeFiles(
  { board, plan, signal, onStage }: CarryOutParts,
  regions: readonly FlashRegion[],
  onEvent: CarryOut['onEvent'],
): Promise<WriteReport> {
  onStage('writing');
  return board.write(regions, {
    signal,
    onEvent,
    compare: !plan.eraseAll,
    // The plan has checked the files against the keys and the encryption of the board, or a person has insisted.
    secured: true,
  });
}

/** Returns the steps that are done. An erase of everything undid those of changes that it does not spare. */
function changesLeft({ eraseAll, changes }: EspPlan, progress: ChangeProgress): ChangeProgress {
  for (const change of changes.filter(({ basis }) => eraseAll && basis === null)) {
    progress.delete(changeKey(change));
  }
  return progress;
}

/** Returns listeners for the two parts of a write that report one progress over both. */
function splitProgress(files: readonly FlashRegion[], changes: readonly BoardChange[], onEvent: CarryOut['onEvent']) {
  const fileBytes = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const total = fileBytes + bytesOfChanges(changes);
  const shifted =
    (base: number): CarryOut['onEvent'] =>
    (event) => {
      if (event.type !== 'progress') {
        onEvent(event);
        return;
      }
      const done = base + event.done;
      const remaining = event.speed === null ? null : ((total - done) / event.speed) * 1_000;
      onEvent({ ...event, done, total, remaining });
    };
  return { files: shifted(0), changes: shifted(fileBytes) };
}

function joinReports(files: WriteReport, changes: WriteReport): WriteReport {
  return {
    state: files.state,
    regions: [...files.regions, ...changes.regions],
    written: files.written + changes.written,
    same: files.same + changes.same,
    sent: files.sent + changes.sent,
    duration: files.duration + changes.duration,
    repeated: files.repeated + changes.repeated,
  };
}
