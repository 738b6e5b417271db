/** Checks each file alone and against the chip: intact, built for this chip and revision, not for demo devices. */

import { addressText } from '../../core/bytes.ts';
import { sectorSize } from '../../core/region.ts';
import { isDemoFirmware } from '../../images/demo-mark.ts';
import { ImageError, type ImageFault, imageFaultText } from '../../images/image-error.ts';
import { type ChipName, chipFacts, chipIdText } from '../chips/chip-facts.ts';
import { espImageMagic, findImageFaults, hasImageHeader, readEspImage } from '../images/esp-image.ts';
import type { InnerPart } from '../images/inner-parts.ts';
import type { Partition } from '../images/partition-table.ts';
import { isApp } from '../images/partition-types.ts';
import type { EspFindings } from './esp-plan-finding.ts';
import type { EspGuard, EspPlanBoard } from './esp-plan-types.ts';
import { type FlashAfter, isOnePart, isProgram } from './flash-after.ts';
import type { KnownFile } from './known-file.ts';
import type { PlacedPart } from './placed-part.ts';
import { type PlannedProgram, programPartsIn, programsIn } from './planned-programs.ts';
import { revisionText, unmetRevision } from './revision-range.ts';

/** @param after The flash after the write of these files. */
export async function checkImages(
  files: readonly KnownFile[],
  {
    board,
    guard,
    after,
  }: { readonly board: EspPlanBoard | null; readonly guard: EspGuard; readonly after: FlashAfter },
  findings: EspFindings,
): Promise<void> {
  for (const file of files) {
    checkDamage(file, await findDamage(file), after, findings);
  }
  if (board === null) {
    checkAgreement(files, after, findings);
    return;
  }
  for (const file of files) {
    checkChip(file, board, after, findings);
  }
  const demo = board.isDemo ? [] : files.filter(({ bytes }) => guard.isDemo || isDemoFirmware(bytes));
  if (demo.length > 0) {
    findings.refuse('demo-firmware', { files: demo.map(({ name }) => name) });
  }
}

/** A fault in the contents of a file. Plain values, which can be posted to a worker. */
export interface Damage {
  /** One sentence. */
  readonly what: string;
  /** Position of the damaged image in a file of several parts; null if the whole file is concerned. */
  readonly at: number | null;
}

/** @param file A file with the parts that were recognised in its bytes. */
export async function findDamage(file: Pick<KnownFile, 'part' | 'inner' | 'bytes'>): Promise<Damage[]> {
  const { part, inner, bytes } = file;
  const inFile = (fault: ImageFault): Damage => ({ what: imageFaultText[fault].what, at: null });
  if (part.kind === 'broken') {
    return [inFile(part.fault)];
  }
  if (isOnePart(file)) {
    const isImage = part.kind === 'app' || part.kind === 'bootloader';
    const image = part.kind === 'bootloader' ? bytes.subarray(part.position) : bytes;
    return isImage ? (await findImageFaults(image, part.image)).map(inFile) : [];
  }
  const damage: Damage[] = [];
  for (const at of inner.flatMap(imagesIn)) {
    const [first] = await faultsAt(bytes.subarray(at));
    if (first !== undefined) {
      damage.push({ what: imageFaultText[first].what, at });
    }
  }
  return damage;

  /** Returns positions of images: a program, or sectors of other data that begin like one that cannot be read. */
  function imagesIn({ at, size, part: own }: InnerPart): number[] {
    if (isProgram({ part: own })) {
      return [at];
    }
    const count = own.kind === 'unknown' ? Math.ceil(size / sectorSize) : 0;
    return Array.from({ length: count }, (_, index) => at + index * sectorSize).filter((position) =>
      hasImageHeader(bytes.subarray(position)),
    );
  }
}

/**
 * Refuses damaged files. In a file of several parts the place of the image decides: data may begin like an image, other
 * places have remains of earlier builds, and a damaged app is only a warning if another one is written whole.
 */
export function checkDamage(
  { name, offset }: PlacedPart,
  damage: readonly Damage[],
  after: FlashAfter,
  findings: EspFindings,
): void {
  const damaged = damage.flatMap(({ at }) => (at === null ? [] : [offset + at]));
  const isWhole = (one: Partition) => after.startOf(one) === 'program' && !damaged.includes(one.offset);
  for (const { what, at } of damage) {
    const place = at === null ? null : after.partitionAt(offset + at);
    const isSlot = place !== null && isApp(place) && place.offset === offset + (at ?? 0);
    if (at === null) {
      findings.refuse('image-damaged', { files: [name], wanted: what });
    } else if (isSlot && after.partitions.some((one) => isApp(one) && isWhole(one))) {
      findings.warn('app-inside-damaged', { files: [name], partitions: [place.name], at: addressText(offset) });
    } else if (isSlot || isStartedByRom(offset + at, after)) {
      findings.refuse('image-damaged', { files: [name], wanted: `${isSlot ? place.name : 'bootloader'}: ${what}` });
    }
  }
}

const isStartedByRom = (offset: number, { chip }: FlashAfter): boolean =>
  chip !== null && chipFacts[chip].bootloaderOffset === offset;

/** Returns the faults of an image; empty for bytes that do not begin like one. */
async function faultsAt(bytes: Uint8Array): Promise<ImageFault[]> {
  if (bytes[0] !== espImageMagic) {
    return [];
  }
  try {
    return await findImageFaults(bytes, readEspImage(bytes));
  } catch (error) {
    if (error instanceof ImageError) {
      return [error.code];
    }
    throw error;
  }
}

export function checkAgreement(files: readonly PlacedPart[], after: FlashAfter, findings: EspFindings): void {
  const known = files.flatMap((file) => chipsIn(file, after).map((chip) => ({ name: file.name, chip })));
  const chips = [...new Set(known.map(({ chip }) => chip))];
  if (chips.length > 1) {
    const wanted = chips.map((chip) => chipFacts[chip].label).join(', ');
    findings.refuse('chips-differ', { files: [...new Set(known.map(({ name }) => name))], wanted });
  }
}

/** Returns the chips that the programs of a file were built for; none for unknown ones. */
export function chipsIn(file: PlacedPart, after: FlashAfter): readonly ChipName[] {
  return [...new Set(programPartsIn(file, after).flatMap(({ part }) => part.image.chip ?? []))];
}

function checkChip(file: KnownFile, { info, bootRules }: EspPlanBoard, after: FlashAfter, findings: EspFindings): void {
  const programs = programsIn(file, after);
  const about = ({ role }: PlannedProgram) => ({
    files: [file.name],
    ...(!isOnePart(file) && programs.length > 1 && { inside: role }),
  });
  const foreign = programs.filter(({ image }) => image.chip !== info.chip);
  const [first] = foreign;
  if (first !== undefined) {
    const { chip, chipId } = first.image;
    const wanted = chip === null ? chipIdText(chipId) : chipFacts[chip].label;
    const detail = foreign.length === programs.length ? { files: [file.name] } : about(first);
    findings.refuse('wrong-chip', { ...detail, wanted, found: chipFacts[info.chip].label });
    return;
  }
  const { revision } = info;
  const options = { ignoresMaximum: bootRules?.ignoresMaximumRevision === true };
  if (revision === null) {
    return;
  }
  for (const program of programs) {
    const wanted = unmetRevision(program.image, info.chip, revision, options);
    if (wanted !== null) {
      const found = revisionText(100 * revision.major + revision.minor);
      findings.refuse('wrong-revision', { ...about(program), wanted, found });
      return;
    }
  }
}
