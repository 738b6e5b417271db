/** A project for uploads, and the files that the server keeps during and after them. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { releaseClient } from './release-client.ts';
import { buildTestApp, type TestApp } from './test-app.ts';

export interface UploadTest {
  readonly test: TestApp;
  readonly owner: ReturnType<typeof releaseClient>;
  /** A project of `owner` without a version. */
  readonly projectId: string;
  /** Names of the files that were stored before the test. */
  readonly stored: readonly string[];
  /** Returns the names of the files in a folder of the file store. */
  files(folder: StoreFolder): Promise<string[]>;
  /** Checks that an attempt has left no trace. */
  expectNothingNew(): Promise<void>;
}

type StoreFolder = 'blobs' | 'incoming';

/** Starts the test. The caller disposes `test`. */
export async function startUploadTest(): Promise<UploadTest> {
  const test = await buildTestApp({ RATE_LIMIT_WRITES: '0' });
  const owner = releaseClient(test.app, await test.bearer());
  const { _id: projectId } = await owner.newProject();
  const files = (folder: StoreFolder) => filesIn(join(test.dataDir, 'firmware', folder));
  const stored = await files('blobs');
  return {
    test,
    owner,
    projectId,
    stored,
    files,
    async expectNothingNew() {
      await expect.poll(() => files('blobs')).toEqual(stored);
      expect(await files('incoming')).toEqual([]);
      expect((await owner.projects()).map(({ versions }) => versions)).toEqual([[]]);
    },
  };
}

/** Returns the names of the files in `folder` and below. */
export async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

export const bin = (name: string, bytes: Uint8Array = Buffer.from(`bytes of ${name}`)) => ({ name, bytes });
