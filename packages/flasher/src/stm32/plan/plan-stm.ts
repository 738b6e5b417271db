/**
 * The plan of a flash of an STM32, before anything is erased: what is written where, what stays, what is refused and why. Looks at
 * files and facts alone; the writer carries it out.
 */
import { addressText, sizeText } from '../../core/bytes.ts';
import type { MapArea, NamedRange, PlannedRegion } from '../../core/flash-plan.ts';
import { endOf, overlapOf, without } from '../../core/ranges.ts';
import type { FlashRange } from '../../core/region.ts';
import { contentsOf as whatIs } from '../../images/contents/contents.ts';
import { isDemoFirmware } from '../../images/demo-mark.ts';
import { vectorTableOf } from '../../images/formats/memory-file.ts';
import { rangeOf } from '../write/sector-cover.ts';
import { checkStmContents, type StmFileContents } from './check-stm-contents.ts';
import { checkOverlaps, checkPlaces, checkProgram, largestStmFlash, type StmContents } from './check-stm-files.ts';
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

/** A plan with refusals must not be carried out; its regions are of what was asked for. */
export function planStm(input: StmPlanInput): StmPlan {
  const { files, board, guard = anyStm, eraseAll = false, overrides = [] } = input;
  const findings = new StmFindings();
  const regions = files
    .flatMap(({ name, segments }) => segments.map(({ address, bytes }) => ({ file: name, offset: address, bytes })))
    .filter(({ bytes }) => bytes.length > 0)
    .toSorted((one, other) => one.offset - other.offset);
  if (files.length === 0) {
    findings.refuse('nothing-to-write');
  }
  for (const file of files) {
    if (!checkStmContents(fileContentsOf(file), findings)) {
      checkProgram(contentsOf(file), findings);
    }
  }
  const stretches = regions.map(({ file, ...region }) => ({ file, ...rangeOf(region) }));
  checkOverlaps(stretches, findings);
  checkPlaces(stretches, board?.info.sectors ?? [largestStmFlash], findings);
  if (board !== null) {
    checkBoard(board, files, guard, findings);
  }
  if (eraseAll) {
    findings.warn('rest-is-erased');
  }
  const all: readonly FlashRange[] = board?.info.sectors ?? [];
  const ranges = regions.map(rangeOf);
  const sectors = all.filter((sector) => ranges.some((range) => overlapOf(sector, range) !== null));
  const restore = eraseAll ? [] : restoredIn(sectors, ranges);
  const bytes = regions.reduce((sum, region) => sum + region.bytes.length, 0);
  return {
    ...findings.outcome(overrides),
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

const inOrder = ({ segments }: StmPlanFile) => segments.toSorted((one, other) => one.address - other.address);

function fileContentsOf(file: StmPlanFile): StmFileContents {
  const [first] = inOrder(file);
  return { name: file.name, offset: first?.address ?? 0, contents: first === undefined ? null : whatIs(first.bytes) };
}

function contentsOf(file: StmPlanFile): StmContents {
  const sorted = inOrder(file);
  const { name } = file;
  const [first] = sorted;
  return {
    name,
    ranges: sorted.map(({ address, bytes }) => ({ offset: address, length: bytes.length })),
    vectors: first === undefined ? null : vectorTableOf(first.bytes),
  };
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

/** What shares a sector with what is written: it is read before the erase and written back. */
function restoredIn(sectors: readonly FlashRange[], ranges: readonly FlashRange[]): NamedRange[] {
  return sectors.flatMap((sector) =>
    without(sector, ranges).map((range) => ({ ...range, name: `sector at ${addressText(sector.offset)}` })),
  );
}

/** Each stretch of flash and what becomes of it; equal neighbours are one. */
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
