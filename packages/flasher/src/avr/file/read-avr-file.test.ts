import { describe, expect, it } from 'vitest';
import { ImageError } from '../../images/image-error.ts';
import { buildElf, buildIntelHex } from '../../images/testing/formats.ts';
import { noise } from '../../testing/program.ts';
import { readAvrFile } from './read-avr-file.ts';

const AVR = 83;
const sketch = { address: 0, bytes: noise(300) };
const eeprom = { address: 0x81_0000, bytes: noise(20, 2) };
const fuses = { address: 0x82_0000, bytes: Uint8Array.of(0xff, 0xde, 0xfd) };
const lock = { address: 0x83_0000, bytes: Uint8Array.of(0xcf) };

describe('a file for an AVR', () => {
  it.each([
    ['an ELF file', 'Blink.ino.elf', buildElf([sketch, eeprom, fuses, lock], { machine: AVR })],
    ['an Intel HEX file', 'all.hex', buildIntelHex([sketch, eeprom, fuses, lock])],
  ] as const)('is split into flash, EEPROM and what is never written: %s', (_kind, name, bytes) => {
    expect(readAvrFile(bytes, name)).toMatchObject({
      segments: [sketch],
      eeprom: [{ address: 0, bytes: eeprom.bytes }],
      leftOut: [
        { memory: 'fuse', name: '3 bytes of fuses' },
        { memory: 'lock', name: '1 byte of lock bits' },
      ],
      isForAvr: true,
      isEeprom: false,
    });
  });

  it('is for EEPROM if its name ends in .eep', () => {
    const file = readAvrFile(buildIntelHex([{ address: 4, bytes: noise(8) }]), 'Blink.ino.eep');
    expect(file).toMatchObject({ segments: [], eeprom: [{ address: 4, bytes: noise(8) }], isEeprom: true });
  });

  it('may be the empty .eep of a build without data for EEPROM, but no empty program', () => {
    const empty = new TextEncoder().encode(':00000001FF\n');
    expect(readAvrFile(empty, 'Blink.ino.eep')).toMatchObject({ segments: [], eeprom: [], isEeprom: true });
    expect(() => readAvrFile(empty, 'Blink.ino.hex')).toThrow(ImageError);
  });

  it('without addresses begins at 0', () => {
    expect(readAvrFile(noise(40), 'Blink.ino.bin')).toMatchObject({ segments: [{ address: 0, bytes: noise(40) }] });
  });

  it.each(['Blink.ino.with_bootloader.hex', 'Blink.ino.with_bootloader.bin'])(
    'is known to hold a bootloader: %s',
    (name) => {
      const bytes = name.endsWith('.hex') ? buildIntelHex([sketch]) : sketch.bytes;
      expect(readAvrFile(bytes, name).hasBootloader).toBe(true);
      expect(readAvrFile(bytes, name.replace('.with_bootloader', '')).hasBootloader).toBe(false);
    },
  );

  it('is known to be for another processor', () => {
    expect(readAvrFile(buildElf([sketch], { machine: 40 }), 'main.elf').isForAvr).toBe(false);
  });

  it('is divided where one memory ends', () => {
    const bytes = noise(8);
    const { segments, leftOut } = readAvrFile(buildIntelHex([{ address: 0x7f_fffc, bytes }]), 'a.hex');
    expect(segments).toEqual([{ address: 0x7f_fffc, bytes: bytes.subarray(0, 4) }]);
    expect(leftOut).toEqual([{ memory: 'data', name: '4 bytes of data memory' }]);
    expect(readAvrFile(buildIntelHex([{ address: 0x2000_0000, bytes }]), 'a.hex').leftOut).toMatchObject([
      { memory: 'unknown' },
    ]);
  });
});
