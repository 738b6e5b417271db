/**
 * Plans a write to an STM32 before anything is erased: regions, kept ranges, refusals with reasons. It uses files and
 * facts about the board only; the writer carries the plan out.
 */
import { addressText, sizeText } from '../../core/bytes.ts';
import type { MapArea, NamedRange, PlannedRegion } from '../../core/flash-plan.ts';
import { endOf, overlapOf, rangeOf, without } from '../../core/ranges.ts';
import type { FlashRange } from '../../core/region.ts';
import { contentsOf as whatIs } from '../../images/contents/contents.ts';
import { isDemoFirmware } from '../../images/demo-mark.ts';
import type { UsbIds } from '../../images/formats/image-format.ts';
import { vectorTableOf } from '../../images/formats/memory-file.ts';
import type { MemorySegment } from '../../images/formats/memory-segments.ts';
import { stmUsbFilter } from '../dfuse/usb-device.ts';
import { checkStmContents, type StmFileContents } from './check-stm-contents.ts';
import {
  checkOtherParts,
  checkOverlaps,
  checkPlaces,
  checkProgram,
  insideOf,
  largestStmFlash,
  type StmContents,
} from './check-stm-files.ts';
import { StmFindings } from './stm-plan-finding.ts';
import {
  anyStm,
  type StmGuard,
  type StmPlan,
  type StmPlanBoard,
  type StmPlanFile,
  type StmPlanInput,
} from './stm-plan-types.ts';
import { estimateStmTime } from './stm-time.ts';

const usualBaudRate = 115_200;

/** Makes a plan. A plan with refusals must not be carried out; its regions show the request. */
export function planStm(input: StmPlanInput): StmPlan {
  const { files, board, guard = anyStm, eraseAll = false, overrides = [] } = input;
  const findings = new StmFindings();
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
  const stretches = asked.map(({ file, ...region }) => ({ file, ...rangeOf(region) }));
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
  const restore = eraseAll ? [] : restoredIn(sectors, ranges);
  const bytes = regions.reduce((sum, region) => sum + region.bytes.length, 0);
  return {
    ...outcome,
    regions,
    eraseAll,
    erase: [],
    restore,
    sectors,
    map: mapOf(all.length === 0 ? ranges : all, regions, restore, eraseAll),
    bytes,
    time: estimateStmTime({
      written: bytes,
      restored: restore.reduce((sum, { length }) => sum + length, 0),
      sectors: eraseAll ? all : sectors,
      baudRate: board === null ? usualBaudRate : board.baudRate,
    }),
  };
}

/** Returns the regions in the order of addresses, without empty ones. */
function regionsOf(files: readonly StmPlanFile[]): PlannedRegion[] {
  return files
    .flatMap(({ name, segments }) => segments.map(({ address, bytes }) => ({ file: name, offset: address, bytes })))
    .filter(({ bytes }) => bytes.length > 0)
    .toSorted((one, other) => one.offset - other.offset);
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
    findings.refuse('unknown-part', { found: info.name });
  } else if (info.flashSize === null) {
    findings.warn('flash-size-not-known', {
      found: sizeText(info.sectors.reduce((sum, { length }) => sum + length, 0)),
    });
  }
  const demo = files.filter(({ segments }) => guard.isDemo || segments.some(({ bytes }) => isDemoFirmware(bytes)));
  if (!isDemo && demo.length > 0) {
    findings.refuse('demo-firmware', { files: demo.map(({ name }) => name) });
  }
  if (guard.model !== null && info.model !== null && guard.model !== info.model) {
    findings.refuse('guard-model', { wanted: guard.model.toUpperCase(), found: info.name });
  }
  if (guard.flashSize !== null && info.flashSize !== null && info.flashSize < guard.flashSize) {
    findings.refuse('guard-flash', { wanted: sizeText(guard.flashSize), found: sizeText(info.flashSize) });
  }
}

/** Returns the ranges that share a sector with a region. They are read before the erase and written back. */
function restoredIn(sectors: readonly FlashRange[], ranges: readonly FlashRange[]): NamedRange[] {
  return sectors.flatMap((sector) =>
    without(sector, ranges).map((range) => ({ ...range, name: `sector at ${addressText(sector.offset)}` })),
  );
}

/** Maps the flash: each area with its fate; equal neighbours are joined. */
function mapOf(
  sectors: readonly FlashRange[],
  regions: readonly PlannedRegion[],
  restore: readonly FlashRange[],
  eraseAll: boolean,
): MapArea[] {
  const areas: MapArea[] = [];
  const add = (area: MapArea) => {
    const last = areas.at(-1);
    if (last?.file === area.file && last.fate === area.fate && endOf(last) === area.offset) {
      areas[areas.length - 1] = { ...last, length: last.length + area.length };
    } else {
      areas.push(area);
    }
  };
  for (const sector of sectors) {
    const inside = (range: FlashRange) => overlapOf(sector, range);
    const written = regions.flatMap((region) => {
      const range = inside(rangeOf(region));
      return range === null ? [] : [{ ...range, name: null, fate: 'written' as const, file: region.file }];
    });
    const restored = restore.flatMap((range) => inside(range) ?? []);
    const rest = without(sector, [...written, ...restored]);
    const others = [
      ...restored.map((range) => ({ ...range, fate: 'restored' as const })),
      ...rest.map((range) => ({ ...range, fate: eraseAll ? ('erased' as const) : ('kept' as const) })),
    ];
    [...written, ...others.map((range) => ({ ...range, name: null, file: null }))]
      .toSorted((one, other) => one.offset - other.offset)
      .forEach(add);
  }
  return areas;
}
