/** Behaviour of the folder store beyond that of every store (`blob-store.test.ts`). */
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { BlobStoreUnavailableError, newBlobKey } from './blob-store.ts';
import { openFolderStore } from './folder-store.ts';

const sha256 = '0'.repeat(64);

/** Returns a file whose bytes become safe when the test says so. */
async function start() {
  const folder = await temporaryFolder();
  const root = join(folder.path, 'blobs');
  const store = await openFolderStore(root);
  const path = join(folder.path, 'incoming');
  await writeFile(path, 'bytes');
  const safe = Promise.withResolvers<void>();
  const file = { path, size: 5, sha256, safe: safe.promise, [Symbol.asyncDispose]: async () => undefined };
  return {
    safe,
    keep: () => store.keep(newBlobKey(sha256), file),
    kept: async () => (await readdir(root, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

describe('a folder', () => {
  it('gives bytes their name once they survive a crash, and not before', async () => {
    await using test = await start();
    const keeping = test.keep();
    expect(await test.kept()).toEqual([]);
    test.safe.resolve();
    await keeping;
    expect(await test.kept()).toHaveLength(1);
  });

  it('keeps nothing of bytes that the disk did not take', async () => {
    await using test = await start();
    const keeping = test.keep();
    test.safe.reject(new BlobStoreUnavailableError('full', {}));
    await expect(keeping).rejects.toMatchObject({ reason: 'full' });
    expect(await test.kept()).toEqual([]);
  });
});
