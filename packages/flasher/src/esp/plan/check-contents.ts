/**
 * Checks that each file may be firmware where its place needs it. Files that are certainly not firmware are refused.
 * Unrecognised data in the place of a program or a table gets a warning.
 */
import { addressText } from '../../core/bytes.ts';
import { isBlank, notFirmwareBy } from '../../images/contents/not-firmware.ts';
import { chipFacts } from '../chips/chip-facts.ts';
import { type FlashPlace, flashPlaceAt, isProgramPlace } from '../images/flash-places.ts';
import type { EspFindings } from './esp-plan-finding.ts';
import { type FlashAfter, isProgram as isProgramPart } from './flash-after.ts';
import type { PlacedPart } from './placed-part.ts';

export interface ContentsContext {
  readonly after: FlashAfter;
  /** True: the board's flash is encrypted. Unknown data may be firmware then, and another refusal covers it. */
  readonly isEncrypted: boolean;
}

/** Returns the files whose place says nothing: refused ones, and those that may be encrypted. */
export function checkContents(
  files: readonly PlacedPart[],
  context: ContentsContext,
  findings: EspFindings,
): readonly PlacedPart[] {
  const left = files.filter((file) => {
    const isRefused = file.size === 0 || checkFirmware(file, placeOf(file, context.after), context, findings);
    return isRefused || (context.isEncrypted && file.part.kind === 'unknown');
  });
  for (const file of files.filter((one) => !left.includes(one))) {
    checkBelonging(file, context.after, findings);
  }
  return left;
}

function placeOf({ offset }: PlacedPart, { chip, inPlace, tableOffset }: FlashAfter): FlashPlace {
  return flashPlaceAt(offset, { chip, table: inPlace?.table ?? null, tableOffset });
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
  const not = isUnknown ? notFirmwareBy(contents, 'esp') : null;
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

/** Warns of data where the ROM, or the bootloader of an unknown build, looks for something else. */
function checkBelonging(file: PlacedPart, after: FlashAfter, findings: EspFindings): void {
  const { name, offset, size, part } = file;
  const { chip, inPlace, tableOffset } = after;
  const covers = (address: number) => offset <= address && address < offset + size;
  const isProgram =
    part.kind === 'app' || part.kind === 'bootloader' || part.kind === 'merged' || file.inner.some(isProgramPart);
  if (chip !== null && covers(chipFacts[chip].bootloaderOffset) && !isProgram) {
    const at = addressText(chipFacts[chip].bootloaderOffset);
    findings.warn('not-a-bootloader', { files: [name], at, found: chipFacts[chip].label });
  }
  // With a known table, `check-after.ts` compares the file with it.
  if (inPlace !== null) {
    return;
  }
  if (after.hasPartitions && covers(tableOffset) && part.kind !== 'partition-table' && !isProgram) {
    findings.warn('not-a-table', { files: [name], at: addressText(tableOffset) });
  }
  if (placeOf(file, after).use === 'app' && !isProgram) {
    findings.warn('not-an-app', { files: [name], at: addressText(offset) });
  }
}
