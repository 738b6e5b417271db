/**
 * Plans a write to an STM32 before anything is erased: regions, kept ranges, refusals with reasons. It uses files and
 * facts about the board only; the writer carries the plan out.
 */
import { addressText, sizeText } from '../../core/bytes.ts';
import { checkGuard, checkOverlaps, memoryMap, regionsOf, restoredIn, stretchOf } from '../../core/memory-plan.ts';
import { overlapOf, rangeOf } from '../../core/ranges.ts';
import type { FlashRange } from '../../core/region.ts';
import { contentsOf as whatIs } from '../../images/contents/contents.ts';
import type { UsbIds } from '../../images/formats/image-format.ts';
import { vectorTableOf } from '../../images/formats/memory-file.ts';
import type { MemorySegment } from '../../images/formats/memory-segments.ts';
import { commandFrame, dataFrame, maximumBlock, readLengthFrame, wordFrame } from '../an3155/frames.ts';
import { stmUsbFilter } from '../dfuse/requests.ts';
import { unknownStmText } from '../parts/part-table.ts';
import { checkStmContents, type StmFileContents } from './check-stm-contents.ts';
import {
  checkOtherParts,
  checkPlaces,
  checkProgram,
  insideOf,
  largestStmFlash,
  type StmContents,
} from './check-stm-files.ts';
import { type StmFindings, stmFindings } from './stm-plan-finding.ts';
import {
  anyStm,
  type StmGuard,
  type StmPlan,
  type StmPlanBoard,
  type StmPlanFile,
  type StmPlanInput,
} from './stm-plan-types.ts';

const usualBaudRate = 115_200;

/** Bits on the wire per byte: start bit, eight data bits, parity, stop bit. */
const BITS_A_BYTE = 11;
/** Bytes on the wire for writing or reading a block, including acknowledgements. Both are similar. */
const block = new Uint8Array(maximumBlock);
/** Estimates the duration of a write before it begins. Everything is written and read back. */
export const writtenBlock = commandFrame(0).length + wordFrame(0).length + dataFrame(block).length + 3;
export const readBlock = commandFrame(0).length + wordFrame(0).length + readLengthFrame(1).length + 3 + maximumBlock;
/** Milliseconds per byte on USB, as full-speed bootloaders reach with 2 KB per transfer and its status requests. */
const USB_BYTE = 0.012;
/**
 * Typical times in milliseconds (STM32F405 data sheet, table "Flash memory programming"; STM32F103: 20 to 40 ms per
 * page).
 */
const PAGE_ERASE = 25;
const KIB_ERASE = 8;
const PROGRAM_BYTE = 0.004;
/** Milliseconds per block between answers and next requests, through a USB adapter. */
const TURN = 3;

interface StmTimeInput {
  /** Bytes that are written, and bytes that are read before and written back. */
  readonly written: number;
  readonly restored: number;
  readonly sectors: readonly FlashRange[];
  /** In baud; null on USB. */
  readonly baudRate: number | null;
}

/** Returns the estimated duration in milliseconds. */
function estimateStmTime({ written, restored, sectors, baudRate }: StmTimeInput): number {
  const erase = sectors.reduce((sum, { length }) => sum + Math.max(PAGE_ERASE, (length / 1_024) * KIB_ERASE), 0);
  const wireOf = (bytes: number, bytesOnWire: number) =>
    baudRate === null
      ? bytes * USB_BYTE
      : Math.ceil(bytes / maximumBlock) * ((bytesOnWire * BITS_A_BYTE * 1_000) / baudRate + TURN);
  const write = wireOf(written + restored, writtenBlock) + (written + restored) * PROGRAM_BYTE;
  // Kept bytes are read before, and all bytes are read back.
  const read = wireOf(written + 2 * restored, readBlock);
  return erase + write + read;
}

/** Makes a plan. A plan with refusals must not be carried out; its regions show the request. */
export function planStm(input: StmPlanInput): StmPlan {
  const { files, board, guard = anyStm, eraseAll = false, overrides = [] } = input;
  const findings = stmFindings();
  const flash = board?.info.sectors ?? [largestStmFlash];
  const asked = regionsOf(files);
  if (files.length === 0) {
    findings.refuse('nothing-to-write');
  }
  for (const file of files) {
    const inFlash = insideOf(file.segments, flash);
    if (!checkStmContents(fileContentsOf(file), findings)) {
      checkProgram(contentsOf(file.name, inFlash.length > 0 ? inFlash : file.segments), findings);
    }
    checkOtherParts(file.name, file.others ?? [], inFlash.length > 0, findings);
    checkTarget(file, board, findings);
  }
  const stretches = asked.map(stretchOf);
  checkOverlaps(stretches, findings);
  checkPlaces(stretches, flash, findings, board?.info.family ?? null);
  if (board !== null) {
    checkBoard(board, files, guard, findings);
  }
  if (eraseAll) {
    findings.warn('rest-is-erased');
  }
  const outcome = findings.outcome(overrides);
  const leavesOut = outcome.overridden.some(({ code }) => code === 'outside-flash');
  const regions = leavesOut
    ? regionsOf(files.map((file) => ({ ...file, segments: insideOf(file.segments, flash) })))
    : asked;
  const all: readonly FlashRange[] = board?.info.sectors ?? [];
  const ranges = regions.map(rangeOf);
  const sectors = all.filter((sector) => ranges.some((range) => overlapOf(sector, range) !== null));
  const restore = eraseAll
    ? []
    : restoredIn(sectors, ranges, (_range, sector) => `sector at ${addressText(sector.offset)}`);
  const bytes = regions.reduce((sum, region) => sum + region.bytes.length, 0);
  return {
    ...outcome,
    regions,
    eraseAll,
    erase: [],
    restore,
    sectors,
    map: memoryMap({ memory: all.length === 0 ? ranges : all, regions, restore, eraseAll }),
    bytes,
    time: estimateStmTime({
      written: bytes,
      restored: restore.reduce((sum, { length }) => sum + length, 0),
      sectors: eraseAll ? all : sectors,
      baudRate: board === null ? usualBaudRate : board.baudRate,
    }),
  };
}

function fileContentsOf({ name, segments }: StmPlanFile): StmFileContents {
  const [first] = segments.toSorted((one, other) => one.address - other.address);
  return { name, offset: first?.address ?? 0, contents: first === undefined ? null : whatIs(first.bytes) };
}

function contentsOf(name: string, segments: readonly MemorySegment[]): StmContents {
  const sorted = segments.toSorted((one, other) => one.address - other.address);
  const [first] = sorted;
  return {
    name,
    ranges: sorted.map(({ address, bytes }) => ({ offset: address, length: bytes.length })),
    vectors: first === undefined ? null : vectorTableOf(first.bytes),
  };
}

/** Compares the file's stated target with the board: a family of chips (UF2) or a USB device (DFU). */
function checkTarget(
  { name, target = null, device = null }: StmPlanFile,
  board: StmPlanBoard | null,
  findings: StmFindings,
): void {
  if (target !== null && !target.startsWith('STM32')) {
    findings.warn('family-not-known', { files: [name], wanted: target });
  } else if (target !== null && board !== null && !isOfFamily(target, board)) {
    findings.refuse('other-family', { files: [name], wanted: target, found: board.info.name });
  }
  const { vendorId, productId } = stmUsbFilter;
  const isOwn = (device?.vendorId ?? vendorId) === vendorId && (device?.productId ?? productId) === productId;
  if (device !== null && !isOwn) {
    const [wanted, found] = [device, stmUsbFilter].map((ids) => usbText(ids));
    findings.refuse('other-device', { files: [name], wanted: wanted ?? '', found: found ?? '' });
  }
}

/**
 * Returns true if the target matches. Over USB some families cannot be distinguished, so the letter of the series is
 * compared.
 */
function isOfFamily(target: string, { info: { family = null, model } }: StmPlanBoard): boolean {
  return family === null
    ? model === null || target.toLowerCase().startsWith(model)
    : target.startsWith(`STM32${family}`);
}

/** Formats USB IDs such as `0483:DF11`; `*` matches any. */
function usbText({ vendorId, productId }: UsbIds): string {
  return [vendorId, productId]
    .map((id) => (id === null ? '*' : id.toString(16).toUpperCase().padStart(4, '0')))
    .join(':');
}

function checkBoard(
  { info, isDemo }: StmPlanBoard,
  files: readonly StmPlanFile[],
  guard: StmGuard,
  findings: StmFindings,
): void {
  if (info.protection === 'read-protected') {
    findings.refuse('read-protected');
  }
  if (info.sectors.length === 0) {
    const { productId = null } = info;
    findings.refuse('unknown-part', { found: productId === null ? info.name : unknownStmText(productId) });
  } else if (info.flashSize === null) {
    findings.warn('flash-size-not-known', {
      found: sizeText(info.sectors.reduce((sum, { length }) => sum + length, 0)),
    });
  }
  const board = { model: info.model, name: info.name, isDemo };
  checkGuard({ parts: files, guard, board, modelName: (model) => model.toUpperCase() }, findings);
  if (guard.flashSize !== null && info.flashSize !== null && info.flashSize < guard.flashSize) {
    findings.refuse('guard-flash', { wanted: sizeText(guard.flashSize), found: sizeText(info.flashSize) });
  }
}
