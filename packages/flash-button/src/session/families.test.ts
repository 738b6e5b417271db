import { families, familyIds, flasherPath, modelsOf } from '@wirebench/boards';
import { VirtualClock } from '@wirebench/clock';
import { familiesOf, loadFamily, remedyOf } from '@wirebench/flasher/callers';
import { manifestAddress, readManifest } from '@wirebench/flasher/release';
import { describe, expect, it } from 'vitest';
import { createDemoBoard } from '../boards/demo.ts';

describe.each(familyIds)('the family %s', (family) => {
  it('has a page whose address with a release is that of a manifest', () => {
    for (const type of ['project', 'version'] as const) {
      const link = `https://bench.example/tools${flasherPath(family, type, 'Ab-_9')}`;
      expect(manifestAddress(link)).toBe(`https://bench.example/tools/api/firmware/shared/${type}/Ab-_9`);
    }
    const page = `https://bench.example${families[family].page}`;
    expect(manifestAddress(page)).toBe(page);
  });

  it.each(modelsOf(family))('is known from a manifest with a build for %s', (deviceModel) => {
    const file = { path: 'a.hex', fileName: 'a.hex', offset: '0x0', size: 4, sha256: '0'.repeat(64) };
    const builds = [{ deviceFamily: family, deviceModel, guards: {}, files: [file] }];
    const manifest = { name: 'Lamp', version: '1.0.0', builds: [], wirebench: { publisher: 'maker', builds } };
    const { versions } = readManifest(JSON.stringify(manifest), 'https://bench.example/manifest.json');
    expect(versions.map(familiesOf)).toEqual([[family]]);
    expect(versions[0]?.builds).toMatchObject([{ deviceModel, fault: null }]);
  });

  it('has code that connects its boards and explains failures', async () => {
    const loaded = await loadFamily(family);
    expect(loaded.connect).toBeTypeOf('function');
    expect(remedyOf(loaded)('port-gone')).not.toBe('');
    expect(remedyOf(loaded)('not-a-code')).toBe('');
    expect(await loadFamily(family)).toBe(loaded);
  });

  it('has a demo board for one of its models', () => {
    const builds = modelsOf(family).map((deviceModel) => ({ deviceFamily: family, deviceModel }));
    const demo = createDemoBoard(builds, new VirtualClock());
    expect(demo?.family).toBe(family);
  });
});

describe('other families', () => {
  it('have neither a demo board nor a place among those of a version', () => {
    expect(createDemoBoard([{ deviceFamily: 'toString', deviceModel: 'esp32' }], new VirtualClock())).toBeNull();
    expect(familiesOf({ builds: [{ deviceFamily: 'pic' }] } as unknown as Parameters<typeof familiesOf>[0])).toEqual(
      [],
    );
  });
});
