import { avrFirmware, avrFirmwareHex } from '@wirebench/devices';
import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import type { GivenFile } from '../given-files/chosen-files.ts';
import { FileSets } from '../given-files/given-files.ts';
import { avrFiles } from './avr-files.ts';
import { EEPROM_START } from './family-types.ts';

const given = (name: string, content: string | Uint8Array<ArrayBuffer>): GivenFile => ({
  name,
  content: new Blob([content]),
});
const sketch = avrFirmwareHex();
const noData = ':00000001FF\n';
const fourBytes = ':0400000001020304F2\n:00000001FF\n';

describe('files for an AVR', () => {
  it('are only the sketch for the folder of a build, with a reason for each skipped file', async () => {
    const { files, leftOut } = await new FileSets(avrFiles).add([
      given('build/arduino.avr.uno/Blink.ino.eep', noData),
      given('build/arduino.avr.uno/Blink.ino.elf', Uint8Array.of(0x7f, 0x45, 0x4c, 0x46)),
      given('build/arduino.avr.uno/Blink.ino.hex', sketch),
      given('build/arduino.avr.uno/Blink.ino.with_bootloader.hex', sketch),
      given('build/arduino.avr.uno/Blink.ino.map', 'x'),
    ]);
    expect(files.map(({ name, what, offset }) => [name, what, offset])).toEqual([
      ['Blink.ino.hex', 'Intel HEX, sketch', 0],
    ]);
    expect(leftOut.map(({ name }) => name).sort()).toEqual([
      'Blink.ino.elf',
      'Blink.ino.map',
      'Blink.ino.with_bootloader.hex',
    ]);
    expect(leftOut.find(({ name }) => name.includes('with_bootloader'))?.why).toMatch(
      /contains a bootloader besides the sketch/,
    );
  });

  it('with data for EEPROM are shown behind the flash, and are written to EEPROM', async () => {
    const kept = new FileSets(avrFiles);
    const { files } = await kept.add([given('Log.ino.hex', sketch), given('Log.ino.eep', fourBytes)]);
    expect(files.map(({ what }) => what)).toEqual(['Intel HEX, sketch', 'Intel HEX, EEPROM data']);
    expect(files[1]?.places).toEqual([{ offset: EEPROM_START, length: 4 }]);
    const places = files.map(({ id, offset }) => ({ id, offset: offset ?? 0 }));
    const [program, eeprom] = kept.of(undefined).forPlan(places);
    expect(program?.segments[0]?.address).toBe(0);
    expect(eeprom).toMatchObject({ segments: [], eeprom: [{ address: 0, bytes: Uint8Array.of(1, 2, 3, 4) }] });
  });

  it('from a backup say what is not checked, and go back to where they were read', async () => {
    const { files } = await new FileSets(avrFiles).add([
      given('atmega2560-2026-11-27-1431-sketch.hex', sketch),
      given('atmega2560-2026-11-27-1431-eeprom.eep', fourBytes),
      given('atmega2560-2026-11-27-1431-region-0x100.bin', Uint8Array.of(1, 2, 3, 4)),
    ]);
    const note = '. A backup that names no chip: not checked for this board';
    expect(new Map(files.map(({ name, what, offset }) => [name.slice(27), [what, offset]]))).toEqual(
      new Map([
        ['sketch.hex', [`Intel HEX, sketch${note}`, 0]],
        ['eeprom.eep', [`Intel HEX, EEPROM data${note}`, EEPROM_START]],
        ['region-0x100.bin', [`Raw binary, sketch${note}`, 0x100]],
      ]),
    );
  });

  it('without addresses begin at 0, or where they are put', async () => {
    const kept = new FileSets(avrFiles);
    const { files } = await kept.add([given('blink.bin', avrFirmware())]);
    expect(files).toMatchObject([{ what: 'Raw binary, sketch', offset: 0, places: null }]);
    const [file] = kept.of(undefined).forPlan([{ id: files[0]?.id ?? 0, offset: 0x400 }]);
    expect(file?.segments[0]?.address).toBe(0x400);
  });

  it('are no alternatives to each other if their names give different addresses', async () => {
    const { files, builds } = await new FileSets(avrFiles).add([
      given('build/first-0x0.bin', new Uint8Array(16)),
      given('build/second-0x4000.bin', new Uint8Array(16)),
    ]);
    expect(files.map(({ name, offset }) => [name, offset])).toEqual([
      ['first-0x0.bin', 0],
      ['second-0x4000.bin', 0x4000],
    ]);
    expect(builds).toBeUndefined();
  });

  it('are found in an archive, and a damaged line is named', async () => {
    const encode = (text: string) => new TextEncoder().encode(text);
    const archive = zipSync({ 'Blink/Blink.ino.hex': encode(sketch), 'Bad.hex': encode(':0100000000FE\n') });
    const { files, leftOut } = await new FileSets(avrFiles).add([given('build.zip', Uint8Array.from(archive))]);
    expect(files.map(({ name }) => name)).toEqual(['Blink.ino.hex']);
    expect(leftOut).toMatchObject([{ name: 'Bad.hex', why: expect.stringContaining('Line 1') }]);
  });
});
