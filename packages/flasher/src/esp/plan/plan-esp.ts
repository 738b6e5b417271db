/**
 * Plans a write before anything is erased: regions, kept ranges, refusals with reasons. It uses files and facts about
 * the board only; the writer carries the plan out.
 */

import type { BoardChange } from '../../core/board-change.ts';
import { sizeText } from '../../core/bytes.ts';
import type { NamedRange } from '../../core/flash-plan.ts';
import { endOf, overlapOf, without } from '../../core/ranges.ts';
import { type FlashRange, sectorSize, splitIntoRegions, usualRegionSize } from '../../core/region.ts';
import { contentsOf } from '../../images/contents/contents.ts';
import { ImageError } from '../../images/image-error.ts';
import { type ChipName, chipFacts } from '../chips/chip-facts.ts';
import { espImageMagic } from '../images/esp-image.ts';
import { flashSizes, keepFlashSettings, withFlashSettings } from '../images/flash-settings.ts';
import { chipOfPart, imagePartOf } from '../images/image-part.ts';
import { innerPartsOf } from '../images/inner-parts.ts';
import { hasBootloaderDigest } from '../images/merged-image.ts';
import { otaSlotToStart } from '../images/ota-data.ts';
import { type Partition, tableSectorSize } from '../images/partition-table.ts';
import { isApp, isOtaData, otaSlotOf, subtypeName } from '../images/partition-types.ts';
import { checkAfter } from './check-after.ts';
import { checkChanges } from './check-changes.ts';
import { checkContents } from './check-contents.ts';
import { checkImages } from './check-images.ts';
import { checkPlaces } from './check-layout.ts';
import { checkStart } from './check-start.ts';
import { checkMovedData, checkTable } from './check-table.ts';
import { EspFindings } from './esp-plan-finding.ts';
import {
  anyEsp,
  type EspEraseChoice,
  type EspGuard,
  type EspPlan,
  type EspPlanBoard,
  type EspPlanInput,
  type EspPlanSettings,
} from './esp-plan-types.ts';
import { boardTable, FlashAfter, type TableInPlace } from './flash-after.ts';
import { namedRange, type Piece, piecesOf, storedSettings } from './kept-settings.ts';
import type { KnownFile } from './known-file.ts';
import { memoryMap } from './memory-map.ts';
import { rangeOf, rangeOfPartition } from './placed-part.ts';

/**
 * Decides which bytes of a plan the chip encrypts: the bootloader, the partition table, apps, OTA data, keys of NVS, and
 * partitions with the flag `encrypted` (ESP-IDF, "Flash Encryption", section "Encrypted Partitions"). Everything else is
 * plain on an encrypted board too.
 */

interface EncryptablePiece extends Piece {
  readonly encrypted?: true;
}

const encryptedParts: readonly string[] = ['app', 'bootloader', 'partition-table', 'ota-data'];

/** @param inPlace Partition table after the write; null if unknown. Then only the kind of a file decides. */
function encryptPieces(
  pieces: readonly Piece[],
  files: readonly KnownFile[],
  inPlace: TableInPlace | null,
): EncryptablePiece[] {
  return pieces.flatMap((piece): EncryptablePiece[] => {
    const part = files.find(({ name }) => name === piece.file)?.part;
    if (part === undefined || part.kind === 'unknown') {
      // Unknown data may have been encrypted already.
      return [piece];
    }
    if (part.kind !== 'merged' && encryptedParts.includes(part.kind)) {
      return [{ ...piece, encrypted: true }];
    }
    const ranges = encryptedRanges(inPlace);
    const whole: FlashRange = { offset: piece.offset, length: piece.bytes.length };
    const inside = ranges.flatMap((range) => overlapOf(whole, range) ?? []);
    const cut = (range: FlashRange) => ({
      ...piece,
      offset: range.offset,
      bytes: piece.bytes.subarray(range.offset - piece.offset, endOf(range) - piece.offset),
    });
    return [
      ...inside.map((range): EncryptablePiece => ({ ...cut(range), encrypted: true })),
      ...without(whole, inside).map(cut),
    ].sort((one, other) => one.offset - other.offset);
  });
}

function encryptedRanges(inPlace: TableInPlace | null): FlashRange[] {
  if (inPlace === null) {
    return [];
  }
  const head = { offset: 0, length: inPlace.offset + tableSectorSize };
  return [head, ...inPlace.table.partitions.filter(isEncrypted).map(rangeOfPartition)];
}

function isEncrypted(partition: Partition): boolean {
  return partition.encrypted || isApp(partition) || isOtaData(partition) || subtypeName(partition) === 'nvs_keys';
}

/**
 * Applies chosen flash settings to the program that the ROM starts. Only this program's header matters. Headers of apps are left unchanged, as in esptool (`cmds.py`,
 * `_update_image_flash_params`).
 */

/** Returns the offset of the first program's header in the file; null if the file does not contain it. */
function headerAt({ offset, bytes, part }: KnownFile, chip: ChipName): number | null {
  const at = chipFacts[chip].bootloaderOffset - offset;
  const mayHoldIt = at === 0 || (at > 0 && (part.kind === 'merged' || part.kind === 'bootloader'));
  return mayHoldIt && bytes[at] === espImageMagic ? at : null;
}

/** Returns the files with changed headers. A change that is impossible is refused, and the file stays unchanged. */
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

/**
 * Determines the app that starts after the write. With OTA slots, OTA data select one of them. A new app in another
 * slot is written correctly but never runs.
 */

interface StartingAppContext {
  readonly files: readonly KnownFile[];
  readonly changes: readonly BoardChange[];
  readonly inPlace: TableInPlace | null;
  readonly board: EspPlanBoard | null;
  readonly erase: EspEraseChoice;
}

/** Returns the OTA data to erase so that the new app starts. Null if it starts anyway, or if erasing does not help. */
function otaDataToErase(
  { files, changes, inPlace, board, erase }: StartingAppContext,
  findings: EspFindings,
): NamedRange | null {
  const partitions = inPlace?.table.partitions ?? [];
  const otaPartition = partitions.find(isOtaData);
  const otaData = board?.otaData ?? null;
  const isIn = (ranges: readonly FlashRange[], partition: Partition) =>
    ranges.some((range) => overlapOf(range, rangeOfPartition(partition)) !== null);
  const isWritten = (partition: Partition) => isIn(files.map(rangeOf), partition);
  if (otaPartition === undefined || otaData === null || isWritten(otaPartition) || erase === 'all') {
    return null;
  }
  // A planned change of the OTA data is the choice of a person. Changes of apps select nothing.
  const changed = changes.map(({ range }) => range);
  if (isIn(changed, otaPartition)) {
    return null;
  }
  // Another table has its OTA data elsewhere, and the contents of that place are unknown.
  const before = board === null || typeof board.table === 'string' ? [] : board.table.partitions;
  if (before.find(isOtaData)?.offset !== otaPartition.offset) {
    return null;
  }
  const slots = partitions.filter((partition) => otaSlotOf(partition) !== null);
  const started =
    slots.length === 0 ? undefined : slots.find((slot) => otaSlotOf(slot) === otaSlotToStart(otaData, slots.length));
  const written = partitions.filter((partition) => isApp(partition) && isWritten(partition));
  if (started === undefined || written.length === 0 || written.includes(started)) {
    return null;
  }
  // Without OTA data the factory app starts, otherwise the first slot (`bootloader_utility.c`).
  const byDefault = partitions.find((partition) => isApp(partition) && partition.subtype === 0) ?? lowestSlot(slots);
  if (erase === 'needed' && byDefault !== undefined && written.includes(byDefault)) {
    return namedRange(otaPartition);
  }
  findings.warn('other-app-starts', { found: started.name, partitions: written.map(({ name }) => name) });
  return null;
}

function lowestSlot(slots: readonly Partition[]): Partition | undefined {
  return [...slots].sort((one, other) => one.subtype - other.subtype)[0];
}

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
    inner: innerPartsOf(file.bytes),
    contents: contentsOf(file.bytes),
  }));
  if (known.length === 0 && changes.length === 0) {
    findings.refuse('nothing-to-write');
  }

  checkPlaces(known, flashSize, findings);
  const isEncrypting = encrypt && board?.bootRules?.encryptsDownloads === true;
  await checkImages(known, board, { guard, isEncrypting }, findings);
  if (board !== null) {
    checkGuard(guard, board, findings);
    checkBoard(board, findings);
  }

  const files = await applySettings(known, settings, flashSize, findings);
  const eraseAll = choice === 'all';
  const after = new FlashAfter({ files, changes, board, chip: board?.info.chip ?? null, eraseAll });
  const { inPlace } = after;
  if (inPlace !== null) {
    checkTable(inPlace, board, findings);
    checkMovedData(inPlace, board, findings);
  }
  const isEncrypted = board?.info.security.flashEncryption === true;
  checkAfter(after, checkContents(files, { after, isEncrypted }, findings), findings);
  const start = board === null ? null : await checkStart(files, board, isEncrypting, findings);

  const stored = settingsOf(board, inPlace);
  const kept = keepNvs ? stored : [];
  const plain = files.flatMap((file) => piecesOf(file, kept, findings));
  const pieces = isEncrypting ? encryptPieces(plain, files, inPlace) : plain;
  const otaData = otaDataToErase({ files, changes, inPlace, board, erase: choice }, findings);
  const restore = eraseAll ? kept : [];
  checkChanges(changes, { board, pieces, eraseAll, restore, outdated }, findings);
  checkErasing(findings, { board, eraseAll, erase: otaData, kept });
  if (keepNvs && board?.table === 'none' && board.isBlank === false && files.length > 0) {
    findings.warn('settings-not-found');
  }
  if (!keepNvs) {
    warnOfLostSettings(stored, { eraseAll, pieces }, findings);
  }

  const erase = otaData === null ? [] : [otaData];
  const map = memoryMap({ chip: after.chip, flashSize, inPlace, pieces, changes, eraseAll, erase, restore });
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
