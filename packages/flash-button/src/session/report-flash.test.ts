import { readManifest } from '@wirebench/flasher/release';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { flashesAddress, reportFlash } from './report-flash.ts';

const parts = [{ path: 'app.bin', offset: 0 }];

function released(address: string, manifest: object) {
  const release = readManifest(JSON.stringify(manifest), address);
  const [version] = release.versions;
  const [build] = version?.builds ?? [];
  if (version === undefined || build === undefined) {
    throw new Error('The manifest has no build.');
  }
  return { release, version, build };
}

const server = 'https://bench.example/lab/api/firmware/shared';
const id = '0b0f3a52-6a35-4c8e-9d0a-2f3f9f3f7c11';
const fromServer = () =>
  released(`${server}/project/proj1/manifest.json`, {
    name: 'Node',
    version: '1.4.0',
    builds: [],
    wirebench: {
      shareId: 'vers1',
      builds: [{ _id: id, deviceFamily: 'esp', deviceModel: 'esp32', guards: {}, parts }],
    },
  });

describe('reports of flashes', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('go to the version at the server of the release, with the build', () => {
    const fetched = vi.fn(async () => new Response());
    vi.stubGlobal('fetch', fetched);
    const { release, version, build } = fromServer();
    reportFlash(release, version, build, { result: 'failure', chip: 'ESP32', errorCode: 'unplugged' });
    expect(fetched).toHaveBeenCalledWith(
      `${server}/version/vers1/flashes`,
      expect.objectContaining({
        method: 'POST',
        credentials: 'omit',
        body: JSON.stringify({ result: 'failure', chip: 'ESP32', errorCode: 'unplugged', buildId: id }),
      }),
    );
  });

  it('are sent to no other publisher', () => {
    const fetched = vi.fn();
    vi.stubGlobal('fetch', fetched);
    const other = released('https://maker.example/manifest.json', {
      name: 'Node',
      version: '1',
      builds: [{ chipFamily: 'ESP32', parts }],
    });
    expect(flashesAddress(other.release, other.version)).toBeNull();
    reportFlash(other.release, other.version, other.build, { result: 'success', chip: 'ESP32', errorCode: null });
    expect(fetched).not.toHaveBeenCalled();
  });
});
