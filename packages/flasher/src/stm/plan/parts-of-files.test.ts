import { describe, expect, it } from 'vitest';
import { asciiBytes } from '../../core/bytes.ts';
import { readMemoryFile } from '../../images/formats/memory-file.ts';
import {
  buildDfuse,
  buildIntelHex,
  buildUf2,
  buildUf2Blocks,
  type Stretch,
  uf2Blocks,
  withDfuSuffix,
} from '../../images/testing/formats.ts';
import type { StmFamilyName } from '../parts/families.ts';
import { flashStart, growing16, pages, sectorsOf } from '../parts/flash-layout.ts';
import { stmChips } from '../parts/model.ts';
import { planStm } from './plan-stm.ts';
import type { StmPlanBoard, StmPlanFile } from './stm-plan-types.ts';

const KIB = 1_024;
const names = { F1: 'STM32F10x medium-density', F4: 'STM32F405/407/415/417' } as const;

function board(
  family: StmFamilyName | null,
  name = 'STM32F405/407/415/417',
  model: 'stm32f' | null = 'stm32f',
): StmPlanBoard {
  const sectors = family === 'F1' ? sectorsOf(pages(1), 128 * KIB) : sectorsOf(growing16, 512 * KIB);
  const info = { link: 'uart', name, family, model, flashSize: 512 * KIB, sectors, protection: 'none' } as const;
  return { info, isDemo: false, baudRate: 115_200 };
}

/** Returns a program with a vector table whose reset handler is in it. */
function program(address = flashStart): Stretch {
  const bytes = new Uint8Array(KIB).fill(0x42);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, 0x2000_5000, true);
  for (const at of [4, 8, 12]) {
    view.setUint32(at, address + 0x101, true);
  }
  return { address, bytes };
}

const fileOf = (bytes: Uint8Array, name = 'app.hex'): StmPlanFile => ({
  name,
  ...readMemoryFile(bytes, flashStart, { own: stmChips }),
});
const at = (address: number, length = 4): Stretch => ({ address, bytes: new Uint8Array(length).fill(0x5a) });

describe('a file with a program and a part outside flash', () => {
  const optionBytes = asciiBytes(':020000041FFFDC\n:04F8000000FF55AA06\n');
  const withOptions = Uint8Array.from([
    ...buildIntelHex([program()]).subarray(0, -12),
    ...optionBytes,
    ...asciiBytes(':00000001FF\n'),
  ]);

  it('has that part named with its function', () => {
    const { refusals } = planStm({ files: [fileOf(withOptions)], board: board('F1', names.F1) });
    expect(refusals).toEqual([
      {
        code: 'outside-flash',
        files: ['app.hex'],
        overridable: true,
        what: '"app.hex" contains 4 bytes for option bytes at 0x1FFFF800, which is outside the flash. Option bytes set read protection, watchdogs and where the part starts: a wrong value locks it.',
        remedy:
          'Only flash is written here. If you write anyway, this part is left out, and the rest of the file is written.',
      },
    ]);
  });

  it('has the rest written with an override', () => {
    const input = { files: [fileOf(withOptions)], board: board('F1', names.F1) };
    const plan = planStm({ ...input, overrides: ['outside-flash'] });
    expect(plan.refusals).toEqual([]);
    expect(plan.overridden.map(({ code }) => code)).toEqual(['outside-flash']);
    expect(plan.regions.map(({ offset, bytes }) => [offset, bytes.length])).toEqual([[flashStart, KIB]]);
    expect(plan.bytes).toBe(KIB);
    expect(plan.warnings).toEqual([]);
  });

  it.each<[string, StmFamilyName | null, number, string]>([
    ['RAM', 'F4', 0x2000_0000, 'for RAM at 0x20000000'],
    ['RAM of the core', 'F4', 0x1000_0000, 'for RAM at 0x10000000'],
    ['option bytes', 'F4', 0x1fff_c000, 'for option bytes at'],
    ['option bytes of the second bank', 'F4', 0x1ffe_c000, 'for option bytes at'],
    ['option bytes of other families', 'F4', 0x1fff_f800, 'for option bytes of STM32F0, F1, F3, L4 or G4 at'],
    [
      'option bytes or OTP, before it is known whose',
      null,
      0x1fff_7800,
      'or one-time programmable memory of STM32F2 or F4',
    ],
    ['one-time memory', 'F4', 0x1fff_7810, 'for one-time programmable memory at'],
    ['one-time memory of an L4', 'L4', 0x1fff_7000, 'for one-time programmable memory at'],
    ['the bootloader', 'F4', 0x1fff_0000, 'for the system memory'],
    ['option bytes of a G0', 'G0', 0x1fff_7800, 'for option bytes at'],
    ['option bytes of an L4+', 'L4', 0x1ff0_0000, 'for option bytes at'],
    ['option bytes of an F7', 'F7', 0x1fff_0000, 'for option bytes at'],
    ['option registers of an H7', 'H7', 0x5200_201c, 'for option bytes at'],
    ['tightly coupled RAM of an H7', 'H7', 0, 'for RAM at 0x0'],
    ['option bytes of an L1', 'L1', 0x1ff8_0000, 'for option bytes at'],
    ['EEPROM', 'L1', 0x0808_0000, 'for data EEPROM at'],
    ['a register', 'F4', 0x4002_3c00, 'for registers at'],
    ['flash behind QUADSPI', 'F4', 0x9000_0000, 'for external memory (FMC, QUADSPI or OCTOSPI) at'],
    ['SDRAM', 'F4', 0xc000_0000, 'for external memory (FMC, QUADSPI or OCTOSPI) at'],
  ])('has that part named: %s', (_what, family, address, text) => {
    const file = fileOf(buildIntelHex([program(), at(address)]));
    const [refusal, ...others] = planStm({ files: [file], board: board(family) }).refusals;
    expect(others).toEqual([]);
    expect(refusal).toMatchObject({ code: 'outside-flash', overridable: true });
    expect(refusal?.what).toContain(text);
  });

  it('has each kind reported once, with all its bytes', () => {
    const file = fileOf(buildIntelHex([program(), at(0x2000_0000), at(0x2000_1000, 8), at(0x1fff_c000)]));
    expect(planStm({ files: [file], board: board('F4') }).refusals.map(({ what }) => what.split(',')[0])).toEqual([
      '"app.hex" contains 4 bytes for option bytes at 0x1FFFC000',
      '"app.hex" contains 12 bytes for RAM at 0x20000000',
    ]);
  });

  it('is recognised by its program in flash, in any order of its parts', () => {
    const file = fileOf(buildIntelHex([at(0), program()]));
    const plan = planStm({ files: [file], board: board('H7'), overrides: ['outside-flash'] });
    expect([plan.refusals, plan.warnings]).toEqual([[], []]);
  });

  it('cannot be written if no part is for flash', () => {
    const file = fileOf(buildIntelHex([at(0x2000_0000), at(0x1fff_c000)]));
    const plan = planStm({ files: [file], board: board('F4'), overrides: ['outside-flash'] });
    expect(plan.refusals.map(({ code, overridable }) => [code, overridable])).toEqual([
      ['outside-flash', false],
      ['outside-flash', false],
    ]);
  });

  it('is still refused at an unused address, or beyond the flash', () => {
    for (const [address, code] of [
      [0x0700_0000, 'outside-flash'],
      [flashStart + 512 * KIB - 2, 'does-not-fit'],
    ] as const) {
      const file = fileOf(buildIntelHex([program(), at(address)]));
      const plan = planStm({ files: [file], board: board('F4'), overrides: ['outside-flash'] });
      expect(plan.refusals.map((refusal) => refusal.code)).toEqual([code]);
    }
  });
});

describe('a file with a target', () => {
  const one = program();

  it('has parts for other chips left out with a note', () => {
    const blocks = [
      ...uf2Blocks(one, { family: 0x57755a57 }),
      ...uf2Blocks(at(0x1000_0000, 256), { family: 0xe48bff56 }),
    ];
    const plan = planStm({ files: [fileOf(buildUf2Blocks(blocks), 'a.uf2')], board: board('F4') });
    expect(plan.refusals).toEqual([]);
    expect(plan.warnings.map(({ what }) => what)).toEqual([
      '"a.uf2" also holds 256 bytes for RP2040: this part is left out.',
    ]);
  });

  it('is refused for a board of another family, unless it is overridden', () => {
    const file = fileOf(buildUf2(one, 0x5ee21072), 'a.uf2');
    const plan = planStm({ files: [file], board: board('F4') });
    expect(plan.refusals).toMatchObject([{ code: 'other-family', overridable: true }]);
    expect(plan.refusals[0]?.what).toBe('"a.uf2" was built for STM32F1. This board has STM32F405/407/415/417.');
    expect(planStm({ files: [file], board: board('F4'), overrides: ['other-family'] }).refusals).toEqual([]);
    expect(planStm({ files: [file], board: null }).refusals).toEqual([]);
    // Over USB only the series is known, at most.
    expect(planStm({ files: [file], board: board(null) }).refusals).toEqual([]);
    expect(planStm({ files: [fileOf(buildUf2(one, 0x00ff6919), 'a.uf2')], board: board(null) }).refusals).toHaveLength(
      1,
    );
    expect(planStm({ files: [fileOf(buildUf2(one, 0x6d0922fa), 'a.uf2')], board: board('F4') }).refusals).toEqual([]);
  });

  it('causes a warning if its family is unknown', () => {
    const { warnings } = planStm({ files: [fileOf(buildUf2(one, 0x12345678), 'a.uf2')], board: board('F4') });
    expect(warnings.map(({ code }) => code)).toEqual(['family-not-known']);
  });

  it('is refused for another USB device than ST’s bootloader, unless it is overridden', () => {
    const dfuse = (vendor: number, product: number) =>
      fileOf(buildDfuse([{ elements: [one] }], { vendor, product }), 'a.dfu');
    const codes = (file: StmPlanFile) =>
      planStm({ files: [file], board: board('F4') }).refusals.map(({ code }) => code);
    expect(codes(dfuse(0x0483, 0xdf11))).toEqual([]);
    expect(codes(dfuse(0xffff, 0xffff))).toEqual([]);
    expect(codes(dfuse(0x0483, 0xffff))).toEqual([]);
    expect(codes(dfuse(0x1eaf, 0x0003))).toEqual(['other-device']);
    expect(codes(fileOf(withDfuSuffix(one.bytes, { vendor: 0x1d50 }), 'a.bin'))).toEqual(['other-device']);
    const plan = planStm({ files: [dfuse(0x1eaf, 3)], board: board('F4'), overrides: ['other-device'] });
    expect(plan.refusals).toEqual([]);
    expect(plan.overridden[0]?.what).toBe(
      '"a.dfu" is for the USB device 1EAF:0003. The bootloader of ST is 0483:DF11.',
    );
  });

  it('has the targets of other memories named, and the rest written with an override', () => {
    const file = fileOf(
      buildDfuse([{ elements: [one] }, { alternate: 3, name: 'External Flash', elements: [at(0, 100)] }]),
      'a.dfu',
    );
    expect(planStm({ files: [file], board: board('F4') }).refusals).toMatchObject([
      {
        code: 'outside-flash',
        what: expect.stringContaining('100 bytes for alternate setting 3 (External Flash), which'),
      },
    ]);
    const plan = planStm({ files: [file], board: board('F4'), overrides: ['outside-flash'] });
    expect([plan.refusals, plan.bytes]).toEqual([[], KIB]);
  });
});
