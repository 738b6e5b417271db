import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
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
});
