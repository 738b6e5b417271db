import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadBuildFiles } from '@wirebench/flasher/release';
import { temporaryFolder } from '@wirebench/server/testing/temporary-folder.ts';
import { describe, expect, it } from 'vitest';
import { readBuild } from './given-build.ts';

const manifest = JSON.stringify({
  name: 'Lamp',
  builds: [{ chipFamily: 'ESP32', parts: [{ path: 'lamp.bin', offset: 0 }] }],
});

describe('manifest in a file', () => {
  it.each([
    ['UTF-8', Buffer.from(manifest)],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${manifest}`)],
    ['UTF-16 of PowerShell', Buffer.from(`\ufeff${manifest}`, 'utf16le')],
    ['UTF-16 without a mark', Buffer.from(manifest, 'utf16le')],
  ])('is read in %s', async (_name, content) => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'manifest.json');
    await writeFile(path, content);
    const build = await readBuild([path], {}, null, new AbortController().signal);
    expect(build).toMatchObject({ kind: 'release', family: 'esp', release: { name: 'Lamp' } });
  });

  it('reads no file outside of its folder', async () => {
    await using folder = await temporaryFolder();
    const inner = join(folder.path, 'inner');
    await mkdir(inner);
    await writeFile(join(folder.path, 'secret.bin'), 'a secret');
    await writeFile(join(inner, 'manifest.json'), manifest.replace('lamp.bin', '..%2fsecret.bin'));
    const build = await readBuild([join(inner, 'manifest.json')], {}, null, new AbortController().signal);
    const [only] = build.kind === 'release' ? build.version.builds : [];
    const loading = build.kind === 'release' && only !== undefined ? loadBuildFiles(only, build.request) : null;
    await expect(loading).rejects.toMatchObject({ code: 'refused-by-server' });
  });

  it('is found in a folder with every build', async () => {
    await using folder = await temporaryFolder();
    const files = [{ path: 'lamp.hex', fileName: 'lamp.hex', offset: '0x0', size: 1, sha256: '00' }];
    const builds = [{ deviceFamily: 'avr', deviceModel: 'uno', guards: {}, files }];
    const pulled = { name: 'Lamp', version: '2', builds: [], wirebench: { builds } };
    await writeFile(join(folder.path, 'manifest.json'), JSON.stringify(pulled));
    const build = await readBuild([folder.path], {}, null, new AbortController().signal);
    expect(build).toMatchObject({ kind: 'release', family: 'avr', version: { version: '2' } });
  });
});
