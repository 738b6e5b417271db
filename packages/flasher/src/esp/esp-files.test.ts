import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import type { GivenFile } from '../given-files/chosen-files.ts';
import { FileSets } from '../given-files/given-files.ts';
import { espFiles } from './esp-files.ts';

const given = (name: string, content: Uint8Array | string, offset?: number): GivenFile => ({
  name,
  content: new Blob([typeof content === 'string' ? content : Uint8Array.from(content)]),
  ...(offset !== undefined && { offset }),
});
const data = (seed: number) => Uint8Array.from({ length: 600 }, (_, index) => (index * 31 + seed) % 251);

describe('files that may be written', () => {
  it('have the place that a release gives them, whatever their contents say', async () => {
    const { files } = await new FileSets(espFiles).add([given('storage.bin', data(1), 0x200000)]);
    expect(files).toMatchObject([
      { name: 'storage.bin', size: 600, offset: 0x200000, why: 'The release puts it here.' },
    ]);
    expect(files[0]?.sha256).toMatch(/^[\da-f]{64}$/);
  });

  it('are placed by the list that the build wrote, out of an archive as out of a folder', async () => {
    const list = JSON.stringify({ flash_files: { '0x110000': 'data/storage.bin', '0x10000': 'app.bin' } });
    const archive = zipSync({
      'build/flasher_args.json': strToU8(list),
      'build/app.bin': data(2),
      'build/data/storage.bin': data(3),
    });
    const { files, leftOut } = await new FileSets(espFiles).add([given('build.zip', archive)]);
    expect(files.map(({ name, offset }) => [name, offset])).toEqual([
      ['app.bin', 0x10000],
      ['storage.bin', 0x110000],
    ]);
    expect(leftOut).toEqual([]);
  });

  it('are four at most: the fifth stops the write, and is named', async () => {
    const many = [1, 2, 3, 4, 5].map((number) => given(`part-${number}.bin`, data(number)));
    const kept = new FileSets(espFiles);
    const { files, conflicts } = await kept.add(many);
    expect(files).toHaveLength(5);
    expect(conflicts).toMatchObject([{ code: 'too-many-files', files: ['part-5.bin'], stops: true }]);
    expect(kept.remove([files.at(-1)?.id ?? 0]).conflicts).toEqual([]);
  });

  it('take the place of an older one with their name', async () => {
    const kept = new FileSets(espFiles);
    const before = await kept.add([given('storage.bin', data(1))]);
    const after = await kept.add([given('storage.bin', data(2))]);
    expect(after.files).toHaveLength(1);
    expect(after.files[0]?.sha256).not.toBe(before.files[0]?.sha256);
  });

  it('go back to where a backup was read, by its name', async () => {
    const { files } = await new FileSets(espFiles).add([given('240ac4ec8757-nvs-0x9000.bin', data(1))]);
    expect(files).toMatchObject([{ offset: 0x9000 }]);
  });

  it('say why an archive cannot be opened', async () => {
    const broken = zipSync({ 'app.bin': data(1) }).subarray(0, 80);
    const { files, leftOut } = await new FileSets(espFiles).add([given('build.zip', broken)]);
    expect(files).toEqual([]);
    expect(leftOut).toMatchObject([{ name: 'build.zip', why: expect.stringContaining('archive') }]);
  });

  it('are left out of a plan once they are removed', async () => {
    const kept = new FileSets(espFiles);
    const { files } = await kept.add([given('one.bin', data(1)), given('two.bin', data(2))]);
    const [one, two] = files.map(({ id }) => id);
    const rest = kept.remove([one ?? 0]);
    expect(rest.files.map(({ name }) => name)).toEqual(['two.bin']);
    const planned = kept.of(undefined).forPlan([one ?? 0, two ?? 0].map((id) => ({ id, offset: 0x1000 })));
    expect(planned.map(({ name }) => name)).toEqual(['two.bin']);
  });
});

/** Returns a file that begins like a 32-bit ELF file for this processor. */
function elf(machine: number): Uint8Array {
  const bytes = new Uint8Array(2_000);
  bytes.set([0x7f, 0x45, 0x4c, 0x46, 1, 1, 1]);
  bytes[16] = 2;
  bytes[18] = machine;
  return bytes;
}

/** Returns a UF2 block with 256 bytes. */
function uf2(address: number, family: number): Uint8Array {
  const bytes = new Uint8Array(512);
  const view = new DataView(bytes.buffer);
  [0x0a324655, 0x9e5d5157, 0x2000, address, 256, 0, 1, family].forEach((word, index) => {
    view.setUint32(index * 4, word, true);
  });
  view.setUint32(508, 0x0ab16f30, true);
  bytes.set(data(5).subarray(0, 256), 32);
  return bytes;
}

const hexLine = (bytes: readonly number[]) => {
  const sum = bytes.reduce((total, byte) => total + byte, 0);
  return `:${[...bytes, -sum & 0xff].map((byte) => byte.toString(16).padStart(2, '0')).join('')}\n`;
};
/** Returns Intel HEX with four bytes at each of the addresses, which are given in steps of 64 KiB. */
const hex = (...pages: readonly number[]) =>
  `${pages.map((page) => hexLine([2, 0, 0, 4, page >> 8, page & 0xff]) + hexLine([4, 0, 0, 0, 1, 2, 3, 4])).join('')}:00000001FF\n`;

const reasonFor = async (...files: readonly GivenFile[]) => {
  const chosen = await new FileSets(espFiles).add(files);
  expect(chosen.files).toEqual([]);
  return chosen.leftOut.map(({ name, why }) => `${name}: ${why}`).join('\n');
};

describe('files that are not firmware for these chips', () => {
  it('include a web page of any name', async () => {
    const page = '<!DOCTYPE html><html><head><title>Sign in</title></head></html>';
    const { files, conflicts } = await new FileSets(espFiles).add([given('app.bin', page)]);
    expect(files).toMatchObject([{ name: 'app.bin', what: 'Web page, not firmware', offset: null }]);
    expect(conflicts).toMatchObject([{ code: 'not-firmware', what: '"app.bin" is a web page, not firmware.' }]);
    expect(await reasonFor(given('download', page))).toContain('A download that needed a sign-in');
  });

  it('include an ELF file, with the way to make its .bin', async () => {
    const reason = await reasonFor(given('blink.elf', elf(94)));
    expect(reason).toContain('flashed as the .bin that is made from it');
    for (const way of ['build/', '.pio/build/', 'Export Compiled Binary', 'elf2image']) {
      expect(reason).toContain(way);
    }
    expect(await reasonFor(given('blink', elf(243)))).toContain('elf2image');
  });

  it('include an ELF file beside its .bin, which is used', async () => {
    const { files, leftOut } = await new FileSets(espFiles).add([
      given('blink.elf', elf(94)),
      given('blink.bin', data(1)),
    ]);
    expect(files.map(({ name }) => name)).toEqual(['blink.bin']);
    expect(leftOut).toMatchObject([{ name: 'blink.elf', why: expect.stringContaining('the .bin of the same name') }]);
  });

  it('include a .hex or .uf2 for another chip', async () => {
    expect(await reasonFor(given('far.hex', hex(0x3000)))).toMatch(/At 0x30000000: .*another kind of chip\. Choose/);
    expect(await reasonFor(given('samd.uf2', uf2(0x2000, 0x55114460)))).toContain('SAMD51');
  });

  it('include a damaged .hex, with the line of the damage', async () => {
    expect(await reasonFor(given('app.hex', hex(1).replace(':04000000', ':04000001')))).toMatch(
      /Line 2: .* Build it again/,
    );
  });

  it('include text, empty and packed files, and one larger than any flash', async () => {
    expect(await reasonFor(given('notes.txt', 'Flash me'))).toContain('rename it to end in .bin');
    expect(await reasonFor(given('notes', 'Flash me'))).toContain('Text files are not flashed.');
    expect(await reasonFor(given('partitions.csv', 'nvs,data,nvs,,0x6000'))).toContain('partition-table.bin');
    expect(await reasonFor(given('app.bin', ''))).toContain('The file is empty. Build it again');
    expect(await reasonFor(given('build.tar.gz', Uint8Array.of(0x1f, 0x8b, 8, 0)))).toContain('Unpack it');
    const disk = { size: 4_000_000_000 } as Blob;
    expect(await reasonFor({ name: 'disk.img', content: disk })).toContain('At 3.7 GB it is larger than any flash.');
  });

  it('exclude text in a .bin file for a data partition', async () => {
    const { files } = await new FileSets(espFiles).add([given('certificate.bin', '-----BEGIN CERTIFICATE-----')]);
    expect(files).toMatchObject([{ name: 'certificate.bin', offset: null }]);
  });
});

describe('files with addresses of their own', () => {
  it('are placed there, piece by piece', async () => {
    const kept = new FileSets(espFiles);
    const { files, leftOut } = await kept.add([given('all.hex', hex(1, 0x20))]);
    expect(files.map(({ name, offset, size }) => [name, offset, size])).toEqual([
      ['all.hex (0x10000)', 0x10000, 4],
      ['all.hex (0x200000)', 0x200000, 4],
    ]);
    expect(leftOut).toEqual([]);
    expect(kept.of(undefined).forPlan(files.map(({ id, offset }) => ({ id, offset: offset ?? 0 })))).toHaveLength(2);
  });

  it('lose the pieces that a newer file of their name has not', async () => {
    const kept = new FileSets(espFiles);
    await kept.add([given('all.hex', hex(1, 0x20))]);
    const { files } = await kept.add([given('all.hex', hex(2))]);
    expect(files.map(({ name }) => name)).toEqual(['all.hex']);
  });

  it('begin at 0 without a mark of these chips in programs for an AVR', async () => {
    const { files, elsewhere } = await new FileSets(espFiles).add([given('uno.hex', hex(0))]);
    expect([files, elsewhere]).toEqual([[], { family: 'avr', names: ['uno.hex'], only: true }]);
  });

  it('are for the Raspberry Pi flasher as UF2 files of the family RP2040', async () => {
    const { files, elsewhere } = await new FileSets(espFiles).add([given('pico.uf2', uf2(0x1000_0000, 0xe48bff56))]);
    expect([files, elsewhere]).toEqual([[], { family: 'rp', names: ['pico.uf2'], only: true }]);
  });

  it('are UF2 files of these chips', async () => {
    const { files } = await new FileSets(espFiles).add([given('app.uf2', uf2(0x10000, 0xc47e5767))]);
    expect(files).toMatchObject([{ name: 'app.uf2', offset: 0x10000, size: 256 }]);
  });
});

describe('files that come again', () => {
  it('are one when they are the same at the same place', async () => {
    const twice = [given('one-0x10000.bin', data(1)), given('two-0x10000.bin', data(1))];
    const { files, leftOut } = await new FileSets(espFiles).add(twice);
    expect(files).toHaveLength(1);
    expect(leftOut).toEqual([{ name: 'two-0x10000.bin', why: 'It is the same as one-0x10000.bin.' }]);
    const elsewhere = [given('one-0x10000.bin', data(1)), given('two-0x110000.bin', data(1))];
    expect((await new FileSets(espFiles).add(elsewhere)).files).toHaveLength(2);
  });

  it('take the place of those of a folder when they come by themselves', async () => {
    const kept = new FileSets(espFiles);
    const list = JSON.stringify({ flash_files: { '0x20000': 'app.bin' } });
    await kept.add([given('build/app.bin', data(1)), given('build/flasher_args.json', list)]);
    const { files } = await kept.add([given('app.bin', data(2))]);
    expect(files).toMatchObject([{ name: 'app.bin', offset: 0x20000 }]);
  });

  it('may be added to a build whose list has them not', async () => {
    const kept = new FileSets(espFiles);
    const list = JSON.stringify({ flash_files: { '0x10000': 'app.bin' } });
    const build = [given('build/app.bin', data(1)), given('build/flasher_args.json', list)];
    const beside = given('build/other.bin', data(3));
    const first = await kept.add([...build, beside]);
    expect(first.leftOut).toEqual([{ name: 'other.bin', why: 'Not listed in flasher_args.json.' }]);
    const { files, leftOut } = await kept.add([given('settings-0x9000.bin', data(2))]);
    expect(files.map(({ name, offset }) => [name, offset])).toEqual([
      ['settings-0x9000.bin', 0x9000],
      ['app.bin', 0x10000],
    ]);
    expect(leftOut).toEqual([]);
  });
});

it('a file that a build writes beside its firmware is not read to its end', async () => {
  const read: number[] = [];
  const content = new Blob(['x'.repeat(100_000)]);
  const slice = content.slice.bind(content);
  content.slice = (start, end) => {
    read.push(end ?? content.size);
    return slice(start, end);
  };
  content.arrayBuffer = () => Promise.reject(new Error('all of it was read'));
  expect((await new FileSets(espFiles).add([{ name: 'app.map', content }])).leftOut).toHaveLength(1);
  expect(read).toEqual([4_096]);
});
