import { expect, it } from 'vitest';
import { coreDumpBytes } from './dump-bytes.ts';
import { readCoreDump } from './read-core-dump.ts';
import { coreElf, extraInfo, joined, printed, riscvStatus } from './testing/dump-files.ts';
import { wrapped } from './testing/wrapped-dump.ts';

const elf = coreElf({
  machine: 243,
  notes: [
    riscvStatus(
      0x3fc9_1000,
      Array.from({ length: 32 }, (_, index) => index),
    ),
    extraInfo(0x3fc9_1000),
  ],
  memory: [],
});
const contained = wrapped(5, 0x102, [1, 2, 3], elf);

it('a text holds the dump alone, without the log around it', async () => {
  const log = `wifi: password hunter2\r\n${printed(contained)}\r\nrebooting`;
  expect(await coreDumpBytes(new TextEncoder().encode(log))).toEqual(contained);
});

it('a partition holds the dump alone, without the rest of an older one', async () => {
  expect(await coreDumpBytes(joined(contained, new Uint8Array(4_096).fill(0x5a)))).toEqual(contained);
});

it('a bare ELF core file is taken whole', async () => {
  expect(await coreDumpBytes(elf)).toEqual(elf);
});

/** The content of a flash of 4 MiB with a partition table at `table` and a dump at 0x110000. */
function flash(table: number, dump: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(0x400000).fill(0xff);
  const entry = (type: number, subtype: number, offset: number, size: number, name: string) => {
    const row = new Uint8Array(32);
    const view = new DataView(row.buffer);
    view.setUint16(0, 0x50aa, true);
    row.set([type, subtype], 2);
    view.setUint32(4, offset, true);
    view.setUint32(8, size, true);
    row.set(new TextEncoder().encode(name), 12);
    return row;
  };
  bytes.set([0xe9, 3, 2, 0x2f], 0x1000);
  bytes.set(entry(1, 2, 0x9000, 0x6000, 'nvs'), table);
  bytes.set(entry(0, 0, 0x10000, 0x100000, 'factory'), table + 32);
  bytes.set(entry(1, 3, 0x110000, 0x10000, 'coredump'), table + 64);
  bytes.set(dump, 0x110000);
  return bytes;
}

it.each([0x8000, 0xc000, 0x10000 - 0x1000])(
  'the content of a whole flash with its table at %i holds the dump of its partition',
  async (table) => {
    expect(await coreDumpBytes(flash(table, contained))).toEqual(contained);
  },
);

it('a whole flash that begins with a bootloader holds the dump of its partition, too', async () => {
  const image = flash(0x8000, contained);
  image.set([0xe9, 3, 2, 0x2f], 0);
  expect(await coreDumpBytes(image)).toEqual(contained);
});

it('a whole flash without a crash is reported as an empty partition', async () => {
  await expect(readCoreDump(flash(0x8000, new Uint8Array()))).rejects.toMatchObject({ code: 'empty' });
});
