// @vitest-environment node
import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import type { GivenFile } from '../../flash-protocol.ts';
import { EspFiles } from './esp-files.ts';

const given = (name: string, content: Uint8Array | string, offset?: number): GivenFile => ({
  name,
  content: new Blob([typeof content === 'string' ? content : Uint8Array.from(content)]),
  ...(offset !== undefined && { offset }),
});
const data = (seed: number) => Uint8Array.from({ length: 600 }, (_, index) => (index * 31 + seed) % 251);

describe('files that may be written', () => {
  it('have the place that a release gives them, whatever their contents say', async () => {
    const { files } = await new EspFiles().add([given('storage.bin', data(1), 0x200000)]);
    expect(files).toMatchObject([
      { name: 'storage.bin', size: 600, offset: 0x200000, why: 'The release has it here.' },
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
    const { files, leftOut } = await new EspFiles().add([given('build.zip', archive)]);
    expect(files.map(({ name, offset }) => [name, offset])).toEqual([
      ['app.bin', 0x10000],
      ['storage.bin', 0x110000],
    ]);
    expect(leftOut).toEqual([]);
  });

  it('are four at most, and the others are named', async () => {
    const many = [1, 2, 3, 4, 5].map((number) => given(`part-${number}.bin`, data(number)));
    const { files, leftOut } = await new EspFiles().add(many);
    expect(files).toHaveLength(4);
    expect(leftOut).toEqual([{ name: 'part-5.bin', why: 'At most 4 files are written at once.' }]);
  });

  it('take the place of an older one with their name', async () => {
    const kept = new EspFiles();
    const before = await kept.add([given('storage.bin', data(1))]);
    const after = await kept.add([given('storage.bin', data(2))]);
    expect(after.files).toHaveLength(1);
    expect(after.files[0]?.sha256).not.toBe(before.files[0]?.sha256);
  });

  it('go back to where a backup was read, by its name', async () => {
    const { files } = await new EspFiles().add([given('240ac4ec8757-nvs-0x9000.bin', data(1))]);
    expect(files).toMatchObject([{ offset: 0x9000 }]);
  });

  it('say why an archive cannot be opened', async () => {
    const broken = zipSync({ 'app.bin': data(1) }).subarray(0, 80);
    const { files, leftOut } = await new EspFiles().add([given('build.zip', broken)]);
    expect(files).toEqual([]);
    expect(leftOut).toMatchObject([{ name: 'build.zip', why: expect.stringContaining('archive') }]);
  });

  it('are left out of a plan once they are removed', async () => {
    const kept = new EspFiles();
    const { files } = await kept.add([given('one.bin', data(1)), given('two.bin', data(2))]);
    const [one, two] = files.map(({ id }) => id);
    const rest = kept.remove([one ?? 0]);
    expect(rest.files.map(({ name }) => name)).toEqual(['two.bin']);
    const planned = kept.forPlan([one ?? 0, two ?? 0].map((id) => ({ id, offset: 0x1000 })));
    expect(planned.map(({ name }) => name)).toEqual(['two.bin']);
  });
});
