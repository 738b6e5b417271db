import { joined } from '@wirebench/port/bytes';
import { describe, expect, it } from 'vitest';
import { asciiBytes } from '../../core/bytes.ts';
import { buildElf, withDfuSuffix } from '../../images/testing/formats.ts';
import { noise } from '../../testing/program.ts';
import { planNrf } from '../plan/plan-nrf.ts';
import { mcubootImageOf, securePackage, zipOf } from '../testing/packages.ts';
import { readNrfFirmware } from './read-firmware.ts';

const image = noise(5_000);
const app = mcubootImageOf(image);
const radio = mcubootImageOf(noise(900, 4));
const inner = securePackage(image);

type Files = Parameters<typeof zipOf>[0];

async function fault(files: Files | Uint8Array) {
  const bytes = files instanceof Uint8Array ? files : zipOf(files);
  return readNrfFirmware('a.zip', bytes).then(
    () => 'none',
    ({ code, message }) => `${code}, ${message}`,
  );
}

describe('a package of nRF Connect SDK', () => {
  const places = async (...entries: readonly object[]) => {
    const listed = entries.map((entry, index) => ({ file: `${index}.bin`, ...entry }));
    const files = Object.fromEntries(listed.map(({ file }, index) => [file, index === 0 ? app : radio]));
    const zip = zipOf({ 'manifest.json': { 'format-version': 1, files: listed }, ...files });
    return readNrfFirmware('dfu_application.zip', zip).then(
      ({ images, chip }) => ({ chip, places: images.map(({ name, imageNumber }) => `${name}: ${imageNumber}`) }),
      ({ code, where }) => `${code}, ${where}`,
    );
  };

  it.each<[string, readonly object[], readonly string[]]>([
    ['by the first slots alone', [{ slot_index_primary: '1' }, { slot_index_primary: '3' }], ['0.bin: 0', '1.bin: 1']],
    ['by numbers', [{ slot_index_primary: 5, slot_index_secondary: 6 }, { image_index: 0 }], ['1.bin: 0', '0.bin: 2']],
    ['by the second slots', [{ slot_index_secondary: '2' }, { slot_index_secondary: '4' }], ['0.bin: 0', '1.bin: 1']],
    [
      'by all of it',
      [
        { image_index: '1', slot_index_primary: '3', slot_index_secondary: '4' },
        { image_index: '0', slot_index_primary: '1', slot_index_secondary: '2' },
      ],
      ['1.bin: 0', '0.bin: 1'],
    ],
    ['by nothing, of one file', [{}], ['0.bin: 0']],
    [
      'for either slot',
      [
        { image_index: '0', slot: '0' },
        { image_index: '0', slot: '1' },
      ],
      ['0.bin: 0'],
    ],
    ['for either slot, without an index', [{ slot: '1' }, { slot: '0' }], ['1.bin: 0']],
    ['for the second slot alone', [{ image_index: '0', slot: '1' }], ['0.bin: 0']],
    [
      'of two images for either slot',
      [
        { image_index: '0', slot: '0' },
        { image_index: '1', slot: '2' },
        { image_index: '0', slot: '1' },
        { image_index: '1', slot: '3' },
      ],
      ['0.bin: 0', '1.bin: 1'],
    ],
    [
      'of two images with slots counted within each',
      [
        { image_index: '1', slot: '0' },
        { image_index: '1', slot: '1' },
        { image_index: '0', slot: '0' },
      ],
      ['2.bin: 0', '0.bin: 1'],
    ],
  ])('has its images placed %s', async (_how, entries, expected) => {
    expect(await places(...entries)).toMatchObject({ places: expected });
  });

  it.each(['./0.bin', '.\\0.bin', 'build/../0.bin'])('finds the file of its image by %j', async (file) => {
    const zip = (named: string) =>
      zipOf({ 'manifest.json': { 'format-version': 1, files: [{ file: named }] }, '0.bin': app });
    expect((await readNrfFirmware('a.zip', zip(file))).images).toMatchObject([{ name: '0.bin' }]);
    expect(await fault(zip(`../${file}`))).toMatch(/^file-missing/);
  });

  it('names the file for the second slot, which is left out', async () => {
    const zip = zipOf({
      'manifest.json': {
        'format-version': 1,
        files: [
          { file: 's0.bin', image_index: '0', slot: '0' },
          { file: 's1.bin', image_index: '0', slot: '1' },
        ],
      },
      's0.bin': mcubootImageOf(noise(900)),
      's1.bin': mcubootImageOf(noise(901)),
    });
    const { images } = await readNrfFirmware('dfu_application.zip', zip);
    expect(images).toMatchObject([
      { name: 's0.bin', leftOut: [{ kind: 'slot', what: '"s1.bin" for the second slot' }] },
    ]);
    const { warnings } = planNrf(await readNrfFirmware('dfu_application.zip', zip), null);
    expect(warnings.map(({ code, what }) => [code, what])).toContainEqual([
      'slot-left-out',
      '"s0.bin" was built for either slot: "s1.bin" for the second slot is left out.',
    ]);
  });

  it.each<[string, readonly object[], string]>([
    ['two files for one image', [{ image_index: '0' }, { image_index: '0' }], 'image-twice, 0.bin and 1.bin, image 0'],
    ['two files without a place', [{}, {}], 'image-twice, 0.bin and 1.bin, image 0'],
    [
      'two files for one slot',
      [{ slot_index_primary: 3 }, { image_index: 1 }],
      'image-twice, 0.bin and 1.bin, image 1',
    ],
    ['two files for the second slot', [{ slot: 1 }, { slot: 1 }], 'image-twice, 0.bin and 1.bin, image 0'],
    ['an index beside another slot', [{ image_index: 0, slot_index_primary: 3 }], 'manifest-conflict, 0.bin'],
    ['two slots of different images', [{ slot_index_primary: 1, slot_index_secondary: 4 }], 'manifest-conflict, 0.bin'],
    ['a first slot that is a second one', [{ slot_index_primary: 2 }], 'manifest-conflict, 0.bin'],
    ['a second slot that is a first one', [{ slot_index_secondary: 3 }], 'manifest-conflict, 0.bin'],
    ['a slot of another image', [{ image_index: 0, slot: 2 }], 'manifest-conflict, 0.bin'],
    [
      'an index that is no number',
      [{ image_index: 'one' }, { image_index: 0 }],
      'manifest-damaged, 0.bin, image_index',
    ],
    ['an index below zero', [{ image_index: -1 }], 'manifest-damaged, 0.bin, image_index'],
    ['a slot between two', [{ slot_index_primary: 1.5 }], 'manifest-damaged, 0.bin, slot_index_primary'],
    ['a size that is no number', [{ size: 'large' }], 'manifest-damaged, 0.bin, size'],
    [
      'files for two chips',
      [
        { image_index: 0, soc: 'nRF52840_QIAA' },
        { image_index: 1, soc: 'nRF5340_CPUNET_QKAA' },
      ],
      'chips-differ, nRF52840 and nRF5340',
    ],
  ])('is refused with %s', async (_what, entries, expected) => {
    expect(await places(...entries)).toBe(expected);
  });

  it('is read if its manifest was saved in UTF-16', async () => {
    const manifest = JSON.stringify({ 'format-version': 1, files: [{ file: 'app.bin', image_index: '0' }] });
    const zip = zipOf({
      'manifest.json': Uint8Array.from(Buffer.from(`\ufeff${manifest}`, 'utf16le')),
      'app.bin': app,
    });
    expect(await readNrfFirmware('dfu_application.zip', zip)).toMatchObject({ images: [{ bytes: app }] });
  });

  it('says which chip it is for, by its chip or its board', async () => {
    const chips = [
      [{ soc: 'nRF5340_CPUAPP_QKAA', board: 'x' }, 'nRF5340'],
      [{ board: 'nrf52840dk/nrf52840' }, 'nRF52840'],
      [{ board: 'thingy53_nrf5340_cpuapp' }, 'nRF5340'],
      [{ soc: 'nrf54l15_cpuapp' }, 'nRF54L15'],
      [{ board: 'my_board' }, null],
    ] as const;
    for (const [entry, chip] of chips) {
      expect(await places(entry)).toMatchObject({ chip });
    }
    const both = [
      { image_index: 0, soc: 'nRF5340_CPUAPP_QKAA' },
      { image_index: 1, soc: 'nRF5340_CPUNET_QKAA' },
    ];
    expect(await places(...both)).toMatchObject({ chip: 'nRF5340' });
  });
});

describe('a package in an archive', () => {
  const files = { 'manifest.json': { files: [{ file: 'app.bin' }] }, 'app.bin': app } as const;
  const inFolder = (folder: string, all: Files = files) =>
    Object.fromEntries(Object.entries(all).map(([name, content]) => [`${folder}/${name}`, content]));
  const mac = { '__MACOSX/x/._manifest.json': Uint8Array.of(0, 5, 0x16, 7), 'x/.DS_Store': Uint8Array.of(1) };

  it.each<[string, Files]>([
    ['in a folder', inFolder('build')],
    ['in folders', inFolder('build/app/zephyr', { ...files, 'readme.md': asciiBytes('hello') })],
    ['in a folder, packed by macOS', { ...mac, ...inFolder('x') }],
    ['in an archive', { 'dfu_application.zip': zipOf(files) }],
    ['in an archive in an archive', { 'x/artifact.zip': zipOf({ 'out/dfu_application.zip': zipOf(files) }) }],
    ['in an archive that has a folder', { 'readme.txt': asciiBytes('hello'), 'a/b.zip': zipOf(inFolder('c')) }],
    ['beside a manifest of something else', { ...inFolder('fw'), 'manifest.json': { name: 'Web app', icons: [] } }],
    ['without a manifest, as an image', { 'zephyr.signed.bin': app, 'readme.txt': asciiBytes('hello') }],
    ['without a manifest, as an image with the suffix of DFU', { 'out/zephyr.dfu': withDfuSuffix(app) }],
  ])('is opened: %s', async (_where, all) => {
    const { images } = await readNrfFirmware('download.zip', zipOf(all));
    expect(images.map(({ bytes }) => bytes)).toEqual([app]);
  });

  it('is opened for each of the bootloaders', async () => {
    expect(await readNrfFirmware('a.zip', zipOf({ 'x/dfu.zip': inner }))).toMatchObject({
      format: 'secure-package',
    });
  });

  it.each<[string, Files, string]>([
    ['in folders', { ...inFolder('one'), ...inFolder('two') }, 'one, two'],
    ['in archives', { 'a.zip': zipOf(files), 'b/c.zip': inner }, 'a.zip, b/c.zip'],
    ['at the top and in an archive', { ...files, 'b.zip': inner }, 'manifest.json, b.zip'],
    ['as images', { 'a.bin': app, 'b.bin': radio }, 'a.bin, b.bin'],
  ])('is asked for by name when there are several: %s', async (_where, all, names) => {
    expect(await fault(all)).toBe(`several-packages, The archive contains several packages: ${names}.`);
  });

  it.each<[string, Files | Uint8Array, RegExp]>([
    ['of nothing that is known', { 'a.txt': asciiBytes('hello'), 'b.txt': asciiBytes('hello') }, /^not-a-package/],
    [
      'with something else that is known',
      { 'a.elf': buildElf([{ address: 0x2_6000, bytes: noise(64) }]) },
      /^plain-elf/,
    ],
    ['with a damaged archive', { 'a.zip': inner.subarray(0, 200) }, /^package-damaged/],
    ['with a damaged manifest in a folder', inFolder('x', { 'manifest.json': asciiBytes('{') }), /^manifest-damaged/],
    ['whose manifest is of something else', { 'manifest.json': { name: 'Web app' } }, /^manifest-damaged/],
  ])('is refused: one %s', async (_what, all, expected) => {
    expect(await fault(all)).toMatch(expected);
  });

  it('is refused when archives in archives hold more than one may', async () => {
    const large = zipOf({ 'x.bin': new Uint8Array(40 * 1_048_576) });
    expect(await fault({ 'a.zip': large, 'b.zip': large })).toMatch(/^package-damaged/);
  });
});

describe('a file with the suffix of DFU', () => {
  it('is the image in front of it, alone and in a package', async () => {
    const file = withDfuSuffix(app);
    expect((await readNrfFirmware('zephyr.dfu', file)).images).toMatchObject([{ bytes: app, leftOut: [] }]);
    const zip = zipOf({ 'manifest.json': { files: [{ file: 'a.bin', size: file.length }] }, 'a.bin': file });
    expect((await readNrfFirmware('a.zip', zip)).images).toMatchObject([{ bytes: app }]);
  });

  it('is refused when it is damaged, or for another kind of board', async () => {
    const damaged = withDfuSuffix(app);
    damaged[90] = (damaged[90] ?? 0) ^ 1;
    expect(await fault(damaged)).toMatch(/^dfu-damaged/);
    expect(await fault(withDfuSuffix(noise(600)))).toMatch(/^not-a-package/);
    expect(await fault(joined(asciiBytes('DfuSe'), noise(300)))).toMatch(/^dfuse-file/);
  });
});
