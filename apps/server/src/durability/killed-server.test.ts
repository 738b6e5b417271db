/**
 * Real server processes that are killed during writes: on each database, with files in a folder and, if an S3 store is
 * available, in a bucket. In the long run fifty times. In `npm test` twice on SQLite, the second time after it has
 * recovered, and once on PostgreSQL with a bucket or, without S3, a folder.
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

const everyPlace = [
  ...databaseKinds.map((kind) => ({ kind, files: 'a folder', filesIn: async (): Promise<Environment> => ({}) })),
  ...databaseKinds
    .filter(({ name }) => hasS3 && name === 'PostgreSQL')
    .map((kind) => ({ kind, files: 'a bucket', filesIn: async () => (await createBucket()).environment })),
];

/** In `npm test`, the last place of each database. */
const places = everyPlace.filter(
  ({ kind }, index) => isLong || index === everyPlace.findLastIndex((other) => other.kind === kind),
);

describe.each(places)('a server that is killed while people write, on $kind.name and $files', ({ kind, filesIn }) => {
  const shortRounds = kind.name === 'SQLite' ? 2 : 1;
  const rounds = isLong ? 50 : shortRounds;

  it(
    `has everything that it acknowledged, kills: ${rounds}`,
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
      for (let round = 1; round <= rounds; round++) {
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
    rounds * 60_000,
  );
});

function expectSound(path: string): void {
  const database = new DatabaseSync(path);
  expect(database.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
  expect(database.prepare('pragma foreign_key_check').all()).toEqual([]);
  database.close();
}
