import { describe, expect, it } from 'vitest';
import { readRpFirmware } from './read-rp-firmware.ts';
import { judgeStart, type StartOptions } from './start-verdict.ts';
import { blockWords, imageItems, imageSector, sectorWith, tableItems } from './testing/picobin.ts';
import { bytesOfFile } from './testing/rp-files.ts';

const flash = 0x1000_0000;

const judgeFile = (name: string, options: StartOptions) => {
  const [program] = readRpFirmware(name, bytesOfFile(name)).programs;
  return judgeStart(program === undefined ? [] : [...program.flash, ...program.ram], options);
};

/** Judges flash of an RP2350 with these sectors, by their number. */
const judge = (sectors: Readonly<Record<number, Uint8Array>>, options: Partial<StartOptions> = {}) =>
  judgeStart(
    Object.entries(sectors).map(([sector, bytes]) => ({ address: flash + Number(sector) * 4_096, bytes })),
    { chip: 'RP2350', ...options },
  );

describe('Will this image start here? On an RP2350', () => {
  it.each([
    ['elf-rp2350.elf', 'The program at the start of flash starts on Arm: its metadata is complete.'],
    [
      'elf-riscv.elf',
      'The program at the start of flash starts on RISC-V: its metadata is complete. The board changes to RISC-V for it.',
    ],
    [
      'image-hash-riscv.bin',
      'The program at the start of flash starts on RISC-V: its hash is right. The board changes to RISC-V for it.',
    ],
    ['image-hash-wrong.bin', 'It does not start: its hash does not match its contents.'],
    ['image-signed-hash-wrong.bin', 'It does not start: its hash does not match its contents.'],
    [
      'image-block-late.bin',
      'It does not start: an RP2350 needs an image definition in the first 4 KB, and there is none.',
    ],
    [
      'image-too-big.bin',
      'It does not start: an RP2350 needs an image definition in the first 4 KB, and there is none.',
    ],
    ['image-item-zero.bin', 'It does not start: a metadata block has an item of size 0.'],
    ['image-loop-open.bin', 'It does not start: its metadata blocks do not lead back to the first one.'],
    ['image-loop-outside.bin', 'It does not start: its metadata leads to a place without a block.'],
    ['image-loop-two-images.bin', 'The program at the start of flash starts on Arm: its metadata is complete.'],
    [
      'image-delta-negative.bin',
      'It does not start: its rolling window cannot be set up: a negative one has to be a multiple of 4 MB.',
    ],
    ['image-type-armns.bin', 'It does not start: it is marked as non-secure, and only a secure program can start it.'],
    ['image-type-data.bin', 'It does not start: its metadata does not describe a program.'],
    ['image-type-rp2040.bin', 'It does not start: its image definition is for another chip.'],
    [
      'image-type-tbyb.bin',
      'It does not start: it is marked "try before you buy" and has not been bought, so it starts only right after an update.',
    ],
    ['image-type-varm.bin', 'It does not start: its image definition names a processor that cannot start a program.'],
    ['table-hash.bin', 'Nothing starts: no partition has a program that this board can start.'],
    ['table-hash-wrong.bin', 'Nothing starts: the partition table does not pass its check.'],
    ['uf2-data.uf2', 'Nothing starts: there is no program at the start of flash or in RAM.'],
  ])('says it for %s', async (name, text) => {
    const verdict = await judgeFile(name, { chip: 'RP2350' });
    expect(verdict).toMatchObject({ text, starts: text.startsWith('The program') });
  });

  it('takes the program for its own processor of two', async () => {
    expect(await judgeFile('image-loop-two-images.bin', { chip: 'RP2350', cpu: 'riscv' })).toMatchObject({
      cpu: 'riscv',
      place: { kind: 'slot', slot: 0 },
    });
  });

  it('starts a "try before you buy" program right after an update', async () => {
    expect(await judgeFile('image-type-tbyb.bin', { chip: 'RP2350', update: 0 })).toMatchObject({ starts: true });
  });

  it('cannot say it with secure boot, where the keys of the chip decide', async () => {
    expect(await judgeFile('image-signed.bin', { chip: 'RP2350', isSecure: true })).toMatchObject({
      starts: null,
      reason: 'secure-boot',
      text: 'Secure boot is on: the program at the start of flash starts only if it is signed with a key that the chip knows.',
    });
  });

  it('refuses an item of the wrong size', async () => {
    expect(await judge({ 0: imageSector({ items: [0x305, 0, 0] }) })).toMatchObject({
      text: 'It does not start: an item of its metadata has the wrong size.',
    });
  });

  it('refuses a load map that names memory which does not exist', async () => {
    const map = [0x0100_0406, 0x100, 0x3000_0000, 16];
    expect(await judge({ 0: imageSector({ items: map }) })).toMatchObject({ reason: 'load-map' });
  });

  it('finds a program in RAM wherever its block is', async () => {
    const ram = [{ address: 0x2000_0000, bytes: Uint8Array.from([...new Uint8Array(8_192), ...imageSector()]) }];
    expect(await judgeStart(ram, { chip: 'RP2350' })).toMatchObject({
      starts: true,
      text: 'The program in RAM at 0x20000000 starts on Arm: its metadata is complete.',
    });
  });

  it('does not start a program in the second slot without a partition table', async () => {
    expect(await judge({ 0: sectorWith(blockWords([0x1fe])), 1: imageSector() })).toMatchObject({
      starts: false,
      reason: 'no-program',
    });
  });
});

const link = { b: 0x2, none: 0 } as const;
const slots = sectorWith(
  blockWords(
    tableItems([
      { first: 2, last: 9 },
      { first: 10, last: 17, flags: link.b },
    ]),
  ),
);

/** A hash over the block alone that does not match. */
const wrongHash = [0x0100_0247, 1, 0x094b, 1, 2, 3, 4, 5, 6, 7, 8];

describe('Will this image start here? With A and B slots', () => {
  const versions = (a: readonly [number, number], b: readonly [number, number], extra = {}) => ({
    0: slots,
    2: imageSector({ version: a }),
    10: imageSector({ version: b, ...extra }),
  });

  it('takes the higher version, and A of two equal ones', async () => {
    expect(await judge(versions([1, 0], [1, 1]))).toMatchObject({
      place: { kind: 'partition', index: 1 },
      text: 'The program in partition 1 starts on Arm: its metadata is complete.',
      steps: ['Partition 1 is taken, the B slot of partition 0.'],
    });
    expect(await judge(versions([1, 1], [1, 1]))).toMatchObject({
      place: { kind: 'partition', index: 0 },
      steps: ['Partition 0 is taken, not its B slot, partition 1.'],
    });
  });

  it('takes A if the newer B does not pass its check, and B if A does not', async () => {
    expect(await judge(versions([1, 0], [2, 0], { items: wrongHash }))).toMatchObject({ place: { index: 0 } });
    const broken = { ...versions([2, 0], [1, 0]), 2: imageSector({ version: [2, 0], items: wrongHash }) };
    expect(await judge(broken)).toMatchObject({ place: { index: 1 } });
  });

  it('takes B alone', async () => {
    expect(await judge({ 0: slots, 10: imageSector() })).toMatchObject({
      place: { index: 1 },
      steps: ['Partition 1 is taken, the B slot of partition 0, which has no program.'],
    });
  });

  it('takes the slot that was just written, whatever its version', async () => {
    expect(await judge(versions([2, 0], [1, 0]), { update: 10 * 4_096 })).toMatchObject({ place: { index: 1 } });
    expect(await judge(versions([1, 0], [2, 0]), { update: 2 * 4_096 })).toMatchObject({ place: { index: 0 } });
  });

  it('does not take a newer B that has not been bought', async () => {
    expect(await judge(versions([1, 0], [2, 0], { tbyb: true }))).toMatchObject({ place: { index: 0 } });
  });

  it('goes on to the next partition after one that does not start', async () => {
    const two = sectorWith(
      blockWords(
        tableItems([
          { first: 2, last: 3 },
          { first: 4, last: 5 },
        ]),
      ),
    );
    expect(await judge({ 0: two, 2: imageSector({ items: wrongHash }), 4: imageSector() })).toMatchObject({
      place: { index: 1 },
      steps: ['Partition 0: It does not start: its hash does not match its contents.'],
    });
  });

  it('skips partitions that its processor ignores, and those of the second flash chip', async () => {
    const table = sectorWith(
      blockWords(
        tableItems([
          { first: 2, last: 3, flags: 0x200 },
          { first: 0x1000, last: 0x1001 },
          { first: 4, last: 5 },
        ]),
      ),
    );
    const sectors = { 0: table, 2: imageSector(), 4: imageSector(), 4096: imageSector() };
    expect(await judge(sectors)).toMatchObject({ place: { index: 2 } });
    expect(await judge(sectors, { cpu: 'riscv' })).toMatchObject({ place: { index: 0 }, cpu: 'arm' });
  });

  it('takes the newer of two partition tables', async () => {
    const table = (first: number, version: readonly [number, number]) =>
      sectorWith(blockWords(tableItems([{ first, last: first + 1 }], version)));
    const programs = { 4: imageSector(), 8: imageSector({ cpu: 'riscv' }) };
    expect(await judge({ 0: table(4, [1, 0]), 1: table(8, [1, 1]), ...programs })).toMatchObject({
      cpu: 'riscv',
      steps: ['Of the two places for a partition table, the second one counts.'],
    });
    expect(await judge({ 0: table(4, [1, 1]), 1: table(8, [1, 1]), ...programs })).toMatchObject({ cpu: 'arm' });
  });

  it('does not look into partitions of a table that is beside a program', async () => {
    const table = tableItems([{ first: 2, last: 3 }]);
    const both = sectorWith(blockWords(imageItems({ items: wrongHash }), 0x200));
    both.set(sectorWith(blockWords(table, -0x200)).subarray(0, 64), 0x200);
    expect(await judge({ 0: both, 2: imageSector() })).toMatchObject({ starts: false, reason: 'hash' });
  });
});

describe('Will this image start here? On an RP2040', () => {
  it.each([
    ['uf2-reversed.uf2', true, 'It starts: the checksum of its second stage is right.'],
    [
      'plain-no-boot2.bin',
      false,
      'It does not start: the checksum of its second stage is wrong, so an RP2040 stays in BOOTSEL. Programs for an RP2350 have no second stage.',
    ],
    [
      'uf2-xip-cache.uf2',
      false,
      'It does not start: the boot ROM of an RP2040 starts no program in the memory of the cache alone.',
    ],
    ['uf2-data.uf2', false, 'Nothing starts: there is no program at the start of flash or in RAM.'],
  ])('says it for %s', async (name, starts, text) => {
    expect(await judgeFile(name, { chip: 'RP2040' })).toMatchObject({ starts, text });
  });

  it('starts a program in RAM at its lowest address', async () => {
    const ram = [{ address: 0x2000_0000, bytes: new Uint8Array(256) }];
    expect(await judgeStart(ram, { chip: 'RP2040' })).toMatchObject({ text: 'It starts in RAM, at 0x20000000.' });
  });
});
