/**
 * Checks that each file fits the use of its place in flash. Files that are certainly not firmware are refused.
 * Unrecognised data in the place of a program, a table or OTA data gets a warning.
 */
import { addressText } from '../../core/bytes.ts';
import { isBlank, notFirmwareBy } from '../../images/contents/not-firmware.ts';
import { type ChipName, chipFacts } from '../chips/chip-facts.ts';
import { type FlashPlace, flashPlaceAt, isProgramPlace } from '../images/flash-places.ts';
import { usualTableOffset } from '../images/partition-table.ts';
import type { TableInPlace } from './check-table.ts';
import type { EspFindings } from './esp-plan-finding.ts';
import type { PlacedPart } from './placed-part.ts';

export interface ContentsContext {
  readonly chip: ChipName | null;
  readonly inPlace: TableInPlace | null;
  /** Flash offset of the board's table; default 0x8000. */
  readonly tableOffset?: number | undefined;
  /** True: the board's flash is encrypted. Unknown data may be firmware then, and another refusal covers it. */
  readonly isEncrypted: boolean;
}

export function checkContents(files: readonly PlacedPart[], context: ContentsContext, findings: EspFindings): void {
  for (const file of files) {
    const place = flashPlaceAt(file.offset, layoutOf(context));
    const isRefused = file.size === 0 || checkFirmware(file, place, context, findings);
    if (!isRefused && !(context.isEncrypted && file.part.kind === 'unknown')) {
      checkBelonging(file, place, context, findings);
    }
  }
}

function layoutOf({ chip, inPlace, tableOffset }: ContentsContext) {
  return { chip, table: inPlace?.table ?? null, tableOffset: inPlace?.offset ?? tableOffset ?? usualTableOffset };
}

/** Returns true if the file was refused. Recognised images and data are not checked here. */
function checkFirmware(
  { name, part, contents }: PlacedPart,
  place: FlashPlace,
  { isEncrypted }: ContentsContext,
  findings: EspFindings,
): boolean {
  if (part.kind === 'broken') {
    return true;
  }
  const isUnknown = part.kind === 'unknown' || part.kind === 'empty';
  const not = isUnknown ? notFirmwareBy(contents, 'espressif') : null;
  const isProgram = isProgramPlace(place);
  if (not !== null && (isProgram || !isBlank(contents))) {
    const detail = { files: [name], wanted: not.name, found: not.remedy };
    findings.refuse('not-firmware', detail, isProgram && !isBlank(contents));
    return true;
  }
  const isOwnData = place.use === 'data';
  if (part.kind === 'unknown' && part.beginsLikeImage === true && !isEncrypted && !isOwnData) {
    findings.refuse('not-an-image', { files: [name] });
    return true;
  }
  return false;
}

function checkBelonging(
  { name, offset, size, part }: PlacedPart,
  place: FlashPlace,
  context: ContentsContext,
  findings: EspFindings,
): void {
  const { chip, inPlace } = context;
  const covers = (address: number) => offset <= address && address < offset + size;
  const isProgram = part.kind === 'app' || part.kind === 'bootloader' || part.kind === 'merged';
  if (chip !== null && covers(chipFacts[chip].bootloaderOffset) && !isProgram) {
    const at = addressText(chipFacts[chip].bootloaderOffset);
    findings.warn('not-a-bootloader', { files: [name], at, found: chipFacts[chip].label });
  }
  const { tableOffset } = layoutOf(context);
  const hasTables = chip === null || chipFacts[chip].hasPartitions;
  const isTable = part.kind === 'partition-table' || part.kind === 'merged';
  // If the table is known, writing over it has its own warning.
  if (inPlace === null && hasTables && covers(tableOffset) && !isTable && !isProgram) {
    findings.warn('not-a-table', { files: [name], at: addressText(tableOffset) });
  }
  const partitions = place.partition === null ? [] : [place.partition.name];
  if (place.use === 'app' && !isProgram) {
    findings.warn('not-an-app', { files: [name], at: addressText(offset), partitions });
  }
  if (place.use === 'ota-data' && part.kind !== 'ota-data' && part.kind !== 'empty' && !isProgram) {
    findings.warn('not-ota-data', { files: [name], partitions });
  }
}
