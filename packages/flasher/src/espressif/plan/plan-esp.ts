/**
 * Plans a write before anything is erased: regions, kept ranges, refusals with reasons. It uses files and facts about
 * the board only; the writer carries the plan out.
 */

import { sizeText } from '../../core/bytes.ts';
import type { NamedRange } from '../../core/flash-plan.ts';
import { overlapOf } from '../../core/ranges.ts';
import { type FlashRange, sectorSize, splitIntoRegions, usualRegionSize } from '../../core/region.ts';
import { contentsOf } from '../../images/contents/contents.ts';
import { type ChipName, chipFacts } from '../chips/chip-facts.ts';
import { keepFlashSettings } from '../images/flash-settings.ts';
import { chipOfPart, imagePartOf } from '../images/image-part.ts';
import { tableAfter } from './changed-table.ts';
import { checkChanges } from './check-changes.ts';
import { checkContents } from './check-contents.ts';
import { checkImages } from './check-images.ts';
import { checkAgainstPartitions, checkPlaces } from './check-layout.ts';
import { checkStart } from './check-start.ts';
import {
  boardTable,
  checkMovedData,
  checkTable,
  checkTableIsThere,
  checkTablePlace,
  type TableInPlace,
} from './check-table.ts';
import { type EncryptablePiece, encryptPieces } from './encrypted-pieces.ts';
import { EspFindings } from './esp-plan-finding.ts';
import { anyEsp, type EspGuard, type EspPlan, type EspPlanBoard, type EspPlanInput } from './esp-plan-types.ts';
import { applySettings, checkSizeSetting } from './flash-settings-plan.ts';
import { type Piece, piecesOf, storedSettings } from './kept-settings.ts';
import type { KnownFile } from './known-file.ts';
import { memoryMap } from './memory-map.ts';
import { otaDataToErase } from './starting-app.ts';

/**
 * Makes a plan. Never rejects because of a file's contents. A plan with refusals must not be carried out; its regions
 * show the request.
 */
export async function planEsp({
  files: given,
  changes = [],
  outdated = [],
  board,
  guard = anyEsp,
  settings = keepFlashSettings,
  erase: choice = 'needed',
  keepNvs = true,
  encrypt = false,
  overrides = [],
  regionSize = usualRegionSize,
}: EspPlanInput): Promise<EspPlan> {
  const findings = new EspFindings();
  const flashSize = board?.info.flash?.size ?? null;
  const known = given.map((file) => ({
    ...file,
    size: file.bytes.length,
    part: imagePartOf(file.bytes),
    contents: contentsOf(file.bytes),
  }));
  if (known.length === 0 && changes.length === 0) {
    findings.refuse('nothing-to-write');
  }

  checkPlaces(known, flashSize, findings);
  const isEncrypting = encrypt && board?.bootRules?.encryptsDownloads === true;
  await checkImages(known, board, { guard, isEncrypting }, findings);
  const start = board === null ? null : await checkStart(known, board, isEncrypting, findings);
  if (board !== null) {
    checkGuard(guard, board, findings);
    checkBoard(board, findings);
  }

  const files = await applySettings(known, settings, flashSize, findings);
  const inPlace = tableAfter(files, changes, board);
  if (inPlace !== null) {
    checkTable(inPlace, flashSize, findings);
    checkMovedData(inPlace, board, findings);
  }
  checkTablePlace(files, board, findings);
  checkAgainstPartitions(files, inPlace, findings);
  const isEncrypted = board?.info.security.flashEncryption === true;
  checkContents(files, { chip: chipOf(files, board), inPlace, tableOffset: board?.tableOffset, isEncrypted }, findings);
  checkTableIsThere(files, inPlace, board, findings);
  checkSizeSetting(files, inPlace, flashSize, findings);

  const eraseAll = choice === 'all';
  const stored = settingsOf(board, inPlace);
  const kept = keepNvs ? stored : [];
  const plain = files.flatMap((file) => piecesOf(file, kept, findings));
  const pieces = isEncrypting ? encryptPieces(plain, files, inPlace) : plain;
  const otaData = otaDataToErase({ files, changes, inPlace, board, erase: choice }, findings);
  const restore = eraseAll ? kept : [];
  checkChanges(changes, { board, pieces, eraseAll, restore, outdated }, findings);
  checkErasing(findings, { board, eraseAll, erase: otaData, kept });
  if (!keepNvs) {
    warnOfLostSettings(stored, { eraseAll, pieces }, findings);
  }

  const erase = otaData === null ? [] : [otaData];
  const map = memoryMap({ chip: chipOf(files, board), flashSize, inPlace, pieces, changes, eraseAll, erase, restore });
  return {
    ...findings.outcome(overrides),
    regions: regionsOf(pieces, regionSize),
    eraseAll,
    erase,
    restore,
    map,
    bytes: pieces.reduce((sum, { bytes }) => sum + bytes.length, 0),
    table: inPlace?.table ?? null,
    start,
    changes,
  };
}

/** Returns the regions. A file that does not begin on a sector is refused and has none. */
function regionsOf(pieces: readonly EncryptablePiece[], size: number): EspPlan['regions'] {
  return pieces
    .filter(({ offset }) => Number.isSafeInteger(offset) && offset >= 0 && offset % sectorSize === 0)
    .sort((one, other) => one.offset - other.offset)
    .flatMap(({ file, offset, bytes, encrypted }) =>
      splitIntoRegions(offset, bytes, size).map((region) => ({ ...region, file, ...(encrypted && { encrypted }) })),
    );
}

function chipOf(files: readonly KnownFile[], board: EspPlanBoard | null): ChipName | null {
  return board?.info.chip ?? files.map(({ part }) => chipOfPart(part)).find((chip) => chip !== null) ?? null;
}

/**
 * Returns the stored settings. A board without a table has stored nothing. If its table is unknown, the files' table
 * is used.
 */
function settingsOf(board: EspPlanBoard | null, inPlace: TableInPlace | null): NamedRange[] {
  const after = inPlace?.table ?? null;
  const before = boardTable(board) ?? (board?.table === 'none' ? null : after);
  return storedSettings(before, after);
}

/** Compares a release's requirements with the connected board. A person may override these refusals by typing. */
function checkGuard(guard: EspGuard, { info }: EspPlanBoard, findings: EspFindings): void {
  if (guard.chip !== null && guard.chip !== info.chip) {
    findings.refuse('guard-chip', { wanted: chipFacts[guard.chip].label, found: chipFacts[info.chip].label });
  }
  const size = info.flash?.size ?? null;
  if (guard.flashSize !== null && size !== null && size < guard.flashSize) {
    findings.refuse('guard-flash', { wanted: sizeText(guard.flashSize), found: sizeText(size) });
  }
  if (guard.model !== null && guard.model !== info.model) {
    findings.refuse('guard-board', { wanted: guard.model, found: info.model });
  }
}

function checkBoard({ info }: EspPlanBoard, findings: EspFindings): void {
  if (info.security.secureDownload) {
    findings.warn('secure-download');
  } else if ((info.flash?.size ?? null) === null) {
    findings.warn('nothing-known-of-flash');
  }
}

interface ErasePlan {
  readonly board: EspPlanBoard | null;
  readonly eraseAll: boolean;
  readonly erase: NamedRange | null;
  readonly kept: readonly NamedRange[];
}

/** Refuses erases in Secure Download Mode, which allows neither reading nor erasing without writing. */
function checkErasing(findings: EspFindings, { board, eraseAll, erase, kept }: ErasePlan): void {
  if (board?.info.security.secureDownload !== true) {
    return;
  }
  if (eraseAll || erase !== null) {
    findings.refuse('cannot-erase');
  }
  if (eraseAll && kept.length > 0) {
    findings.refuse('cannot-keep-nvs');
  }
}

function warnOfLostSettings(
  stored: readonly NamedRange[],
  { eraseAll, pieces }: { readonly eraseAll: boolean; readonly pieces: readonly Piece[] },
  findings: EspFindings,
): void {
  const isCovered = (range: FlashRange) =>
    pieces.some(({ offset, bytes }) => overlapOf({ offset, length: bytes.length }, range) !== null);
  const lost = stored.filter((range) => eraseAll || isCovered(range));
  if (lost.length > 0) {
    findings.warn('nvs-erased', { partitions: lost.map(({ name }) => name) });
  }
}
