import { nrfFirmware, secureDfuPackage } from '@wirebench/devices';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { avrFiles } from '../avr/avr-files.ts';
import { espFiles } from '../esp/esp-files.ts';
import { nrfFiles } from '../nrf/nrf-files.ts';
import { stmFiles } from '../stm/stm-files.ts';
import type { ChosenFiles, GivenFile } from './chosen-files.ts';
import { FileSets } from './given-files.ts';

const given = (name: string, content: Uint8Array | string): GivenFile => ({
  name,
  content: new Blob([typeof content === 'string' ? content : Uint8Array.from(content)]),
});
const data = (seed: number) => Uint8Array.from({ length: 600 }, (_, index) => (index * 31 + seed) % 251);
const [one, other] = [4_096, 8_192].map((size) => nrfFirmware({ board: 'nrf52840-secure', size }).image);
const secure = (image = new Uint8Array()) => secureDfuPackage([{ kind: 'application', image }]);

const families = [
  ['esp', new FileSets(espFiles), given('app.bin', data(1)), given('app.bin', data(2))],
  ['stm', new FileSets(stmFiles), given('app.bin', data(1)), given('app.bin', data(2))],
  ['nrf', new FileSets(nrfFiles), given('app.zip', secure(one)), given('app.zip', secure(other))],
  [
    'avr',
    new FileSets(avrFiles),
    given('Blink.ino.hex', ':0400000001020304F2\n:00000001FF\n'),
    given('Blink.ino.hex', ':0400000001020305F1\n:00000001FF\n'),
  ],
] as const;

const hashes = (chosen: ChosenFiles | null) => chosen?.files.map(({ sha256 }) => sha256);

describe('chosen files that are read again', () => {
  it.each(families)(
    'are replaced by their newest bytes, and kept while unchanged, for the family %s',
    async (...test) => {
      const [, sets, before, after] = test;
      const first = await sets.add([before], undefined);
      expect(first.files[0]?.from).toBe(before.name);
      expect(await sets.renew([[before]], [])).toBeNull();
      const renewed = await sets.renew([[after]], []);
      expect(renewed?.files).toHaveLength(first.files.length);
      expect(hashes(renewed)).not.toEqual(hashes(first));
      expect(await sets.renew([[after]], [])).toBeNull();
    },
  );

  it('stay as they are if one of them cannot be read', async () => {
    const sets = new FileSets(espFiles);
    const { files } = await sets.add([given('app.bin', data(1))], undefined);
    const broken = { ...given('app.bin', data(2)) };
    broken.content.arrayBuffer = () => Promise.reject(new DOMException('', 'NotReadableError'));
    await expect(sets.renew([[broken]], [])).rejects.toThrow(DOMException);
    const kept = sets.of(undefined).forPlan([{ id: files[0]?.id ?? 0, offset: 0x10000 }]);
    expect(kept[0]?.bytes).toEqual(data(1));
  });

  it('are placed again when the list of the build has new offsets', async () => {
    const list = (offset: string) => JSON.stringify({ flash_files: { [offset]: 'app.bin' } });
    const sets = new FileSets(espFiles);
    const app = given('build/app.bin', data(1));
    const first = await sets.add([given('build/flasher_args.json', list('0x10000')), app], undefined);
    expect(first).toMatchObject({ list: 'build/flasher_args.json', files: [{ offset: 0x10000 }] });
    const renewed = await sets.renew([[given('build/flasher_args.json', list('0x20000')), app]], []);
    expect(renewed?.files).toMatchObject([{ name: 'app.bin', offset: 0x20000 }]);
  });

  it('come out of an archive again, without the one that the user has removed', async () => {
    const zip = (seed: number) =>
      given(
        'build.zip',
        zipSync({
          'flasher_args.json': strToU8(JSON.stringify({ flash_files: { '0x10000': 'app.bin', '0x110000': 'fs.bin' } })),
          'app.bin': data(seed),
          'fs.bin': data(seed + 1),
        }),
      );
    const sets = new FileSets(espFiles);
    const { files } = await sets.add([zip(1)], undefined);
    expect(files.map(({ from }) => from)).toEqual(['build.zip', 'build.zip']);
    const removed = files.find(({ name }) => name === 'fs.bin')?.id ?? 0;
    sets.remove([removed], undefined);
    const without = [{ from: 'build.zip', name: 'fs.bin' }];
    expect(await sets.renew([[zip(1)]], without)).toBeNull();
    const renewed = await sets.renew([[zip(5)]], without);
    expect(renewed?.files.map(({ name }) => name)).toEqual(['app.bin']);
  });
});

describe('files that a build may still be writing', () => {
  const hex = ':0400000001020304F2\n:00000001FF\n';

  it.each([
    ['esp', new FileSets(espFiles), given('flasher_args.json', '{}'), given('flasher_args.json', '{')],
    ['stm', new FileSets(stmFiles), given('app.hex', hex), given('app.hex', hex.slice(0, 20))],
    ['nrf', new FileSets(nrfFiles), given('app.zip', secure(one)), given('app.zip', secure(one).slice(0, -40))],
    ['avr', new FileSets(avrFiles), given('app.hex', hex), given('app.hex', hex.slice(0, 20))],
  ] as const)('are distinguished from whole ones for the family %s', async (...test) => {
    const [, sets, whole, torn] = test;
    expect(await sets.check([whole, torn], [null, null])).toEqual(['whole', 'torn']);
    expect(sets.of(undefined).remove([]).files).toEqual([]);
  });

  it('are torn if one changes while it is read', async () => {
    const moved = given('app.bin', data(1));
    moved.content.arrayBuffer = () => Promise.reject(new DOMException('', 'NotReadableError'));
    expect(await new FileSets(stmFiles).check([moved], [null])).toEqual(['torn']);
  });
});
