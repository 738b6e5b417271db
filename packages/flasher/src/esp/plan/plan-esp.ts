/**
 * Plans a write before anything is erased: regions, kept ranges, refusals with reasons. It uses files and facts about
 * the board only; the writer carries the plan out.
 */

import type { BoardChange } from '../../core/board-change.ts';
import { sizeText } from '../../core/bytes.ts';
import { checkChanges } from '../../core/check-changes.ts';
import type { NamedRange } from '../../core/flash-plan.ts';
import { endOf, overlapOf } from '../../core/ranges.ts';
import { type FlashRange, usualRegionSize } from '../../core/region.ts';
import { contentsOf } from '../../images/contents/contents.ts';
import { ImageError } from '../../images/image-error.ts';
import { type ChipName, chipFacts } from '../chips/chip-facts.ts';
import { espImageMagic } from '../images/esp-image.ts';
import { flashSizes, keepFlashSettings, withFlashSettings } from '../images/flash-settings.ts';
import { chipOfPart, imagePartOf } from '../images/image-part.ts';
import { innerPartsOf } from '../images/inner-parts.ts';
import { hasBootloaderDigest } from '../images/merged-image.ts';
import { checkAfter } from './check-after.ts';
import { checkContents } from './check-contents.ts';
import { checkImages } from './check-images.ts';
import { checkPlaces } from './check-layout.ts';
import { checkStart } from './check-start.ts';
import { checkKeys, checkMovedData, checkTable } from './check-table.ts';
import { checkEncryption, encryptPieces } from './encrypted-pieces.ts';
import { type EspFindings, espFindings } from './esp-plan-finding.ts';
import {
  anyEsp,
  type EspGuard,
  type EspPlan,
  type EspPlanBoard,
  type EspPlanInput,
  type EspPlanSettings,
} from './esp-plan-types.ts';
import { boardTable, FlashAfter, type TableInPlace } from './flash-after.ts';
import { type Piece, piecesOf, storedSettings } from './kept-settings.ts';
import type { KnownFile } from './known-file.ts';
import { memoryMap, regionsOf } from './memory-map.ts';
import { renewOtaData } from './starting-app.ts';

/**
 * Makes a plan. Never rejects because of a file's contents. A plan with refusals must not be carried out; its regions
 * show the request.
 */
export async function planEsp({
  files: chosen,
  changes: given = [],
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
  const findings = espFindings();
  const flashSize = board?.info.flash?.size ?? null;
  const known = chosen.map((file) => ({
    ...file,
    size: file.bytes.length,
    part: imagePartOf(file.bytes),
    inner: innerPartsOf(file.bytes),
    contents: contentsOf(file.bytes),
  }));
  if (known.length === 0 && given.length === 0) {
    findings.refuse('nothing-to-write');
  }

  checkPlaces(known, flashSize, findings);
  const chip = board?.info.chip ?? null;
  const eraseAll = choice === 'all';
  const asGiven = new FlashAfter({ files: known, changes: given, board, chip, eraseAll });
  await checkImages(known, { board, guard, after: asGiven }, findings);
  if (board !== null) {
    checkGuard(guard, board, findings);
    checkBoard(board, findings);
  }

  const files = await applySettings(known, settings, flashSize, findings);
  const after = new FlashAfter({ files, changes: given, board, chip, eraseAll });
  const { inPlace } = after;
  if (inPlace !== null) {
    checkTable(inPlace, board, findings);
    checkMovedData(inPlace, board, findings);
    checkKeys(inPlace, board, findings);
  }
  const isEncrypted = board?.info.security.flashEncryption === true;
  const canEncrypt = board?.bootRules?.encryptsDownloads === true;
  const isEncrypting = isEncrypted && canEncrypt && encrypt;
  if (isEncrypted) {
    checkEncryption(files, after, { canEncrypt, isEncrypting }, findings);
  }
  checkAfter(after, checkContents(files, { after, isEncrypted }, findings), findings);
  const renewal = renewOtaData(after, choice, findings);
  const start = board === null ? null : await checkStart(files, { board, after, isEncrypting, renewal }, findings);

  const stored = settingsOf(board, inPlace);
  const kept = keepNvs ? stored : [];
  const plain = files.flatMap((file) => piecesOf(file, kept, findings));
  const pieces = isEncrypting ? encryptPieces(plain, files, after) : plain;
  const restore = eraseAll ? kept : [];
  checkEspChanges(given, { board, pieces, eraseAll, restore, outdated }, findings);
  checkErasing(findings, { board, eraseAll, erase: renewal.erase, kept });
  if (keepNvs && board?.table === 'none' && board.isBlank === false && files.length > 0) {
    findings.warn('settings-not-found');
  }
  if (!keepNvs) {
    warnOfLostSettings(stored, { eraseAll, pieces }, findings);
  }

  const erase = renewal.erase === null ? [] : [renewal.erase];
  const changes = renewal.change === null ? given : [...given, renewal.change];
  const map = memoryMap({ after, pieces, changes, eraseAll, erase, restore });
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

/** Returns the offset of the first program's header in the file; null if the file does not contain it. */
function headerAt({ offset, bytes, part }: KnownFile, chip: ChipName): number | null {
  const at = chipFacts[chip].bootloaderOffset - offset;
  const mayHoldIt = at === 0 || (at > 0 && (part.kind === 'merged' || part.kind === 'bootloader'));
  return mayHoldIt && bytes[at] === espImageMagic ? at : null;
}

/**
 * Returns the files with the chosen flash settings in the header of the program that the ROM starts. Headers of apps are left
 * unchanged, as in esptool (`cmds.py`, `_update_image_flash_params`). A change that is impossible is refused, and the file
 * stays unchanged.
 */
async function applySettings(
  files: readonly KnownFile[],
  settings: EspPlanSettings,
  flashSize: number | null,
  findings: EspFindings,
): Promise<KnownFile[]> {
  return Promise.all(files.map((file) => withSettings(file, settings, flashSize, findings)));
}

async function withSettings(
  file: KnownFile,
  { size, ...others }: EspPlanSettings,
  flashSize: number | null,
  findings: EspFindings,
): Promise<KnownFile> {
  const chip = chipOfPart(file.part);
  const at = chip === null ? null : headerAt(file, chip);
  if (chip === null || at === null || file.part.kind === 'broken') {
    return file;
  }
  const detected = flashSize !== null && flashSizes(chip).includes(flashSize) ? flashSize : 'keep';
  try {
    const whole = file.bytes.subarray(at);
    const program = await withFlashSettings(whole, { ...others, size: size === 'detect' ? detected : size });
    if (program === whole) {
      return file;
    }
    if (at > 0 && hasBootloaderDigest(file.bytes)) {
      throw new ImageError('image-digest');
    }
    const bytes = file.bytes.slice();
    bytes.set(program, at);
    return { ...file, bytes, part: imagePartOf(bytes), inner: innerPartsOf(bytes) };
  } catch (error) {
    if (!(error instanceof ImageError)) {
      throw error;
    }
    findings.refuse('settings-not-changed', { files: [file.name], wanted: error.message });
    return file;
  }
}

interface EspChangesContext {
  readonly board: EspPlanBoard | null;
  /** Stretches of the files that are written. */
  readonly pieces: readonly Piece[];
  readonly eraseAll: boolean;
  /** Ranges that are read before everything is erased, and written back. */
  readonly restore: readonly NamedRange[];
  /** Names of the changes whose contents on the board differ from those that they were made from. */
  readonly outdated: readonly string[];
}

function checkEspChanges(changes: readonly BoardChange[], context: EspChangesContext, findings: EspFindings): void {
  const { board, pieces, eraseAll, restore, outdated } = context;
  const isKept = ({ offset, length }: BoardChange['range']) =>
    restore.some((kept) => offset >= kept.offset && offset + length <= endOf(kept));
  checkChanges(
    changes,
    {
      end: board?.info.flash?.size ?? null,
      pieces: pieces.map(({ file, offset, bytes: { length } }) => ({ file, offset, length })),
      outdated,
      isErased: (range) => eraseAll && !isKept(range),
      checkOwn: (change) => board !== null && checkAbility(change, board, findings),
    },
    findings,
  );
}

function checkAbility({ name, erases }: BoardChange, { info, canErase, canHash }: EspPlanBoard, findings: EspFindings) {
  const { flashEncryption, secureDownload } = info.security;
  if (secureDownload) {
    findings.refuse('change-secure-download', { files: [name] });
  } else if (canHash === false) {
    findings.refuse('change-not-verifiable', { files: [name] });
  } else if (erases.length > 0 && canErase === false) {
    findings.refuse('change-cannot-erase', { files: [name] });
  }
  if (flashEncryption === true) {
    findings.refuse('change-encrypted', { files: [name] });
  }
}
