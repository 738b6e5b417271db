import { describe, expect, it } from 'vitest';
import { asciiBytes } from '../../core/bytes.ts';
import { withFlashSettings } from '../images/flash-settings.ts';
import { type BuiltPartition, buildLittleFs, buildTable, factoryLayout, otaLayout } from '../testing/esp-data.ts';
import { buildApp, buildBootloader, buildMerged, filler } from '../testing/esp-images.ts';
import { placeFiles } from './place-files.ts';
import type { DroppedFile } from './placement.ts';

const placesOf = (files: readonly DroppedFile[]) => placeFiles(files).files.map(({ name, offset }) => [name, offset]);

describe('a merged image', () => {
  const [bootloader, table, app] = [buildBootloader(), buildTable(factoryLayout), buildApp()];
  const merged = {
    name: 'merged.bin',
    bytes: buildMerged([
      [0x1000, bootloader],
      [0x8000, table],
      [0x10000, app],
    ]),
  };
  const single = [
    { name: 'bootloader.bin', bytes: bootloader },
    { name: 'partitions.bin', bytes: table },
    { name: 'app.bin', bytes: app },
  ];

  it('is taken alone, and left out beside single files that hold all of it', () => {
    expect(placesOf([merged])).toEqual([['merged.bin', 0]]);
    const all = placeFiles([merged, ...single]);
    expect(all.files.map(({ name }) => name)).toEqual(['bootloader.bin', 'partitions.bin', 'app.bin']);
    expect(all.leftOut).toMatchObject([
      { name: 'merged.bin', why: 'The separate files next to it contain the same data.' },
    ]);
  });

  it('is left out though its tool has put other flash settings into the bootloader', async () => {
    const changed = await withFlashSettings(bootloader, { mode: 'qio', frequency: 80, size: 'keep' });
    const files = [{ name: 'bootloader.bin', bytes: changed }, ...single.slice(1)];
    expect(placeFiles([merged, ...files]).leftOut.map(({ name }) => name)).toEqual(['merged.bin']);
  });

  it('stays when it holds more than the single files, and those are left out', () => {
    const both = placeFiles([merged, { name: 'app.bin', bytes: app }]);
    expect(both.files.map(({ name, offset }) => [name, offset])).toEqual([['merged.bin', 0]]);
    expect(both.leftOut).toMatchObject([{ name: 'app.bin', why: 'merged.bin contains it.' }]);
    const withData = {
      name: 'full.bin',
      bytes: buildMerged([
        [0, merged.bytes],
        [0x110000, buildLittleFs()],
      ]),
    };
    const full = placeFiles([withData, ...single]);
    expect(full.files.map(({ name }) => name)).toEqual(['full.bin']);
    expect(full.leftOut.map(({ why }) => why)).toEqual(single.map(() => 'full.bin contains it.'));
  });

  it('stays beside the app that it has not, and says which settings it erases', () => {
    const head = buildMerged([
      [0x1000, bootloader],
      [0x8000, table],
    ]);
    const bytes = new Uint8Array(0xffff).fill(0xff);
    bytes.set(head);
    const placement = placeFiles([
      { name: 'boot.bin', bytes },
      { name: 'app.bin', bytes: app },
    ]);
    expect(placement.files.map(({ name, offset }) => [name, offset])).toEqual([
      ['boot.bin', 0],
      ['app.bin', 0x10000],
    ]);
    expect([placement.leftOut, placement.conflicts]).toEqual([[], []]);
    expect(placement.files[0]?.why).toBe(
      'The file contains everything from here on. It is 0xFF where "nvs" at 0x9000 is: this erases the settings stored there, unless they are kept.',
    );
    expect(placeFiles([{ name: 'boot.bin', bytes: head }]).files[0]?.why).not.toContain('erases');
  });

  it('stays beside another app, and the overlap is said', () => {
    const { files, leftOut, conflicts } = placeFiles([
      merged,
      { name: 'new.bin', bytes: buildApp({ version: '2.0.0' }) },
    ]);
    expect([files.length, leftOut, conflicts.map(({ code }) => code)]).toEqual([2, [], ['overlap']]);
  });

  describe('with a slot that it does not fill', () => {
    const head = [
      [0x1000, bootloader],
      [0x8000, buildTable(otaLayout)],
    ] as const;
    const factory = { name: 'firmware-1.2.3.factory.bin', bytes: buildMerged([...head, [0x10000, app]]) };
    const other = { name: 'loader.bin', bytes: buildApp({ version: '2.0.0' }) };

    it('gets a program beside it into the free slot', () => {
      const { files, conflicts, leftOut } = placeFiles([factory, other]);
      expect(files.map(({ name, offset }) => [name, offset])).toEqual([
        ['firmware-1.2.3.factory.bin', 0],
        ['loader.bin', 0x150000],
      ]);
      expect([conflicts, leftOut]).toEqual([[], []]);
      expect(files[1]?.why).toBe('Partition "app1" begins at 0x150000. firmware-1.2.3.factory.bin holds "app0".');
    });

    it('keeps a program that is the same as its own out', () => {
      const { files, leftOut } = placeFiles([factory, { name: 'firmware.bin', bytes: app }]);
      expect([files.length, leftOut.map(({ why }) => why)]).toEqual([1, ['firmware-1.2.3.factory.bin contains it.']]);
    });

    it('leaves the place to a list that names it, and to a name with an offset', () => {
      const parts = [
        { path: factory.name, offset: 0 },
        { path: other.name, offset: 0x290000 },
      ];
      const manifest = {
        name: 'manifest.json',
        bytes: asciiBytes(JSON.stringify({ builds: [{ chipFamily: 'ESP32', parts }] })),
      };
      expect(placesOf([manifest, other, factory])).toEqual([
        [factory.name, 0],
        [other.name, 0x290000],
      ]);
      const named = { ...other, name: 'loader_0x200000.bin' };
      expect(placesOf([factory, named])).toEqual([
        [factory.name, 0],
        [named.name, 0x200000],
      ]);
    });

    it('gets a program that a person adds to a list into the free slot', () => {
      const parts = [{ path: factory.name, offset: 0 }];
      const manifest = {
        name: 'manifest.json',
        bytes: asciiBytes(JSON.stringify({ builds: [{ chipFamily: 'ESP32', parts }] })),
      };
      expect(placesOf([manifest, factory, { ...other, added: true }])).toEqual([
        [factory.name, 0],
        [other.name, 0x150000],
      ]);
    });

    it('overlaps with a program for which the free slot is too small, and with one if it covers all slots', () => {
      const [nvs, otaData, app0, app1] = otaLayout;
      const small = [nvs, otaData, app0, { ...app1, size: 0x10000 }].filter((one) => one !== undefined);
      const bytes = buildMerged([
        [0x1000, bootloader],
        [0x8000, buildTable(small as BuiltPartition[])],
        [0x10000, app],
      ]);
      const large = { name: 'large.bin', bytes: buildApp({ size: 0x20000 }) };
      const codes = (files: readonly DroppedFile[]) => placeFiles(files).conflicts.map(({ code }) => code);
      expect(codes([{ name: 'factory.bin', bytes }, large])).toEqual(['overlap']);
      const full = { name: 'full.bin', bytes: buildMerged([...head, [0x10000, app], [0x150000, app]]) };
      expect(codes([full, other])).toEqual(['overlap']);
    });
  });

  it('goes to the start of flash when it is a bootloader behind its digest', () => {
    const bytes = buildMerged([
      [0, filler(192)],
      [0x1000, bootloader],
    ]);
    expect(placesOf([{ name: 'bootloader-reflash-digest.bin', bytes }])).toEqual([
      ['bootloader-reflash-digest.bin', 0],
    ]);
  });
});
