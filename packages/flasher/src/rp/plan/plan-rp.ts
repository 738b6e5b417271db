/**
 * Plans a write to an RP2040 or RP2350 before anything is erased: regions, kept ranges, the file systems that it touches,
 * refusals with reasons. It uses files and facts about the board only.
 */
import { modelName } from '@wirebench/boards';
import { addressText, sizeText } from '../../core/bytes.ts';
import { changedParts } from '../../core/changed-regions.ts';
import { checkChanges } from '../../core/check-changes.ts';
import type { PlannedRegion } from '../../core/flash-plan.ts';
import {
  checkGuard,
  checkOverlaps,
  type MemoryPart,
  memoryMap,
  regionsOf,
  restoredIn,
  stretchOf,
} from '../../core/memory-plan.ts';
import { inSectors, joinRanges, overlapOf, rangeOf } from '../../core/ranges.ts';
import { type FlashRange, sectorSize } from '../../core/region.ts';
import { contentsOf } from '../../images/contents/contents.ts';
import { isBlank, notFirmwareBy } from '../../images/contents/not-firmware.ts';
import type { MemorySegment } from '../../images/formats/memory-segments.ts';
import {
  checkRpProgram,
  flashStart,
  type RpChip,
  type RpFlashUser,
  type RpProgram,
  type RpProgramRefusal,
  type RpProgramWarning,
  settingsRange,
  shiftOf,
} from '../files/index.ts';
import { addressableFlash, blocksOf } from '../picoboot/flash-memory.ts';
import { displacedBy, rangeOfUser } from '../put-back/put-back.ts';
import { type Placement, placedPrograms, placementOf, takenOf } from './placed-programs.ts';
import { type RpFindings, rpFindings } from './rp-plan-finding.ts';
import {
  modelOf,
  type RpGuard,
  type RpPlan,
  type RpPlanBoard,
  type RpPlanFile,
  type RpPlanInput,
} from './rp-plan-types.ts';

const anyRp: RpGuard = { model: null, flashSize: null, isDemo: false };

/** Typical times in milliseconds: sector erase and page program (W25Q16JV data sheet, 9.6). */
const SECTOR_ERASE = 45;
const PAGE_PROGRAM = 0.4;
/** Milliseconds per byte at full speed: 19 packets of 64 bytes a frame (USB 2.0, section 5.8.4). */
const USB_BYTE = 1 / (19 * 64);

/** Makes a plan. A plan with refusals must not be carried out; its regions show the request. */
export function planRp(input: RpPlanInput): RpPlan {
  const { files, guard = anyRp, eraseAll = false, overrides = [], changes = [], putBack } = input;
  const board = input.board === null ? null : withoutUsers(input.board, putBack?.users ?? []);
  const findings = rpFindings();
  if (files.length === 0 && changes.length === 0) {
    findings.refuse('nothing-to-write');
  }
  const placed = board === null ? null : { board, placement: placementOf(files, board.info, eraseAll) };
  const parts = files.map((file) => ({ name: file.name, segments: segmentsFor(file, placed, findings) }));
  checkContents(parts, findings);
  const ofFiles = regionsOf(parts);
  checkOverlaps(ofFiles.map(stretchOf), findings);
  const regions = [...ofFiles, ...(putBack?.region ? [putBack.region] : [])].toSorted(
    (one, other) => one.offset - other.offset,
  );
  const flash: FlashRange = { offset: flashStart, length: board?.info.flashSize ?? addressableFlash };
  const ranges = regions.map(rangeOf);
  const erased = joinRanges(distinct(ranges.map(inSectors).flatMap((range) => blocksOf(range, sectorSize))));
  if (placed !== null) {
    const { storage } = placed.placement;
    checkBoard(placed.board, parts, guard, storage, findings);
    checkUsers({ board: placed.board, storage, erased, eraseAll }, findings);
    checkFileChanges(input, placed.board, { storage, erased, stretches: regions.map(stretchOf) }, findings);
  }
  for (const { code, detail } of putBack?.findings ?? []) {
    findings.warn(code, detail);
  }
  if (eraseAll) {
    findings.warn('rest-is-erased');
  }
  const sectors = erased.flatMap((range) => blocksOf(range, sectorSize));
  const restore = eraseAll
    ? []
    : restoredIn(sectors, ranges, (_range, sector) => `sector at ${addressText(sector.offset)}`);
  const changed = findings.outcome(overrides).refusals.length > 0 ? [] : changedParts(changes);
  const bytes = [...regions, ...changed].reduce((sum, region) => sum + region.bytes.length, 0);
  const isKnown = board !== null && board.info.flashSize !== null;
  return {
    ...findings.outcome(overrides),
    regions,
    changes,
    eraseAll,
    erase: [],
    restore,
    sectors,
    map: memoryMap({
      memory: isKnown ? [flash] : erased,
      named: (input.board?.info.users ?? []).map((user) => ({ ...rangeOfUser(user), name: user.name })),
      regions: [...regions, ...changed],
      restore,
      eraseAll,
    }),
    bytes,
    time: timeOf(sectors.length + sectorsIn(changed), eraseAll && isKnown ? flash.length / sectorSize : 0),
  };
}

const sectorsIn = (regions: readonly PlannedRegion[]): number =>
  regions.reduce((sum, { bytes }) => sum + Math.ceil(bytes.length / sectorSize), 0);

interface WrittenFiles extends Pick<Placement, 'storage'> {
  /** Ranges of whole sectors that the files erase. */
  readonly erased: readonly FlashRange[];
  readonly stretches: readonly (FlashRange & { readonly file: string })[];
}

/** Refuses changes that cannot be carried out with these files, or at this board as it is. */
function checkFileChanges(
  { changes = [], outdated = [], holdsFiles = false, eraseAll = false }: RpPlanInput,
  { info }: RpPlanBoard,
  { storage, erased, stretches }: WrittenFiles,
  findings: RpFindings,
): void {
  const { link, flashSize, users } = info;
  if (changes.length === 0) {
    return;
  }
  const displaced = eraseAll ? [] : displacedBy({ sectors: erased, storage, eraseAll }, users).map(rangeOfUser);
  const isDisplaced = (range: FlashRange) => displaced.some((one) => overlapOf(range, inSectors(one)) !== null);
  checkChanges(
    changes,
    {
      end: flashSize === null ? null : flashStart + flashSize,
      // A displaced file system has a refusal of its own.
      pieces: stretches.filter((stretch) => !isDisplaced(stretch)),
      outdated,
      isErased: () => eraseAll,
      checkOwn: ({ name, range }) => {
        const detail = { files: [name] };
        if (link === 'drive') {
          findings.refuse('change-by-drive', detail);
        } else if (isDisplaced(range)) {
          findings.refuse('change-displaced', detail);
        }
        if (holdsFiles) {
          findings.refuse('change-before-put-back', detail);
        }
      },
    },
    findings,
  );
}

/** Returns the board without file systems of which `putBack` says everything. */
function withoutUsers({ info, isDemo }: RpPlanBoard, handled: readonly RpFlashUser[]): RpPlanBoard {
  const isHandled = ({ offset, size }: RpFlashUser) =>
    handled.some((user) => user.offset === offset && user.size === size);
  return { info: { ...info, users: info.users.filter((user) => !isHandled(user)) }, isDemo };
}

/** Refuses files that are certainly not firmware. At the start of flash the refusal is final; elsewhere it may be data. */
function checkContents(parts: readonly MemoryPart[], findings: RpFindings): void {
  for (const { name, segments } of parts) {
    const [first] = segments;
    const contents = first === undefined ? null : contentsOf(first.bytes);
    const not = isBlank(contents) ? null : notFirmwareBy(contents, 'rp');
    if (first !== undefined && not !== null) {
      const detail = { files: [name], wanted: not.name, found: not.remedy };
      findings.refuse('not-firmware', detail, first.address === flashStart);
    }
  }
}

/** Returns the estimated duration in milliseconds if every sector differs. */
function timeOf(sectors: number, erasedBefore: number): number {
  const perSector = SECTOR_ERASE + (sectorSize / 256) * PAGE_PROGRAM + 2 * sectorSize * USB_BYTE;
  return sectors * perSector + erasedBefore * (SECTOR_ERASE + sectorSize * USB_BYTE);
}

const distinct = (sectors: readonly FlashRange[]): FlashRange[] =>
  [...new Map(sectors.map((sector) => [sector.offset, sector])).values()].toSorted(
    (one, other) => one.offset - other.offset,
  );

/**
 * Returns the data for the board's flash: the programs for its chip, of those for two processors the one for its own, in their
 * partitions.
 */
function segmentsFor(
  { name, firmware }: RpPlanFile,
  placed: { readonly board: RpPlanBoard; readonly placement: Placement } | null,
  findings: RpFindings,
): MemorySegment[] {
  const { others } = firmware;
  const programs = placedPrograms(firmware);
  if (placed === null) {
    return programs.flatMap(({ flash }) => flash);
  }
  const {
    board,
    placement: { factsFor },
  } = placed;
  const files = [name];
  const taken = takenOf(programs, board.info);
  for (const { kind, ...finding } of taken.flatMap((program) => checkRpProgram(name, program, factsFor(program)))) {
    if (kind === 'refusal') {
      findings.refuse(finding.code as RpProgramRefusal, finding.detail);
    } else {
      findings.warn(finding.code as RpProgramWarning, finding.detail);
    }
  }
  for (const program of programs.filter((one) => !taken.includes(one))) {
    findings.warn('part-left-out', { files, wanted: `a program for ${programText(program)}` });
  }
  for (const other of others) {
    findings.warn('part-left-out', { files, wanted: `${sizeText(other.size)} for ${other.name}` });
  }
  const segments = taken.flatMap((program) => {
    const shift = shiftOf(program, factsFor(program));
    return program.flash.map(({ address, bytes }) => ({ address: address + shift, bytes }));
  });
  if (segments.length === 0 && taken.some(({ ram }) => ram.length > 0) && board.info.link !== 'drive') {
    findings.refuse('only-ram', { files });
  }
  return segments;
}

const programText = ({ family, chips }: RpProgram): string => family ?? chips.join(' and ');

function checkBoard(
  { info, isDemo }: RpPlanBoard,
  parts: Parameters<typeof checkGuard>[0]['parts'],
  guard: RpGuard,
  storage: Placement['storage'],
  findings: RpFindings,
): void {
  const board = { model: modelOf(info.chip), name: info.chip satisfies RpChip, isDemo };
  checkGuard({ parts, guard, board, modelName }, findings);
  const end = storage === null ? 0 : storage.offset + storage.size;
  if (info.flashSize === null && info.link === 'usb') {
    findings.warn('flash-size-not-known', end === 0 ? {} : { wanted: sizeText(end) });
  } else if (info.flashSize !== null && end > info.flashSize) {
    const [wanted = '', found = ''] = [end, info.flashSize].map((offset) => addressText(flashStart + offset));
    findings.warn('files-behind-flash', { wanted, found });
  }
  if (guard.flashSize !== null && info.flashSize !== null && info.flashSize < guard.flashSize) {
    findings.refuse('guard-flash', { wanted: sizeText(guard.flashSize), found: sizeText(info.flashSize) });
  }
}

interface UserCheck {
  readonly board: RpPlanBoard;
  readonly storage: Placement['storage'];
  /** Ranges of whole sectors that the write may erase. */
  readonly erased: readonly FlashRange[];
  readonly eraseAll: boolean;
}

/** Names the file systems that the write destroys, that the new program will not find, or for which it has less room. */
function checkUsers({ board, storage, erased, eraseAll }: UserCheck, findings: RpFindings): void {
  for (const user of board.info.users) {
    const range = { offset: flashStart + user.offset, length: user.size };
    const detail = { found: `${user.name}, ${sizeText(user.size)}`, at: addressText(range.offset) };
    if (eraseAll) {
      findings.warn('erases-files', { ...detail, lost: `Files that the old program stored, ${sizeText(user.size)},` });
    }
    const settings = settingsRange(user);
    if (settings !== null && !eraseAll && erased.some((one) => overlapOf(one, settings) !== null)) {
      findings.warn('settings-lost', { at: addressText(settings.offset) });
    }
    // The check of each program names the file systems that it writes over.
    if (eraseAll || erased.some((one) => overlapOf(one, range) !== null)) {
      continue;
    }
    if (storage !== null && storage.offset !== user.offset) {
      findings.warn('moves-files', { ...detail, wanted: addressText(flashStart + storage.offset) });
    }
    if (storage !== null && storage.size < user.size) {
      findings.warn('smaller-files', { found: sizeText(user.size), wanted: sizeText(storage.size) });
    }
  }
}
