/** The database fails during writes and returns. The server keeps running, and all acknowledged writes are present. */
import { join } from 'node:path';
import { isLong } from '@wirebench/test-input';
import { describe, expect, it } from 'vitest';
import { AcknowledgedWrites } from '../testing/acknowledged-writes.ts';
import { findPostgresPrograms, startCluster } from '../testing/postgres.ts';
import { startServerProcess } from '../testing/server-process.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

const ROUNDS = isLong ? 10 : 2;

const statusOf = (address: string) =>
  fetch(`${address}/api/ready`).then(
    ({ status }) => status,
    () => null,
  );

describe('a PostgreSQL that crashes under a server', () => {
  it.runIf(findPostgresPrograms() !== null)(
    'is answered with 503, and used again as soon as it is back',
    async () => {
      await using folder = await temporaryFolder();
      await using cluster = await startCluster();
      await using server = await startServerProcess({
        cwd: folder.path,
        environment: {
          DATABASE_URL: cluster.url(),
          DATA_DIR: join(folder.path, 'data'),
          RATE_LIMIT_WRITES: '0',
          LIMIT_UPLOADS_PER_USER: '3',
          LIMIT_VERSIONS: '10000',
          LIMIT_PROJECTS: '10000',
          LIMIT_JKITS: '10000',
        },
      });
      const writes = new AcknowledgedWrites();
      const stop = new AbortController();
      const reached = (count: number) =>
        expect.poll(() => writes.summary.acknowledged, { timeout: 60_000 }).toBeGreaterThan(count);
      const writing = writes.writeTo(server.address, stop.signal);
      for (let round = 1; round <= ROUNDS; round++) {
        await reached(writes.summary.acknowledged + 20);
        await cluster.crash();
        await expect.poll(() => statusOf(server.address), { timeout: 30_000 }).toBe(503);
        expect(await fetch(`${server.address}/api/health`).then(({ status }) => status)).toBe(200);
        await cluster.restart();
        await expect.poll(() => statusOf(server.address), { timeout: 30_000 }).toBe(200);
        await reached(writes.summary.acknowledged + 20);
      }
      stop.abort();
      await writing;
      expect(await writes.findMissing(server.address)).toEqual([]);
      expect(writes.summary.unexpected).toEqual([]);
      await server.stop();
    },
    300_000,
  );
});
