import * as fc from 'fast-check';
import { gzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { asciiBytes } from '../../core/bytes.ts';
import type { FlashRange } from '../../core/region.ts';
import { buildApp } from '../../esp/testing/esp-images.ts';
import { flashStart, growing16, sectorsOf } from '../parts/flash-layout.ts';
import { planStm } from './plan-stm.ts';
import type { StmPlanBoard, StmPlanFile } from './stm-plan-types.ts';

const KIB = 1_024;

function board(changes: Partial<StmPlanBoard['info']> = {}, isDemo = false): StmPlanBoard {
  return {
    info: {
      link: 'uart',
      name: 'STM32F405/407/415/417',
      model: 'stm32f',
      flashSize: 512 * KIB,
      sectors: sectorsOf(growing16, 512 * KIB),
      protection: 'none',
      ...changes,
    },
    isDemo,
    baudRate: 115_200,
  };
}

/** Returns a program with a vector table whose reset handler is in it. */
function program(name: string, address: number = flashStart, length: number = KIB, linkedAt = address): StmPlanFile {
  const bytes = new Uint8Array(length).fill(0x42);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, 0x2000_5000, true);
  for (const at of [4, 8, 12]) {
    view.setUint32(at, linkedAt + 0x101, true);
  }
  return { name, segments: [{ address, bytes }] };
}

const codesOf = (plan: ReturnType<typeof planStm>) => plan.refusals.map(({ code }) => code);

describe('a plan for an STM32', () => {
  it('keeps bytes that share a sector with the program, and reports it', () => {
    const plan = planStm({ files: [program('app.bin', flashStart, 20 * KIB)], board: board() });
    expect(plan.refusals).toEqual([]);
    expect(plan.warnings).toEqual([]);
    expect(plan.sectors.map(({ length }) => length)).toEqual([16 * KIB, 16 * KIB]);
    expect(plan.restore).toEqual([{ offset: flashStart + 20 * KIB, length: 12 * KIB, name: 'sector at 0x08004000' }]);
    expect(plan.map).toEqual([
      { offset: flashStart, length: 20 * KIB, name: null, fate: 'written', file: 'app.bin' },
      { offset: flashStart + 20 * KIB, length: 12 * KIB, name: null, fate: 'restored', file: null },
      { offset: flashStart + 32 * KIB, length: 480 * KIB, name: null, fate: 'kept', file: null },
    ]);
    expect(plan.bytes).toBe(20 * KIB);
  });

  it.each([
    ['a web page', asciiBytes('<!DOCTYPE html><html></html>')],
    ['plain text', asciiBytes('Die Datei wurde nicht gefunden.\n')],
    ['a compressed file', gzipSync(new Uint8Array(2_000).fill(7))],
    ['an image for an Espressif chip', buildApp()],
    ['an S-record file', asciiBytes('S00600004844521B\nS9030000FC\n')],
  ])('refuses %s at the start of the part, and needs an override elsewhere', (_, bytes) => {
    const at = (address: number) => [{ name: 'app.bin', segments: [{ address, bytes }] }];
    const start = planStm({ files: at(flashStart), board: board(), overrides: ['not-firmware', 'not-an-image'] });
    expect(start.refusals).toMatchObject([{ code: 'not-firmware', overridable: false }]);
    const data = { files: at(flashStart + 64 * KIB), board: board() };
    expect(planStm(data).refusals).toMatchObject([{ code: 'not-firmware', overridable: true }]);
    expect(planStm({ ...data, overrides: ['not-firmware'] }).refusals).toEqual([]);
  });

  it('takes erased data, and a program with text behind it', () => {
    const blank = { address: flashStart + 64 * KIB, bytes: new Uint8Array(64).fill(0xff) };
    const text = { address: flashStart + 128 * KIB, bytes: asciiBytes('ssid=home\npassword=none\n') };
    const { name, segments } = program('app.hex');
    const files = [
      { name, segments: [...segments, text] },
      { name: 'blank.bin', segments: [blank] },
    ];
    expect(planStm({ files, board: board() }).refusals).toEqual([]);
  });

  it('erases the rest on request, and warns of it', () => {
    const plan = planStm({ files: [program('app.bin')], board: board(), eraseAll: true });
    expect(plan.restore).toEqual([]);
    expect(plan.map.map(({ fate }) => fate)).toEqual(['written', 'erased']);
    expect(plan.warnings.map(({ code }) => code)).toEqual(['rest-is-erased']);
  });

  it('maps the whole flash once for any regions', () => {
    const piece = fc.record({
      at: fc.integer({ min: 0, max: 400 * KIB }),
      length: fc.integer({ min: 16, max: 90 * KIB }),
    });
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 4 }), fc.boolean(), (pieces, eraseAll) => {
        const files = pieces.map(({ at, length }, index) => program(`${index}`, flashStart + at, length));
        const plan = planStm({ files, board: board(), eraseAll });
        fc.pre(!codesOf(plan).includes('overlap'));
        let end = flashStart;
        for (const area of plan.map) {
          expect(area.offset).toBe(end);
          end += area.length;
        }
        expect(end).toBe(flashStart + 512 * KIB);
        const lengthOf = (some: readonly FlashRange[]) => some.reduce((sum, { length }) => sum + length, 0);
        expect(lengthOf(plan.map.filter(({ fate }) => fate === 'written'))).toBe(plan.bytes);
        expect(lengthOf(plan.map.filter(({ fate }) => fate === 'restored'))).toBe(lengthOf(plan.restore));
      }),
      { numRuns: 50 },
    );
  });

  it('takes longer at a lower rate and for more', () => {
    const files = [program('app.bin', flashStart, 100 * KIB)];
    const at = (baudRate: number | null) => planStm({ files, board: { ...board(), baudRate } }).time;
    expect(at(9_600)).toBeGreaterThan(at(115_200));
    expect(at(115_200)).toBeGreaterThan(at(null));
    expect(at(115_200)).toBeGreaterThan(planStm({ files: [program('app.bin')], board: board() }).time);
  });

  it('covers the files alone without a board', () => {
    const plan = planStm({ files: [program('app.bin')], board: null });
    expect(plan.refusals).toEqual([]);
    expect(plan.map).toMatchObject([{ offset: flashStart, length: KIB, fate: 'written' }]);
  });

  it('mentions no board before one is connected', () => {
    const below = program('below.bin', 0x1000);
    const beyond = program('beyond.bin', flashStart + 2_047 * KIB, 4 * KIB);
    const { refusals } = planStm({ files: [below, beyond], board: null });
    expect(refusals.map(({ what }) => what)).toEqual([
      '"below.bin" contains data for 0x1000, which is outside the flash.',
      '"beyond.bin" ends at 0x08200C00, but the flash ends at 0x08200000.',
    ]);
  });
});

describe('refusals of a plan for an STM32', () => {
  const noProgram: StmPlanFile = { name: 'data.bin', segments: [{ address: flashStart, bytes: new Uint8Array(64) }] };

  it.each([
    ['no file', [], 'nothing-to-write'],
    ['a file without bytes', [{ name: 'empty.bin', segments: [] }], 'file-empty'],
    ['two files over each other', [program('a.bin'), program('b.bin', flashStart + 512)], 'overlap'],
    ['bytes for RAM', [program('ram.elf', 0x2000_0000)], 'outside-flash'],
    ['a program that is too large', [program('big.bin', flashStart, 513 * KIB)], 'does-not-fit'],
    ['a file that is no program', [noProgram], 'not-an-image'],
  ] as const)('include %s', (_name, files, code) => {
    expect(codesOf(planStm({ files, board: board() }))).toEqual([code]);
  });

  it.each([
    ['a protected part', { protection: 'read-protected' }, 'read-protected'],
    ['an unknown part', { sectors: [], flashSize: null }, 'unknown-part'],
  ] as const)('include %s', (_name, info, code) => {
    expect(codesOf(planStm({ files: [program('app.bin')], board: board(info) }))).toEqual([code]);
  });

  it('name an unknown part as far as ST’s product IDs are known', () => {
    const found = (productId: number) =>
      planStm({ files: [program('app.bin')], board: board({ productId, sectors: [], flashSize: null }) }).refusals[0]
        ?.what;
    expect(found(0x453)).toBe('This board has STM32C03x (0x453). Its flash layout is unknown here.');
    expect(found(0x999)).toBe(
      'This board has an STM32 with the product ID 0x999 (not in the published list of 2026-08-22). Its flash layout is unknown here.',
    );
  });

  it('include mismatches with the boards of a release', () => {
    const guard = { model: 'stm32l', flashSize: 1_024 * KIB, isDemo: true } as const;
    const plan = planStm({ files: [program('app.bin')], board: board(), guard });
    expect(codesOf(plan)).toEqual(['demo-firmware', 'guard-model', 'guard-flash']);
    expect(plan.refusals[1]?.what).toBe('This firmware is meant for STM32L. This board has STM32F405/407/415/417.');
  });

  it('can be overridden only if they are uncertain', () => {
    const overrides = ['not-an-image', 'read-protected'] as const;
    const plan = planStm({ files: [noProgram], board: board({ protection: 'read-protected' }), overrides });
    expect(codesOf(plan)).toEqual(['read-protected']);
    expect(plan.overridden.map(({ code }) => code)).toEqual(['not-an-image']);
  });
});

describe('warnings of a plan for an STM32', () => {
  it.each([
    [
      'a program that was built for another address',
      program('app.bin', flashStart, KIB, 0x0800_8000),
      'linked-elsewhere',
    ],
    [
      'data at another place',
      { name: 'x.bin', segments: [{ address: 0x0801_0000, bytes: new Uint8Array(64) }] },
      'no-vector-table',
    ],
  ] as const)('include %s', (_name, file, code) => {
    const plan = planStm({ files: [file], board: board() });
    expect(plan.refusals).toEqual([]);
    expect(plan.warnings.map((warning) => warning.code)).toEqual([code]);
  });

  it('include a flash whose size cannot be read', () => {
    const plan = planStm({ files: [program('app.bin')], board: board({ flashSize: null }) });
    expect(plan.warnings.map(({ code }) => code)).toEqual(['flash-size-not-known']);
  });
});
