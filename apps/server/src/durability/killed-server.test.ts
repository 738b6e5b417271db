/**
 * Real server processes that are killed during writes, the second time after they have recovered: on each database, with
 * files in a folder and, if an S3 store is available, in a bucket. Fifty times in the long run.
 */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isLong, randomNumber } from '@wirebench/test-input';
import { describe, expect, it } from 'vitest';
import type { Environment } from '../config.ts';
import { AcknowledgedWrites } from '../testing/acknowledged-writes.ts';
import { databaseKinds } from '../testing/databases.ts';
import { createBucket, hasS3 } from '../testing/s3-bucket.ts';
import { startServerProcess } from '../testing/server-process.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

const ROUNDS = isLong ? 50 : 2;

const places = [
  ...databaseKinds.map((kind) => ({ kind, files: 'a folder', filesIn: async (): Promise<Environment> => ({}) })),
  ...databaseKinds
    .filter(({ name }) => hasS3 && name === 'PostgreSQL')
    .map((kind) => ({ kind, files: 'a bucket', filesIn: async () => (await createBucket()).environment })),
];

describe.each(places)('a server that is killed while people write, on $kind.name and $files', ({ kind, filesIn }) => {
  it(
    `has everything that it acknowledged, ${ROUNDS} times`,
    async () => {
      await using folder = await temporaryFolder();
      await using place = await kind.place();
      const environment = {
        ...place.environment,
        ...(await filesIn()),
        DATA_DIR: join(folder.path, 'data'),
        RATE_LIMIT_WRITES: '0',
        LIMIT_UPLOADS_PER_USER: '3',
        LIMIT_VERSIONS: '10000',
        LIMIT_PROJECTS: '10000',
        LIMIT_JKITS: '10000',
      };
      const writes = new AcknowledgedWrites();
      let before = 0;
      for (let round = 1; round <= ROUNDS; round++) {
        await using server = await startServerProcess({ cwd: folder.path, environment });
        const killAfter = 10 + Math.floor(randomNumber() * 60);
        const stop = new AbortController();
        let killed: Promise<void> | null = null;
        await writes.writeTo(server.address, stop.signal, (count) => {
          if (count >= killAfter && killed === null) {
            killed = server.kill();
            stop.abort();
          }
        });
        await killed;
        expect(writes.summary.acknowledged).toBeGreaterThan(before);
        before = writes.summary.acknowledged;

        await using again = await startServerProcess({ cwd: folder.path, environment });
        expect(await writes.findMissing(again.address), `round ${round}`).toEqual([]);
        await again.stop();
        if (kind.name === 'SQLite') {
          expectSound(join(folder.path, 'data', 'wirebench.sqlite'));
        }
      }
      expect(writes.summary.unexpected).toEqual([]);
    },
    ROUNDS * 60_000,
  );
});

function expectSound(path: string): void {
  const database = new DatabaseSync(path);
  expect(database.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
  expect(database.prepare('pragma foreign_key_check').all()).toEqual([]);
  database.close();
}
