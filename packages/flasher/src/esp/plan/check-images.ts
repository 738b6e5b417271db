/** Checks each file alone and against the chip: intact, built for this chip and revision, not for demo devices. */

import { addressText } from '../../core/bytes.ts';
import { isDemoFirmware } from '../../images/demo-mark.ts';
import { ImageError, type ImageFault, imageFaultText } from '../../images/image-error.ts';
import { type ChipName, chipFacts, chipIdText } from '../chips/chip-facts.ts';
import { espImageMagic, findImageFaults, readEspImage } from '../images/esp-image.ts';
import { chipOfPart, type ImagePart } from '../images/image-part.ts';
import { isApp, partitionType } from '../images/partition-types.ts';
import type { EspFindings } from './esp-plan-finding.ts';
import type { EspGuard, EspPlanBoard } from './esp-plan-types.ts';
import type { KnownFile } from './known-file.ts';
import type { PlacedPart } from './placed-part.ts';
import { programsIn } from './planned-programs.ts';
import { revisionText, unmetRevision } from './revision-range.ts';

export async function checkImages(
  files: readonly KnownFile[],
  board: EspPlanBoard | null,
  guard: EspGuard,
  findings: EspFindings,
): Promise<void> {
  for (const file of files) {
    checkDamage(file, await findDamage(file.part, file.bytes), findings);
  }
  if (board === null) {
    checkAgreement(files, findings);
    return;
  }
  for (const file of files) {
    checkChip(file, board, findings);
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
  /** Partition of the damaged app in a merged image; null if the whole file is concerned. */
  readonly app: string | null;
}

/** @param bytes The bytes from which `part` was recognised. */
export async function findDamage(part: ImagePart, bytes: Uint8Array): Promise<Damage[]> {
  const inFile = (fault: ImageFault): Damage => ({ what: imageFaultText[fault].what, app: null });
  if (part.kind === 'broken') {
    return [inFile(part.fault)];
  }
  if (part.kind === 'app' || part.kind === 'bootloader') {
    const image = part.kind === 'bootloader' ? bytes.subarray(part.position) : bytes;
    return (await findImageFaults(image, part.image)).map(inFile);
  }
  if (part.kind !== 'merged') {
    return [];
  }
  const damage: Damage[] = [];
  for (const inner of part.parts) {
    const isOneOfApps = inner.partition !== null && isApp(inner.partition);
    // A project's own data may begin with the same byte as an image.
    const isData = inner.partition !== null && inner.partition.type === partitionType.data;
    const [first] = isData ? [] : await faultsAt(bytes.subarray(inner.offset - part.offset));
    if (first !== undefined) {
      damage.push({ what: `${inner.name}: ${imageFaultText[first].what}`, app: isOneOfApps ? inner.name : null });
    }
  }
  return damage;
}

/**
 * Refuses damaged files. A damaged app in a merged image is only a warning, because another app of the image may
 * start.
 */
export function checkDamage({ name, offset }: PlacedPart, damage: readonly Damage[], findings: EspFindings): void {
  for (const { what, app } of damage) {
    if (app === null) {
      findings.refuse('image-damaged', { files: [name], wanted: what });
    } else {
      findings.warn('app-inside-damaged', { files: [name], partitions: [app], at: addressText(offset) });
    }
  }
}

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

export function checkAgreement(files: readonly PlacedPart[], findings: EspFindings): void {
  const known = files.flatMap(({ name, part }) => {
    const chip = chipOfPart(part);
    return chip === null ? [] : [{ name, chip }];
  });
  const chips = [...new Set(known.map(({ chip }) => chip))];
  if (chips.length > 1) {
    const wanted = chips.map((chip) => chipFacts[chip].label).join(', ');
    findings.refuse('chips-differ', { files: known.map(({ name }) => name), wanted });
  }
}

function checkChip(file: KnownFile, { info, bootRules }: EspPlanBoard, findings: EspFindings): void {
  const { name, part } = file;
  const wanted = targetOf(part);
  if (wanted === null) {
    return;
  }
  if (wanted.chip !== info.chip) {
    findings.refuse('wrong-chip', { files: [name], wanted: wanted.label, found: chipFacts[info.chip].label });
    return;
  }
  const { revision } = info;
  const options = { ignoresMaximum: bootRules?.ignoresMaximumRevision === true };
  const unmet =
    revision === null
      ? []
      : programsIn(file).flatMap(({ image }) => unmetRevision(image, info.chip, revision, options) ?? []);
  const [range] = unmet;
  if (range !== undefined && revision !== null) {
    const found = revisionText(100 * revision.major + revision.minor);
    findings.refuse('wrong-revision', { files: [name], wanted: range, found });
  }
}

function targetOf(part: ImagePart): { chip: ChipName | null; label: string } | null {
  const chip = chipOfPart(part);
  if (chip !== null) {
    return { chip, label: chipFacts[chip].label };
  }
  return part.kind === 'app' || part.kind === 'bootloader'
    ? { chip: null, label: chipIdText(part.image.chipId) }
    : null;
}
