/** Partition tables of simulated RP2350: what the boot ROM tells, where a file goes, and what starts. */
import { describe, expect, it } from 'vitest';
import type { PlanRequest } from '../family.ts';
import { buildUf2 } from '../images/testing/formats.ts';
import { createRpFamily } from './family.ts';
import { type RpTypes, rpSettings } from './family-types.ts';
import { partitionFields } from './files/info-sections.ts';
import { rpFamily } from './files/rp-families.ts';
import { blockWords, type PartitionFields, sectorWith, tableItems } from './files/testing/picobin.ts';
import { rpPlanFile } from './plan/plan-file.ts';
import { RpRig } from './testing/rp-rig.ts';
import { type RpBoardOptions, rpFirmware } from './testing/simulated-rp.ts';

const program = rpFirmware({ text: 'in a partition\r\n', kind: 'plain', chip: 'rp2350', size: 9_000 });
const never = new AbortController().signal;
const work = { signal: never, onProgress: () => undefined };

/** Bits of a partition's second word: it takes data, and it is the B slot of partition 0. */
const dataFamily = 0x1_0000;
const slotOfFirst = 0x2;
/** Bit for a name. */
const hasName = 0x1000;

/** A name that follows a partition's two words: its length, then its letters. */
const named = (name: string) => {
  const bytes = new Uint8Array(Math.ceil((name.length + 1) / 4) * 4);
  bytes.set([name.length, ...new TextEncoder().encode(name)]);
  return [...new Uint32Array(bytes.buffer)];
};

const table = (partitions: readonly PartitionFields[], names: readonly number[] = []) => {
  const [header = 0, ...words] = tableItems(partitions);
  const items = [(header + (names.length << 8)) >>> 0, ...words, ...names];
  return [{ offset: 0, data: sectorWith(blockWords(items)) }];
};

const rigWith = async (content: NonNullable<RpBoardOptions['content']>) => {
  const rig = new RpRig({ pace: 'none', chip: 'rp2350', content });
  await rig.clock.advance(1_000);
  const { device } = rig.device;
  if (device === null) {
    throw new Error('The board is not on the bus.');
  }
  const board = await rig.run(
    createRpFamily().connectUsb?.(device, never, {
      clock: rig.clock,
      signal: never,
      settings: rpSettings,
      baudRate: null,
      byHand: false,
      expectedId: null,
      isDemo: true,
      place: 1,
      isSame: false,
      returned: () => new Promise(() => undefined),
      onStep: () => undefined,
    }) ?? Promise.reject(),
  );
  const write = () => rig.run(board.write({ signal: never, onStage: () => undefined, onEvent: () => undefined }));
  const start = async () => {
    rig.device.holdBootsel(false);
    await rig.run(board.restart());
    await rig.clock.advance(2_000);
    return rig.device.program?.text;
  };
  /** @param beside A partition table that is written in the same plan. */
  const planWithTable = (beside: Uint8Array, bytes: Uint8Array, eraseAll: boolean) =>
    rig.run(
      board.plan(
        {
          files: [rpPlanFile('table.bin', beside, 0x1000_0000), rpPlanFile('app.uf2', bytes, 0x1000_0000)],
          settings: { ...rpSettings, eraseAll },
          guard: null,
        },
        never,
      ),
    );
  const plan = (name: string, bytes: Uint8Array, more: Partial<PlanRequest<RpTypes>> = {}) =>
    rig.run(
      board.plan({ files: [rpPlanFile(name, bytes, 0x1000_0000)], settings: rpSettings, guard: null, ...more }, never),
    );
  return { rig, board, plan, planWithTable, write, start };
};

const uf2 = (bytes: Uint8Array, familyId: number = rpFamily.armSecure) =>
  buildUf2({ address: 0x1000_0000, bytes }, familyId);

describe('partitions of an RP2350', () => {
  it('are shown as the boot ROM tells them, in the words of picotool', async () => {
    const { board } = await rigWith(table([{ first: 2, last: 0x101, flags: hasName }], named('firmware')));
    const { partitions } = board.facts.info;
    if (partitions === null || partitions === 'none') {
      throw new Error('No partitions.');
    }
    expect(partitionFields(partitions)).toEqual([
      { key: 'un-partitioned space', values: ['S(rw) NSBOOT(rw) NS(rw), uf2 {  }'] },
      {
        key: 'partition 0 (A)',
        values: [
          `00002000->00102000 S(rw) NSBOOT(rw) NS(rw), "firmware", uf2 { 'rp2350-arm-s' }, arm_boot 1, riscv_boot 1`,
        ],
      },
    ]);
  });

  it('are reported as missing without a table, and not requested of an RP2040', async () => {
    const { board } = await rigWith('factory');
    expect(board.facts.info.partitions).toBe('none');
    const old = await new RpRig({ pace: 'none' }).connect();
    expect(old.info.partitions).toBeNull();
  });

  it('take a file of their family, whose addresses move, and the board starts it there', async () => {
    const { rig, board, plan } = await rigWith(table([{ first: 2, last: 0x101 }]));
    const planned = await plan('app.uf2', uf2(program));
    expect(planned.refusals).toEqual([]);
    expect(planned.warnings).toMatchObject([
      {
        code: 'into-partition',
        what: '"app.uf2" goes into partition 0, at 0x10002000: it takes the family rp2350-arm-s.',
      },
    ]);
    expect(planned.start).toMatchObject({
      result: 'yes',
      why: expect.stringMatching(/^The program in partition 0 starts/),
    });
    await rig.run(board.write({ signal: never, onStage: () => undefined, onEvent: () => undefined }));
    expect(rig.flash(0x1000_2000, program.length)).toEqual(program);
    expect(rig.flash(0x1000_0000, 4).some((byte) => byte !== 0xff)).toBe(true);
    rig.device.holdBootsel(false);
    await rig.run(board.restart());
    await rig.clock.advance(2_000);
    expect(rig.device.program?.text).toBe('in a partition\r\n');
  });

  it('refuse a file of a family that none of them takes', async () => {
    const { plan } = await rigWith(table([{ first: 2, last: 0x101 }]));
    expect((await plan('app.uf2', uf2(program, rpFamily.data))).refusals).toMatchObject([{ code: 'not-accepted' }]);
  });

  it('leave the start open if a program decides that was not read', async () => {
    const before = await rigWith(
      table([
        { first: 2, last: 0x81 },
        { first: 0x82, last: 0x101, flags: dataFamily },
      ]),
    );
    const { start, warnings } = await before.plan('app.uf2', uf2(program, rpFamily.data));
    expect(start).toEqual({
      result: 'unknown',
      why: 'The boot ROM looks at partition 0 first, and what is in it was not read.',
      checks: [],
    });
    expect(warnings.map(({ code }) => code)).toEqual(['into-partition']);
    const slots = await rigWith(
      table([
        { first: 2, last: 0x81 },
        { first: 0x82, last: 0x101, flags: slotOfFirst },
      ]),
    );
    expect((await slots.plan('app.uf2', uf2(program))).start?.why).toBe(
      'Of partitions 0 and 1, the one with the newer program starts, and what is in partition 1 was not read.',
    );
  });

  it('do not count once everything is erased, nor for a .bin, which keeps its address', async () => {
    const { plan } = await rigWith(table([{ first: 2, last: 0x101 }]));
    const all = await plan('app.uf2', uf2(program), { settings: { ...rpSettings, eraseAll: true } });
    expect(all.regions.map(({ offset }) => offset)).toEqual([0x1000_0000]);
    const bin = await plan('app.bin', program);
    expect(bin.regions.map(({ offset }) => offset)).toEqual([0x1000_0000]);
    expect(bin.warnings.map(({ code }) => code)).toContain('replaces-table');
  });
});

describe('partitions of an RP2350 whose table has changed since it started in BOOTSEL', () => {
  const first = table([{ first: 2, last: 0x101 }]);
  const second = table([{ first: 4, last: 0x81 }]);
  const bytesOf = ([one]: typeof first) => one?.data ?? new Uint8Array(0);
  const offsetsOf = ({ regions }: { readonly regions: readonly { readonly offset: number }[] }) =>
    regions.map(({ offset }) => offset);
  const partitionsOf = ({ board }: Awaited<ReturnType<typeof rigWith>>) => board.facts.info.partitions;

  async function writeTable(test: Awaited<ReturnType<typeof rigWith>>, bytes: Uint8Array): Promise<void> {
    await test.plan('table.bin', bytes);
    await test.write();
  }

  it('are gone after everything was erased, and a program goes to the start of flash', async () => {
    const test = await rigWith(first);
    await test.rig.run(test.board.erase(null, work));
    expect(partitionsOf(test)).toBe('none');
    const planned = await test.plan('app.uf2', uf2(program));
    expect([planned.refusals, offsetsOf(planned)]).toEqual([[], [0x1000_0000]]);
    await test.write();
    expect(await test.start()).toBe('in a partition\r\n');
  });

  it('are gone after their sector was erased, and after a program was written over the table', async () => {
    const erased = await rigWith(first);
    await erased.rig.run(erased.board.erase({ offset: 0x1000_0000, length: 4_096 }, work));
    expect(partitionsOf(erased)).toBe('none');
    const test = await rigWith(first);
    await test.plan('app.bin', program);
    await test.write();
    await test.rig.run(test.board.look?.(never) ?? Promise.reject());
    expect(partitionsOf(test)).toBe('none');
    expect(offsetsOf(await test.plan('app.uf2', uf2(program)))).toEqual([0x1000_0000]);
    expect(await test.start()).toBe('in a partition\r\n');
  });

  it('are not shown from a write until they are read again', async () => {
    const test = await rigWith(first);
    await writeTable(test, bytesOf(second));
    expect(partitionsOf(test)).toBeNull();
    await test.rig.run(test.board.look?.(never) ?? Promise.reject());
    expect(partitionsOf(test)).toMatchObject({ isNew: true, partitions: [{ offset: 0x4000 }] });
  });

  it.each([
    ['another table', first],
    ['no table', 'empty'],
  ] as const)('are those of the new table after a board with %s', async (_, content) => {
    const test = await rigWith(content);
    await writeTable(test, bytesOf(second));
    const planned = await test.plan('app.uf2', uf2(program));
    expect([planned.refusals, offsetsOf(planned)]).toEqual([[], [0x1000_4000]]);
    expect(planned.start?.result).toBe('yes');
    await test.write();
    expect(test.rig.flash(0x1000_4000, program.length)).toEqual(program);
    expect(await test.start()).toBe('in a partition\r\n');
  });

  it.each([
    ['a board with another table', first, false],
    ['an empty board', 'empty', false],
    ['a board whose flash is erased first', first, true],
  ] as const)('are those of a table that is written together with the program, on %s', async (_, content, eraseAll) => {
    const test = await rigWith(content);
    const planned = await test.planWithTable(bytesOf(second), uf2(program), eraseAll);
    expect([planned.refusals, offsetsOf(planned)]).toEqual([[], [0x1000_0000, 0x1000_4000]]);
    expect(planned.warnings.map(({ code }) => code)).not.toContain('does-not-start');
    expect(planned.start?.result).toBe('yes');
    await test.write();
    expect(await test.start()).toBe('in a partition\r\n');
  });

  it('refuse a program for a family that the table beside it has no partition for', async () => {
    const test = await rigWith(first);
    const planned = await test.planWithTable(bytesOf(second), uf2(program, rpFamily.data), false);
    expect(planned.refusals.map(({ code }) => code)).toContain('not-accepted');
  });

  it('are found by another connection to the same board', async () => {
    const test = await rigWith('empty');
    await writeTable(test, bytesOf(second));
    await test.rig.run(test.board.close());
    const again = await test.rig.run(test.rig.connecting());
    expect(again.info.partitions).toMatchObject({ isNew: true, partitions: [{ offset: 0x4000 }] });
  });

  it('are the same as before when the same table was written', async () => {
    const test = await rigWith(first);
    const before = partitionsOf(test);
    await test.rig.run(test.board.erase({ offset: 0x1000_0000, length: 4_096 }, work));
    await writeTable(test, bytesOf(first));
    await test.rig.run(test.board.look?.(never) ?? Promise.reject());
    expect(partitionsOf(test)).toEqual(before);
  });

  it('take no program while the boot ROM cannot choose between an A and a B slot', async () => {
    const test = await rigWith('empty');
    await writeTable(
      test,
      bytesOf(
        table([
          { first: 2, last: 0x81 },
          { first: 0x82, last: 0x101, flags: slotOfFirst },
        ]),
      ),
    );
    expect((await test.plan('app.uf2', uf2(program))).refusals).toMatchObject([
      {
        code: 'slot-not-chosen',
        what: '"app.uf2" belongs into partition 0 or partition 1. The boot ROM chooses between the two slots, and it has not read the new partition table yet.',
      },
    ]);
  });

  it('are missing if a new table does not pass the check of the boot ROM', async () => {
    const broken = bytesOf(second).slice();
    // The table states two partitions and has one.
    broken[7] = 2;
    const test = await rigWith('empty');
    await writeTable(test, broken);
    await test.rig.run(test.board.look?.(never) ?? Promise.reject());
    expect(partitionsOf(test)).toBe('none');
  });

  it('still forbid a write by the permissions of the start', async () => {
    const words = tableItems([{ first: 2, last: 0x101 }]);
    // The bootloader may read the partition and not write it.
    const readOnly = words.map((word, index) => (index === 2 || index === 3 ? (word & 0x7fff_ffff) >>> 0 : word));
    const test = await rigWith([{ offset: 0, data: sectorWith(blockWords(readOnly)) }]);
    await test.rig.run(test.board.erase({ offset: 0x1000_0000, length: 4_096 }, work));
    await test.plan('app.uf2', uf2(program));
    await expect(test.write()).rejects.toMatchObject({
      code: 'refused',
      detail: expect.stringMatching(/^not permitted: /),
    });
  });
});
