import { avrFirmware } from '@wirebench/devices';
import { describe, expect, it } from 'vitest';
import { endOf } from '../../core/ranges.ts';
import { buildElf, buildIntelHex } from '../../images/testing/formats.ts';
import { noise } from '../../testing/program.ts';
import { readAvrFile } from '../file/read-avr-file.ts';
import { megaInfo, unoInfo } from '../testing/boards.ts';
import type { AvrPlanBoard, AvrPlanFile } from './avr-plan-types.ts';
import { planAvr } from './plan-avr.ts';

const uno: AvrPlanBoard = { info: unoInfo, isDemo: false, baudRate: 115_200 };
const mega: AvrPlanBoard = { info: megaInfo, isDemo: false, baudRate: 115_200 };
const sketch = avrFirmware({ size: 1_000 });

const fileOf = (name: string, bytes: Uint8Array): AvrPlanFile => ({ ...readAvrFile(bytes, name), name });
const hex = (name: string, address: number, bytes: Uint8Array) => fileOf(name, buildIntelHex([{ address, bytes }]));
const blink = hex('Blink.ino.hex', 0, sketch);
const codesOf = (files: readonly AvrPlanFile[], board: AvrPlanBoard | null = uno) =>
  planAvr({ files, board }).refusals.map(({ code }) => code);
const warningsOf = (files: readonly AvrPlanFile[], board: AvrPlanBoard | null = uno) =>
  planAvr({ files, board }).warnings.map(({ code }) => code);

describe('a plan for an AVR', () => {
  it('lists the written pages, the data kept in them, and the bootloader', () => {
    const plan = planAvr({ files: [blink], board: uno });
    expect(plan.refusals).toEqual([]);
    expect(plan.pages).toHaveLength(8);
    expect(plan.restore).toMatchObject([{ offset: 1_000, length: 24 }]);
    expect(plan.eeprom).toEqual([]);
    expect(plan.bytes).toBe(1_000);
    expect(plan.time).toBeGreaterThan(200);
    expect(plan.time).toBeLessThan(600);
    expect(plan.map.map(({ offset, fate, name }) => [offset, fate, name])).toEqual([
      [0, 'written', null],
      [1_000, 'restored', null],
      [1_024, 'kept', null],
      [0x7e00, 'kept', 'bootloader'],
    ]);
    expect(plan.map.at(-1)).toMatchObject({ length: 512 });
  });

  it('covers the whole flash without gaps', () => {
    for (const [board, eraseAll] of [
      [uno, false],
      [mega, true],
    ] as const) {
      const files = [hex('a.hex', 0, sketch), hex('b.hex', 0x3_003, noise(500))];
      const { map } = planAvr({ files, board, eraseAll });
      let at = 0;
      for (const area of map) {
        expect(area.offset).toBe(at);
        at = endOf(area);
      }
      expect(at).toBe(board.info.flashSize);
    }
  });

  it('writes all pages from the first one on where the bootloader erases in order', () => {
    const plan = planAvr({ files: [hex('late.hex', 0x1_000, noise(100))], board: mega });
    expect(plan.pages).toHaveLength(17);
    expect(plan.restore[0]).toMatchObject({ offset: 0, length: 0x1_000 });
  });

  it('writes EEPROM that a file or a second file contains', () => {
    const plan = planAvr({ files: [blink, hex('Blink.ino.eep', 8, noise(16))], board: mega });
    expect(plan.refusals).toEqual([]);
    expect(plan.eeprom).toMatchObject([{ offset: 8, file: 'Blink.ino.eep' }]);
    expect(plan.time).toBeGreaterThan(planAvr({ files: [blink], board: mega }).time);
  });

  it('takes a file without a board', () => {
    expect(codesOf([blink], null)).toEqual([]);
    expect(codesOf([hex('huge.hex', 0x3_ff00, noise(0x200))], null)).toEqual(['does-not-fit']);
  });
});

describe('refusals of a plan for an AVR', () => {
  it.each([
    ['nothing-to-write', []],
    ['nothing-to-write', [fileOf('Blink.ino.eep', new TextEncoder().encode(':00000001FF\n'))]],
    ['overlap', [blink, hex('other.hex', 500, noise(20))]],
    ['with-bootloader', [hex('Blink.ino.with_bootloader.hex', 0, sketch)]],
    ['reaches-bootloader', [hex('boot.hex', 0x7d00, noise(0x101))]],
    ['does-not-fit', [hex('mega.hex', 0x7000, noise(0x1_001))]],
    ['other-processor', [fileOf('main.elf', buildElf([{ address: 0, bytes: sketch }], { machine: 40 }))]],
    ['not-firmware', [fileOf('page.bin', new TextEncoder().encode('<!doctype html><html><body></body></html>'))]],
    ['eeprom-unsupported', [blink, hex('Blink.ino.eep', 0, noise(4))]],
    ['outside-flash', [fileOf('arm.hex', buildIntelHex([{ address: 0x2000_0000, bytes: noise(8) }]))]],
  ] as const)('include %s', (code, files) => {
    const { refusals } = planAvr({ files, board: uno });
    expect(refusals.map((refusal) => refusal.code)).toEqual([code]);
    expect(refusals[0]?.what).not.toMatch(/undefined|""/);
    expect(refusals[0]?.remedy).not.toBe('');
  });

  it('include data beyond the end of EEPROM', () => {
    expect(codesOf([hex('big.eep', 4_090, noise(8))], mega)).toEqual(['eeprom-too-large']);
  });

  it('include another part than that of the release', () => {
    const guard = { model: 'atmega2560', isDemo: false } as const;
    const plan = planAvr({ files: [blink], board: uno, guard });
    expect(plan.refusals).toMatchObject([
      { code: 'guard-model', what: 'This firmware is meant for ATmega2560. This board has ATmega328P.' },
    ]);
    expect(planAvr({ files: [blink], board: uno, guard, overrides: ['guard-model'] }).refusals).toEqual([]);
  });

  it('include a part with unknown flash', () => {
    const info = { ...unoInfo, part: 'AVR (0x1E9999)', flashSize: 0, pageSize: 0, bootloaderRange: null };
    expect(codesOf([blink], { ...uno, info })).toEqual(['unknown-part']);
    const found = (signature: string) =>
      planAvr({ files: [blink], board: { ...uno, info: { ...info, signature } } }).refusals[0]?.what;
    expect(found('0x1E9706')).toBe('This board has ATmega1284 (0x1E9706). Its flash layout is unknown here.');
    expect(found('0x1E9999')).toBe(
      'This board has an AVR with the signature 0x1E9999 (not in the published list of 2026-08-20). Its flash layout is unknown here.',
    );
  });

  it('include demo firmware on a real board', () => {
    const demo = hex('demo.hex', 0, avrFirmware({ demoOnly: true }));
    expect(codesOf([demo])).toEqual(['demo-firmware']);
    expect(codesOf([demo], { ...uno, isDemo: true })).toEqual([]);
  });
});

describe('warnings of a plan for an AVR', () => {
  it('include a program in the boot section of a Nano with optiboot', () => {
    const sketchOf = (size: number) => hex('large.hex', 0, avrFirmware({ size }));
    expect(warningsOf([sketchOf(30_720)])).toEqual([]);
    const plan = planAvr({ files: [sketchOf(30_722)], board: uno });
    expect(plan.warnings.map(({ code }) => code)).toEqual(['boot-section-unknown']);
    expect(plan.warnings[0]?.what).toContain('on an Uno at 0x7E00, on a Nano with the same bootloader at 0x7800');
    expect(plan.refusals).toEqual([]);
    expect(warningsOf([sketchOf(30_722)], mega)).toEqual([]);
  });

  it('include a program that does not begin with a jump', () => {
    expect(warningsOf([hex('data.hex', 0, Uint8Array.of(1, 2, 3, 4))], mega)).toEqual(['no-vector-table']);
    expect(warningsOf([hex('small.hex', 0, Uint8Array.of(0x33, 0xc0, 0, 0))], mega)).toEqual([]);
  });

  it('include fuses and other memories, which are left out', () => {
    const parts = [0x82_0000, 0x80_0100].map((address) => ({ address, bytes: noise(3) }));
    const file = fileOf('all.hex', buildIntelHex([{ address: 0, bytes: sketch }, ...parts]));
    expect(warningsOf([file], mega)).toEqual(['fuses-left-out', 'part-left-out']);
  });

  it('include an EEPROM file without data', () => {
    expect(warningsOf([blink, fileOf('Blink.ino.eep', new TextEncoder().encode(':00000001FF\n'))], mega)).toEqual([
      'eeprom-empty',
    ]);
  });

  it('include flash that the bootloader of the Mega does not erase', () => {
    expect(warningsOf([hex('large.hex', 0x3_bfff, noise(2))], mega)).toEqual(['not-erased']);
    expect(warningsOf([hex('large.hex', 0x3_bffe, noise(2))], mega)).toEqual([]);
  });

  it('include everything that an erase removes', () => {
    const { warnings, map } = planAvr({ files: [blink], board: mega, eraseAll: true });
    expect(warnings.map(({ code }) => code)).toEqual(['rest-is-erased']);
    expect(map.map(({ fate }) => fate)).toEqual(['written', 'erased', 'kept']);
  });
});
