/**
 * Checks the files of a release by the rules of the flash plans, before a board is connected. Files that a plan would
 * refuse on every board must not be published. Sentences come from the plans, unless they speak of a board.
 */
import { type FamilyId, modelName } from '@wirebench/boards';
import type { AvrRefusal, AvrWarning } from '../avr/plan/avr-plan-finding.ts';
import { addressText, hexNumber } from '../core/bytes.ts';
import { quoted } from '../core/findings.ts';
import type { FailureText } from '../core/flash-failure.ts';
import { checkOverlaps } from '../core/memory-plan.ts';
import { type ChipName, chipFacts, chipNames } from '../esp/chips/chip-facts.ts';
import { checkAfter } from '../esp/plan/check-after.ts';
import { checkContents } from '../esp/plan/check-contents.ts';
import { checkAgreement, checkDamage, chipsIn } from '../esp/plan/check-images.ts';
import { checkPlaces } from '../esp/plan/check-layout.ts';
import { checkTable } from '../esp/plan/check-table.ts';
import { type EspRefusal, type EspWarning, espFindings } from '../esp/plan/esp-plan-finding.ts';
import { FlashAfter } from '../esp/plan/flash-after.ts';
import type { PlacedPart } from '../esp/plan/placed-part.ts';
import { isBlank, notFirmwareBy } from '../images/contents/not-firmware.ts';
import { flashStart as rpFlashStart } from '../rp/files/rp-firmware.ts';
import { type RpRefusal, type RpWarning, rpFindings } from '../rp/plan/rp-plan-finding.ts';
import { checkStmContents } from '../stm/plan/check-stm-contents.ts';
import { checkProgram, checkPlaces as checkStmPlaces, largestStmFlash } from '../stm/plan/check-stm-files.ts';
import { type StmRefusal, type StmWarning, stmFindings } from '../stm/plan/stm-plan-finding.ts';
import { checkAvr } from './check-avr.ts';
import type { ReleaseFileInfo } from './read-firmware.ts';

/** Target of a project, in the contract's names. */
export interface ReleaseDevice {
  readonly deviceFamily: FamilyId;
  /** For example `esp32s3`, `stm32f` or `uno`. */
  readonly deviceModel: string;
}

export interface CheckedTarget extends ReleaseDevice {
  /** True: the files are those of a build, and sentences speak of it. Default: of a version of the simple form. */
  readonly isBuild?: boolean;
}

/** A finding. `files` are the names of the files that it concerns. */
export interface ReleaseFinding extends FailureText {
  readonly code:
    | EspRefusal
    | EspWarning
    | StmRefusal
    | StmWarning
    | AvrRefusal
    | AvrWarning
    | RpRefusal
    | RpWarning
    | 'beyond-flash'
    | 'unreadable'
    | 'no-offset';
  readonly files: readonly string[];
}

export interface ReleaseCheck {
  /** Faults that prevent publishing. */
  readonly refusals: readonly ReleaseFinding[];
  /** Faults that prevent publishing until a person has confirmed them for each of the files by typing. */
  readonly damage: readonly ReleaseFinding[];
  /** Warnings that do not prevent publishing. */
  readonly warnings: readonly ReleaseFinding[];
}

/** Size of the largest flash that an image header can state, in bytes. */
const LARGEST_ESP_FLASH = 128 * 1_048_576;

/**
 * Faults in the contents of a file, which a person may confirm. `not-firmware` is one of them only if a plan lets a
 * person override it.
 */
const contentFaults: readonly ReleaseFinding['code'][] = ['image-damaged', 'not-an-image'];

/**
 * Chips that the simple form was made for. Its projects for them accept images for other chips, because there were no
 * projects for those. Builds and projects for other chips accept images for their own chip only.
 */
const projectChips: readonly ChipName[] = ['esp32', 'esp32s2', 'esp32s3', 'esp32c6', 'esp32c3'];

/** Checks the files. Synchronous and quick, because the bytes were read before. */
export function checkRelease(files: readonly ReleaseFileInfo[], device: CheckedTarget): ReleaseCheck {
  const { refusals, warnings } = checks[device.deviceFamily](files, device);
  const isDamage = ({ code, overridable = false }: FoundRefusal) =>
    contentFaults.includes(code) || (code === 'not-firmware' && overridable);
  return { refusals: refusals.filter((one) => !isDamage(one)), damage: refusals.filter(isDamage), warnings };
}

/** The check of each family. The bootloaders of Nordic chips check what they are given. */
const checks: Readonly<Record<FamilyId, (files: readonly ReleaseFileInfo[], target: CheckedTarget) => Found>> = {
  esp: checkEsp,
  stm: checkStm,
  nrf: () => ({ refusals: [], warnings: [] }),
  avr: checkAvrFiles,
  rp: checkRp,
};

type FoundRefusal = ReleaseFinding & { readonly overridable?: boolean };

interface Found {
  readonly refusals: readonly FoundRefusal[];
  readonly warnings: readonly ReleaseFinding[];
}

function checkEsp(files: readonly ReleaseFileInfo[], target: CheckedTarget): Found {
  const model = target.deviceModel;
  const findings = espFindings();
  const placed = files.map(
    ({ name, offset, size, reading }): PlacedPart => ({
      name,
      offset,
      size,
      part: reading?.part ?? { kind: 'unknown' },
      inner: reading?.inner ?? [],
      contents: reading?.contents ?? null,
    }),
  );
  checkPlaces(placed, null, findings);
  const own = chipNames.find((name) => name === model) ?? null;
  const after = new FlashAfter({ files: placed, board: null, chip: own });
  for (const [index, file] of placed.entries()) {
    checkDamage(file, files[index]?.reading?.damage ?? [], after, findings);
  }
  checkAgreement(placed, after, findings);
  if (after.inPlace !== null) {
    checkTable(after.inPlace, null, findings);
  }
  const unread = placed.filter((_, index) => files[index]?.reading === null);
  const read = placed.filter((file) => !unread.includes(file));
  const left = checkContents(read, { after, isEncrypted: false }, findings);
  checkAfter(after, [...left, ...unread], findings);
  const beyond = placed
    .filter(({ offset, size }) => offset + size > LARGEST_ESP_FLASH)
    .map((file) => beyondFlash(file, 'No flash of an Espressif chip', LARGEST_ESP_FLASH));
  return {
    refusals: [...findings.refusals, ...beyond, ...otherChip(placed, after, target)],
    warnings: findings.warnings,
  };
}

/**
 * Returns a finding for files that were built for another chip than the target. Files for several chips have been
 * refused before.
 */
function otherChip(
  files: readonly PlacedPart[],
  after: FlashAfter,
  { deviceModel, isBuild = false }: CheckedTarget,
): ReleaseFinding[] {
  const own = chipNames.find((name) => name === deviceModel);
  const chips = new Set(files.flatMap((file) => chipsIn(file, after)));
  const [chip] = chips;
  if (own === undefined || chip === undefined || chips.size > 1 || chip === own) {
    return [];
  }
  if (!isBuild && projectChips.includes(own) && !projectChips.includes(chip)) {
    return [];
  }
  const names = files.filter((file) => chipsIn(file, after).includes(chip)).map(({ name }) => name);
  const [wanted, found] = [chipFacts[own].label, chipFacts[chip].label];
  return [
    {
      code: 'wrong-chip',
      files: names,
      what: `${quoted(names)} ${names.length === 1 ? 'was' : 'were'} built for ${found}, but this ${isBuild ? 'build' : 'project'} is for ${wanted}.`,
      remedy: isBuild
        ? `Choose the files of the ${wanted} build, or make a build for ${found}.`
        : `Choose the files of the ${wanted} build, or add this version to a project for ${found}.`,
    },
  ];
}

function checkStm(files: readonly ReleaseFileInfo[]): Found {
  const findings = stmFindings();
  for (const { name, offset, size, reading } of files) {
    if (size > 0 && reading !== null && checkStmContents({ name, offset, contents: reading.contents }, findings)) {
      continue;
    }
    if (size === 0 || reading !== null) {
      const ranges = size === 0 ? [] : [{ offset, length: size }];
      checkProgram({ name, ranges, vectors: reading?.vectors ?? null }, findings);
    }
  }
  const stretches = files
    .filter(({ size }) => size > 0)
    .map(({ name, offset, size }) => ({ file: name, offset, length: size }))
    .toSorted((one, other) => one.offset - other.offset);
  checkOverlaps(stretches, findings);
  checkStmPlaces(stretches, [largestStmFlash], findings);
  const end = largestStmFlash.offset + largestStmFlash.length;
  // Replaces the plan's sentences for these two codes, because they speak of a board.
  const refusals = findings.refusals.map((refusal): FoundRefusal => {
    const file = files.find(({ name }) => name === refusal.files[0]);
    if (file === undefined || (refusal.code !== 'does-not-fit' && refusal.code !== 'outside-flash')) {
      return refusal;
    }
    return refusal.code === 'does-not-fit'
      ? beyondFlash(file, 'No flash of an STM32', end)
      : outsideFlash(file, 'STM32', largestStmFlash.offset);
  });
  return { refusals, warnings: findings.warnings };
}

function checkAvrFiles(files: readonly ReleaseFileInfo[], { deviceModel }: CheckedTarget): Found {
  const { findings, beyond } = checkAvr(files, deviceModel);
  const tooLong = beyond.map(({ file, end, chip }) => beyondFlash(file, `No sketch for an ${chip}`, end));
  return { refusals: [...findings.refusals, ...tooLong], warnings: findings.warnings };
}

/** Flash that the chips address, in bytes (RP2040 datasheet 2.6.3, RP2350 datasheet 4.4). */
const rpFlashSizes: Readonly<Record<string, number>> = { rp2040: 0x100_0000, rp2350: 0x200_0000 };

function checkRp(files: readonly ReleaseFileInfo[], { deviceModel }: CheckedTarget): Found {
  const findings = rpFindings();
  const length = rpFlashSizes[deviceModel] ?? 0x200_0000;
  const own = { offset: rpFlashStart, length };
  const stretches = files
    .map(({ name, offset, size }) => ({ file: name, offset, length: size }))
    .toSorted((one, other) => one.offset - other.offset);
  checkOverlaps(stretches, findings);
  for (const { name, offset, reading } of files) {
    const contents = reading?.contents ?? null;
    const not = isBlank(contents) ? null : notFirmwareBy(contents, 'rp');
    if (not !== null) {
      findings.refuse('not-firmware', { files: [name], wanted: not.name, found: not.remedy }, offset === own.offset);
    }
  }
  const placed: ReleaseFinding[] = files.flatMap((file) =>
    file.offset < own.offset || file.offset >= own.offset + length
      ? [outsideFlash(file, modelName(deviceModel), own.offset)]
      : file.offset + file.size > own.offset + length
        ? [beyondFlash(file, `No flash of an ${modelName(deviceModel)}`, own.offset + length)]
        : [],
  );
  return { refusals: [...findings.refusals, ...placed], warnings: findings.warnings };
}

function outsideFlash(
  { name, offset }: Pick<ReleaseFileInfo, 'name' | 'offset'>,
  chip: string,
  begin: number,
): ReleaseFinding {
  const start = hexNumber(begin, 8);
  return {
    code: 'outside-flash',
    files: [name],
    what: `"${name}" goes to ${addressText(offset)}, but the flash of an ${chip} begins at ${start}.`,
    remedy: 'Correct the offset.',
  };
}

function beyondFlash(
  { name, offset, size }: Pick<ReleaseFileInfo, 'name' | 'offset' | 'size'>,
  whose: string,
  end: number,
): ReleaseFinding {
  return {
    code: 'beyond-flash',
    files: [name],
    what: `"${name}" ends at ${addressText(offset + size)}. ${whose} goes beyond ${addressText(end)}.`,
    remedy: 'Correct the offset.',
  };
}
