/** Checks the files of a release for an AVR by the rules of the flash plan, as far as they need no board. */

import { chipOf } from '@wirebench/boards';
import { type AvrPart, avrParts } from '../avr/parts/part-table.ts';
import { type AvrFindings, avrFindings } from '../avr/plan/avr-plan-finding.ts';
import { addressText } from '../core/bytes.ts';
import { checkOverlaps } from '../core/memory-plan.ts';
import { isBlank, notFirmwareBy } from '../images/contents/not-firmware.ts';
import { isWithBootloader } from '../images/sketch-name.ts';
import type { ReleaseFileInfo } from './read-firmware.ts';

/** Address of the first byte of EEPROM in a file (avr-libc, "Memory Sections"). Flash is below. */
export const AVR_EEPROM_START = 0x81_0000;

/** A file that ends beyond the room for a sketch. */
export interface BeyondRoom {
  readonly file: ReleaseFileInfo;
  /** First address behind the room. */
  readonly end: number;
  /** Chip in its vendor's spelling. */
  readonly chip: string;
}

export function checkAvr(
  files: readonly ReleaseFileInfo[],
  deviceModel: string,
): { readonly findings: AvrFindings; readonly beyond: readonly BeyondRoom[] } {
  const findings = avrFindings();
  const part = partOf(deviceModel);
  for (const { name, offset, size, reading } of files) {
    const contents = reading?.contents ?? null;
    const not = isBlank(contents) ? null : notFirmwareBy(contents, 'avr');
    if (isWithBootloader(name)) {
      findings.refuse('with-bootloader', { files: [name] });
    }
    if (size === 0) {
      findings.refuse('file-empty', { files: [name] });
    } else if (not !== null && offset < AVR_EEPROM_START) {
      findings.refuse('not-firmware', { files: [name], wanted: not.name, found: not.remedy }, offset === 0);
    }
  }
  const stretches = files
    .filter(({ size }) => size > 0)
    .map(({ name, offset, size }) => ({ file: name, offset, length: size }))
    .toSorted((one, other) => one.offset - other.offset);
  checkOverlaps(stretches, findings);
  if (part === null) {
    return { findings, beyond: [] };
  }
  const end = roomOf(part);
  const beyond = files
    .filter(({ offset, size }) => offset < AVR_EEPROM_START && offset + size > end)
    .map((file) => ({ file, end, chip: part.name }));
  for (const { name, offset, size } of files.filter((file) => file.offset >= AVR_EEPROM_START)) {
    const last = offset + size - AVR_EEPROM_START;
    if (last > part.eepromSize) {
      const [wanted, found] = [addressText(last), addressText(part.eepromSize)];
      findings.refuse('eeprom-too-large', { files: [name], wanted, found });
    }
  }
  return { findings, beyond };
}

/** Returns the part of a model, of a series the one with the most flash; null for an unknown one. */
function partOf(deviceModel: string): AvrPart | null {
  const chip = chipOf(deviceModel);
  const parts = avrParts.filter(({ model }) => model.startsWith(chip));
  return parts.toSorted((one, other) => other.flashSize - one.flashSize)[0] ?? null;
}

/** Returns the end of the room for a sketch beside the smallest boot section. */
function roomOf({ flashSize, bootSizes }: AvrPart): number {
  return bootSizes.length === 0 ? flashSize : flashSize - Math.min(...bootSizes);
}
