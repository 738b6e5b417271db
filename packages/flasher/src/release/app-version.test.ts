import { describe, expect, it } from 'vitest';
import { buildTable, factoryLayout } from '../esp/testing/esp-data.ts';
import { buildApp, buildBootloader, buildMerged } from '../esp/testing/esp-images.ts';
import { appVersionOf } from './app-version.ts';
import { readFirmware } from './read-firmware.ts';
import { otherAppVersions } from './release-build.ts';

const statedIn = async (bytes: Uint8Array) => appVersionOf({ name: 'app.bin', reading: await readFirmware(bytes) });

describe('version that an app states', () => {
  it('is read from an app, and from a merged image', async () => {
    expect(await statedIn(buildApp())).toEqual({ name: 'app.bin', version: '1.2.3' });
    const parts = [
      [0x1000, buildBootloader()],
      [0x8000, buildTable(factoryLayout)],
      [0x1_0000, buildApp()],
    ] as const;
    const merged = buildMerged(parts, 0x1000);
    expect(await statedIn(merged)).toEqual({ name: 'app.bin', version: '1.2.3' });
  });

  it('is null in files without an app', async () => {
    expect(await statedIn(buildBootloader())).toBeNull();
    expect(await statedIn(buildTable(factoryLayout))).toBeNull();
  });

  it.each([
    ['1.2.3', []],
    ['v1.2.3', []],
    [' 1.2.3 ', []],
    ['1.2.4', ['1.2.3']],
    ['1.2.3-rc1', ['1.2.3']],
  ])('is compared with %j', (number, differing) => {
    const apps = [
      { name: 'a.bin', version: '1.2.3' },
      { name: 'a.bin', version: '1.2.3' },
    ];
    expect(otherAppVersions(number, apps).map(({ version }) => version)).toEqual(differing);
  });
});
