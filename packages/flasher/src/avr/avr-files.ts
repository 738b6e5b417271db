/** Rules for the files of an AVR: sketches, and data for EEPROM, which has addresses from `EEPROM_START` on. */
import { baseName } from '../core/index.ts';
import type { LeftOut, OpenedFile } from '../given-files/given-files.ts';
import { memoryFiles } from '../given-files/memory-files.ts';
import { type AvrFile, type AvrPlanFile, avrPlanFile, EEPROM_START, readAvrFile } from './index.ts';

const withBootloaderText =
  'It contains a bootloader besides the sketch, which a bootloader cannot write. The file without “with_bootloader” in its name is the sketch.';
const debugText = 'It is the same sketch as the .hex file beside it.';

export const avrFiles = memoryFiles<AvrFile, AvrPlanFile>({
  family: 'avr',
  start: 0,
  ownExtensions: ['eep'],
  otherNameText: 'Only .hex, .eep, .elf, .bin and .srec files are written.',
  oneFormat: withoutTwins,
  read: (name, bytes) => readAvrFile(bytes, name),
  placesOf: ({ format, segments, eeprom }, address) => [
    ...segments.map((one) => ({ offset: one.address + (format === 'bin' ? address : 0), length: one.bytes.length })),
    ...eeprom.map((one) => ({ offset: EEPROM_START + one.address, length: one.bytes.length })),
  ],
  rangesOf: ({ contents, places }) =>
    contents.hasBootloader || contents.isEeprom ? [] : places.filter(({ offset }) => offset < EEPROM_START),
  refuse: ({ isEeprom, eeprom, hasBootloader }) =>
    // The Arduino tools write an .eep file for every sketch, and nearly all are empty.
    isEeprom && eeprom.length === 0 ? '' : hasBootloader ? withBootloaderText : null,
  describe: ({ contents }) => ({ what: whatIs(contents) }),
  planFile: ({ name, contents }, offset) => avrPlanFile(contents, name, offset),
});

const stemOf = (name: string): string => name.replace(/\.[^.]*$/, '');

/** Leaves out the ELF file of a sketch whose .hex file is there. Both would be written to the same addresses. */
function withoutTwins(opened: readonly OpenedFile[], leftOut: LeftOut[]): readonly OpenedFile[] {
  const hexes = new Set(opened.filter(({ name }) => /\.hex$/i.test(name)).map(({ name }) => stemOf(name)));
  const isTwin = ({ name }: OpenedFile) => /\.elf$/i.test(name) && hexes.has(stemOf(name));
  leftOut.push(...opened.filter(isTwin).map(({ name }) => ({ name: baseName(name), why: debugText })));
  return opened.filter((file) => !isTwin(file));
}

/** Describes a file: `Intel HEX, sketch`, `Intel HEX, EEPROM data`, `ELF, sketch and EEPROM data`. */
function whatIs({ formatName, segments, eeprom }: AvrFile): string {
  const parts = [...(segments.length > 0 ? ['sketch'] : []), ...(eeprom.length > 0 ? ['EEPROM data'] : [])];
  return `${formatName}, ${parts.join(' and ')}`;
}
