/**
 * The plan of a flash of an STM32, before anything is erased: what is written where, what stays, what is refused and why. Looks at
 * files and facts alone; the writer carries it out.
 */
import { addressText, sizeText } from '../../bytes.ts';
import { isDemoFirmware } from '../../images/esp/demo-mark.ts';
import { vectorTableOf } from '../../images/formats/memory-file.ts';
import type { MapArea, NamedRange, PlannedRegion } from '../../plan/plan-types.ts';
import { endOf, overlapOf, without } from '../../plan/ranges.ts';
import type { FlashRange } from '../../region.ts';
import { flashStart } from '../parts/flash-layout.ts';
import { rangeOf } from '../sector-cover.ts';
import {
  overridableStmRefusals,
  type StmFindingDetail,
  type StmRefusal,
  type StmWarning,
  stmRefusalText,
  stmWarningText,
} from './stm-plan-finding.ts';
import {
  anyStm,
  type StmGuard,
  type StmPlan,
  type StmPlanBoard,
  type StmPlanFile,
  type StmPlanInput,
  type StmRefusalFinding,
  type StmWarningFinding,
} from './stm-plan-types.ts';
import { estimateStmTime } from './stm-time.ts';

/** Before a board is connected: no STM32 of the families here has more flash than this. */
const LARGEST_FLASH: FlashRange = { offset: flashStart, length: 2 * 1_048_576 };
const usualBaudRate = 115_200;

class Findings {
  readonly refusals: StmRefusalFinding[] = [];
  readonly warnings: StmWarningFinding[] = [];

  refuse(code: StmRefusal, detail: StmFindingDetail = {}): void {
    const overridable = overridableStmRefusals.includes(code);
    this.refusals.push({ code, files: detail.files ?? [], overridable, ...stmRefusalText[code](detail) });
  }

  warn(code: StmWarning, detail: StmFindingDetail = {}): void {
    this.warnings.push({ code, files: detail.files ?? [], ...stmWarningText[code](detail) });
  }
}

/** A plan with refusals must not be carried out; its regions are of what was asked for. */
export function planStm(input: StmPlanInput): StmPlan {
  const { files, board, guard = anyStm, eraseAll = false, overrides = [] } = input;
  const findings = new Findings();
  const regions = files
    .flatMap(({ name, segments }) => segments.map(({ address, bytes }) => ({ file: name, offset: address, bytes })))
    .filter(({ bytes }) => bytes.length > 0)
    .toSorted((one, other) => one.offset - other.offset);
  if (files.length === 0) {
    findings.refuse('nothing-to-write');
  }
  for (const file of files) {
    checkFile(file, findings);
  }
  checkOverlaps(regions, findings);
  checkPlaces(regions, board, findings);
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
  const isOverridden = ({ code, overridable }: StmRefusalFinding) => overridable && overrides.includes(code);
  const bytes = regions.reduce((sum, region) => sum + region.bytes.length, 0);
  return {
    refusals: findings.refusals.filter((refusal) => !isOverridden(refusal)),
    overridden: findings.refusals.filter(isOverridden),
    warnings: findings.warnings,
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

/** Whether it looks like a program where a part starts, or where it goes. */
function checkFile({ name, segments }: StmPlanFile, findings: Findings): void {
  const [first] = segments.toSorted((one, other) => one.address - other.address);
  if (first === undefined || first.bytes.length === 0) {
    findings.refuse('file-empty', { files: [name] });
    return;
  }
  const at = addressText(first.address);
  const vectors = vectorTableOf(first.bytes);
  if (vectors === null) {
    const detail = { files: [name], at };
    if (first.address === flashStart) {
      findings.refuse('not-an-image', detail);
    } else {
      findings.warn('no-vector-table', detail);
    }
    return;
  }
  const isInside = segments.some(
    ({ address, bytes }) => vectors.reset >= address && vectors.reset < address + bytes.length,
  );
  // Flash is seen at zero as well, and some programs are linked there (RM0008 section 3.4, "Boot configuration").
  if (!isInside && vectors.reset >= flashStart) {
    findings.warn('linked-elsewhere', { files: [name], at, wanted: addressText(vectors.reset) });
  }
}

function checkOverlaps(regions: readonly PlannedRegion[], findings: Findings): void {
  let furthest: PlannedRegion | undefined;
  for (const region of regions) {
    if (furthest !== undefined && overlapOf(rangeOf(furthest), rangeOf(region)) !== null) {
      const files = [...new Set([furthest.file, region.file])];
      findings.refuse('overlap', { files, at: addressText(region.offset) });
    }
    if (furthest === undefined || endOf(rangeOf(region)) > endOf(rangeOf(furthest))) {
      furthest = region;
    }
  }
}

function checkPlaces(regions: readonly PlannedRegion[], board: StmPlanBoard | null, findings: Findings): void {
  const sectors = board?.info.sectors ?? [LARGEST_FLASH];
  const last = sectors.at(-1);
  if (last === undefined) {
    return;
  }
  for (const { file, ...region } of regions) {
    const [outside] = without(rangeOf(region), sectors);
    if (outside === undefined) {
      continue;
    }
    const startsInside = sectors.some((sector) => overlapOf(sector, { offset: region.offset, length: 1 }) !== null);
    if (startsInside && outside.offset >= endOf(last)) {
      const [wanted, found] = [endOf(rangeOf(region)), endOf(last)].map(addressText);
      findings.refuse('does-not-fit', { files: [file], wanted: wanted ?? '', found: found ?? '' });
    } else {
      findings.refuse('outside-flash', { files: [file], at: addressText(outside.offset) });
    }
  }
}

function checkBoard(
  { info, isDemo }: StmPlanBoard,
  files: readonly StmPlanFile[],
  guard: StmGuard,
  findings: Findings,
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
