import { describe, expect, it } from 'vitest';
import { withFlashSettings } from '../images/flash-settings.ts';
import { buildLittleFs, buildTable, factoryLayout } from '../testing/esp-data.ts';
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
