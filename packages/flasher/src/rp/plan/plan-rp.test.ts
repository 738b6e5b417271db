/** Plans for RP2040 and RP2350: what is written, what stays, and what is said before Write. */
import { randomBytes } from '@wirebench/test-input';
import { describe, expect, it } from 'vitest';
import { buildUf2Blocks, uf2Blocks } from '../../images/testing/formats.ts';
import { flashStart } from '../files/index.ts';
import { rpFirmware } from '../testing/simulated-rp.ts';
import { placementOf } from './placed-programs.ts';
import { rpPlanFile } from './plan-file.ts';
import { planRp } from './plan-rp.ts';
import type { RpPlanBoard, RpPlanFile } from './rp-plan-types.ts';

const MIB = 1_048_576;
const RP2040 = 0xe48b_ff56;
const RP2350_ARM = 0xe48b_ff59;
const RP2350_RISCV = 0xe48b_ff5a;
const ABSOLUTE = 0xe48b_ff57;
const DATA = 0xe48b_ff58;
const RP2350_ARM_NS = 0xe48b_ff5b;
const CYW43 = 0xe48b_ff55;

const board = (info: Partial<RpPlanBoard['info']> = {}, isDemo = false): RpPlanBoard => ({
  info: { link: 'usb', chip: 'RP2040', flashSize: 2 * MIB, cpu: 'arm', users: [], ...info },
  isDemo,
});

const uf2 = (...programs: readonly (readonly [family: number, bytes: Uint8Array])[]): RpPlanFile =>
  rpPlanFile(
    'app.uf2',
    buildUf2Blocks(programs.flatMap(([family, bytes]) => uf2Blocks({ address: flashStart, bytes }, { family }))),
    flashStart,
  );

const bin = (length: number, offset = 0): RpPlanFile => rpPlanFile('app.bin', randomBytes(length), flashStart + offset);

/** A table with one partition, which takes a family, and room beside it for another. */
function partitionsFor(family: number, beside?: number) {
  const permissions = { secure: 'rw', nonSecure: 'rw', bootloader: 'rw' } as const;
  const partition = {
    index: 0,
    name: 'firmware',
    hasName: true,
    offset: 0x2000,
    size: 65_536,
    id: null,
    slot: { kind: 'a' },
    owner: null,
    permissions,
    hasSamePermissions: true,
    families: [family],
    bootable: ['arm'],
  } as const;
  return {
    unpartitioned: { permissions, families: beside === undefined ? [] : [beside] },
    partitions: [partition],
  };
}

const codes = (findings: readonly { readonly code: string }[]) => findings.map(({ code }) => code);

describe('a plan', () => {
  it('maps what is written, and what shares a sector with it', () => {
    const { refusals, map, restore, sectors, bytes } = planRp({ files: [bin(5_000, 256)], board: board() });
    expect(refusals).toEqual([]);
    expect([bytes, sectors.length]).toEqual([5_000, 2]);
    expect(restore.map(({ offset, length }) => [offset - flashStart, length])).toEqual([
      [0, 256],
      [5_256, 8_192 - 5_256],
    ]);
    expect(map.map(({ fate, length }) => [fate, length])).toEqual([
      ['restored', 256],
      ['written', 5_000],
      ['restored', 8_192 - 5_256],
      ['kept', 2 * MIB - 8_192],
    ]);
  });

  it('refuses what does not fit, what overlaps, nothing at all, and programs for the other chip', () => {
    expect(codes(planRp({ files: [bin(MIB + 256)], board: board({ flashSize: MIB }) }).refusals)).toEqual([
      'does-not-fit',
    ]);
    expect(codes(planRp({ files: [bin(300), bin(300, 256)], board: board() }).refusals)).toEqual(['overlap']);
    expect(codes(planRp({ files: [], board: board() }).refusals)).toEqual(['nothing-to-write']);
    const other = planRp({ files: [uf2([RP2350_ARM, randomBytes(256)])], board: board() });
    expect(other.refusals).toMatchObject([{ code: 'other-chip', overridable: false }]);
  });

  it('changes files beside a program that goes into a partition, wherever the program says that it keeps its own', () => {
    const offset = MIB;
    const change = {
      name: 'files',
      range: { offset: flashStart + offset, length: 8_192 },
      basis: '',
      erases: [],
      writes: [{ offset: flashStart + offset, bytes: new Uint8Array(4_096) }],
    };
    const storage = { name: 'files', offset: offset + 65_536, size: 65_536, kind: 'littlefs', system: 'micropython' };
    const users = [{ ...storage, offset, size: 8_192 }] as RpPlanBoard['info']['users'];
    const file = { ...uf2([RP2350_ARM, randomBytes(256)]), storages: [storage] } as RpPlanFile;
    const refusalsOf = (info: Partial<RpPlanBoard['info']>) =>
      codes(planRp({ files: [file], changes: [change], board: board({ chip: 'RP2350', users, ...info }) }).refusals);
    expect(refusalsOf({})).toEqual(['change-displaced']);
    expect(refusalsOf({ partitions: partitionsFor(RP2350_ARM) })).toEqual([]);
  });

  it('knows where a program keeps its files unless a partition takes it', () => {
    const storage = { name: 'files', offset: 0x12_c000, size: 0xd_4000 };
    const users = [{ ...storage, name: 'the files of MicroPython', offset: 0xa_0000 }];
    const info = { chip: 'RP2350', users, partitions: partitionsFor(RP2350_ARM, ABSOLUTE) } as const;
    const warningsOf = (file: RpPlanFile) =>
      codes(planRp({ files: [{ ...file, storages: [storage] }], board: board(info) }).warnings);
    expect(warningsOf(uf2([RP2350_ARM, randomBytes(256)]))).toEqual(['into-partition']);
    expect(warningsOf(uf2([ABSOLUTE, randomBytes(256)]))).toContain('moves-files');
    expect(warningsOf(bin(256))).toContain('moves-files');
  });

  it('takes without a partition table only the families that the boot ROM takes', () => {
    // RP2350 datasheet 5.5.3: absolute, data, rp2350-arm-s and rp2350-riscv go to the whole flash of a board without a table.
    const refusalsOf = (family: number, info: Partial<RpPlanBoard['info']>, eraseAll = false) =>
      codes(
        planRp({
          files: [uf2([family, randomBytes(256)])],
          board: board({ chip: 'RP2350', ...info }),
          eraseAll,
        }).refusals,
      );
    for (const family of [CYW43, RP2350_ARM_NS]) {
      const taken = partitionsFor(family);
      expect(refusalsOf(family, { partitions: 'none' })).toEqual(['not-accepted']);
      expect(refusalsOf(family, { partitions: taken })).toEqual([]);
      expect(refusalsOf(family, { partitions: taken }, true)).toEqual(['not-accepted']);
      // A table that was not read decides nothing.
      expect(refusalsOf(family, { partitions: null })).toEqual([]);
      expect(refusalsOf(family, { link: 'drive' })).toEqual([]);
    }
    for (const family of [ABSOLUTE, DATA, RP2350_ARM, RP2350_RISCV]) {
      expect(refusalsOf(family, { partitions: 'none' })).toEqual([]);
    }
    const [refusal] = planRp({
      files: [uf2([CYW43, randomBytes(256)])],
      board: board({ chip: 'RP2350', partitions: 'none' }),
    }).refusals;
    expect(refusal?.what).toBe(
      '"app.uf2" is of the family cyw43-firmware, which goes into a partition. This board has no partition table.',
    );
  });

  it('takes the place of files from the program for the board, of a file for several chips', () => {
    const place = { name: 'MicroPython', address: flashStart + 0x10_0000, size: 0x10_0000 };
    const image = (chip: 'rp2040' | 'rp2350', address: number) =>
      rpFirmware({ text: chip, size: 20_000, chip, drive: { ...place, address: flashStart + address } });
    const file = uf2([RP2040, image('rp2040', 0x10_0000)], [RP2350_ARM, image('rp2350', 0x18_0000)]);
    const placeOn = (info: Partial<RpPlanBoard['info']>) =>
      placementOf([file], board(info).info, false).storage?.offset;
    expect(placeOn({})).toBe(0x10_0000);
    expect(placeOn({ chip: 'RP2350' })).toBe(0x18_0000);
  });

  it('takes the program for the chip and the processor of the board, and lists the others', () => {
    const [one, two, three] = [randomBytes(256), randomBytes(512), randomBytes(768)];
    const file = uf2([RP2040, one], [RP2350_ARM, two], [RP2350_RISCV, three]);
    const lengthFor = (info: Partial<RpPlanBoard['info']>) => {
      const plan = planRp({ files: [file], board: board(info) });
      expect(plan.refusals).toEqual([]);
      expect(codes(plan.warnings)).toEqual(['part-left-out', 'part-left-out']);
      return plan.bytes;
    };
    expect(lengthFor({})).toBe(256);
    expect(lengthFor({ chip: 'RP2350' })).toBe(512);
    expect(lengthFor({ chip: 'RP2350', cpu: 'riscv' })).toBe(768);
  });

  it('refuses a release for another model and one for more flash, unless a person insists', () => {
    const guard = { model: 'rp2350', flashSize: 4 * MIB, isDemo: false };
    const plan = planRp({ files: [bin(256)], board: board(), guard });
    expect(plan.refusals.map(({ code, overridable }) => [code, overridable])).toEqual([
      ['guard-model', true],
      ['guard-flash', true],
    ]);
    const overrides = ['guard-model', 'guard-flash'] as const;
    expect(planRp({ files: [bin(256)], board: board(), guard, overrides }).refusals).toEqual([]);
    const demo = planRp({
      files: [bin(256)],
      board: board(),
      guard: { ...guard, model: null, flashSize: null, isDemo: true },
    });
    expect(codes(demo.refusals)).toEqual(['demo-firmware']);
  });

  it('says that the size of an empty flash is measured later', () => {
    const plan = planRp({ files: [bin(256)], board: board({ flashSize: null }) });
    expect(codes(plan.warnings)).toEqual(['flash-size-not-known']);
  });
});

describe('file systems in flash', () => {
  const users = [{ name: 'the files of MicroPython (LittleFS)', offset: 0xa_0000, size: 0x16_0000 }];

  it('are named when the write goes over them, and when everything is erased', () => {
    const over = planRp({ files: [bin(0xb_0000)], board: board({ users }) });
    expect(over.warnings).toMatchObject([
      {
        code: 'touches-files',
        what: expect.stringContaining('the files of MicroPython'),
        remedy: expect.stringContaining('Save the files first'),
      },
    ]);
    expect(codes(planRp({ files: [bin(256)], board: board({ users }), eraseAll: true }).warnings)).toEqual([
      'erases-files',
      'rest-is-erased',
    ]);
    expect(planRp({ files: [bin(0x9_0000)], board: board({ users }) }).warnings).toEqual([]);
  });

  it('are named if the new program keeps them behind the end of the flash, with and without files on the board', () => {
    // MicroPython for 4 MB: the files begin at 1 MiB and reach to the end.
    const storage = { name: 'files', offset: MIB, size: 3 * MIB, system: 'micropython' } as const;
    const planFor = (info: Partial<RpPlanBoard['info']>) =>
      planRp({ files: [{ ...bin(256), storages: [storage] }], board: board(info) });
    expect(planFor({}).warnings).toEqual([
      expect.objectContaining({
        code: 'files-behind-flash',
        what: 'The new program keeps its files up to 0x10400000, but the flash ends at 0x10200000.',
      }),
    ]);
    expect(codes(planFor({ users }).warnings)).toContain('files-behind-flash');
    expect(planFor({ flashSize: 4 * MIB }).warnings).toEqual([]);
    expect(planFor({ flashSize: null }).warnings).toEqual([
      expect.objectContaining({
        code: 'flash-size-not-known',
        remedy: expect.stringContaining('The new program and its files need 4 MB'),
      }),
    ]);
    // CircuitPython takes what there is.
    const circuit = { ...storage, size: MIB / 2, system: 'circuitpython' } as const;
    expect(planRp({ files: [{ ...bin(256), storages: [circuit] }], board: board() }).warnings).toEqual([]);
  });

  it('are warned of if the new program looks for them elsewhere, or has less room', () => {
    const storage = { name: 'files', offset: 0x12_c000, size: 0xd_4000 };
    const plan = planRp({ files: [{ ...bin(256), storages: [storage] }], board: board({ users }) });
    expect(codes(plan.warnings)).toEqual(['moves-files', 'smaller-files']);
    expect(plan.warnings[1]?.what).toBe('The new program has less room for files: 848 KB instead of 1.4 MB.');
    const same = planRp({ files: [{ ...bin(256), storages: [users[0] ?? null] }], board: board({ users }) });
    expect(same.warnings).toEqual([]);
  });
});
