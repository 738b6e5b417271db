/**
 * Flash counts that are collected in memory, when a server stops and when it is killed. In the long run it is started
 * more often.
 */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { demoReleaseId, SharedVersionAnswer, sharedFirmwarePaths } from '@wirebench/contract';
import { isLong } from '@wirebench/test-input';
import { describe, expect, it } from 'vitest';
import { startServerProcess } from '../testing/server-process.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

const ROUNDS = isLong ? 3 : 1;

const report = async (address: string, count: number) => {
  for (let number = 0; number < count; number++) {
    const url = `${address}${sharedFirmwarePaths.flashes(demoReleaseId)}`;
    expect((await fetch(url, { method: 'POST' })).status).toBe(204);
  }
};

const countAt = async (address: string) => {
  const answer = await fetch(`${address}${sharedFirmwarePaths.item('version', demoReleaseId)}`);
  return SharedVersionAnswer.parse(await answer.json()).version.writeCount;
};

function written(dataDir: string): number {
  const database = new DatabaseSync(join(dataDir, 'wirebench.sqlite'), { readOnly: true });
  try {
    return Number(database.prepare('select coalesce(sum(count), 0) as count from firmware_flashes').get()?.['count']);
  } finally {
    database.close();
  }
}

describe('counts of flashes', () => {
  it('are all there after a server has stopped', async () => {
    await using folder = await temporaryFolder();
    const environment = { DATA_DIR: join(folder.path, 'data'), RATE_LIMIT_WRITES: '0' };
    for (let round = 1; round <= ROUNDS; round++) {
      await using server = await startServerProcess({ cwd: folder.path, environment });
      await report(server.address, 25);
      await server.stop();
      expect(server.child.exitCode).toBe(0);
      expect(written(environment.DATA_DIR)).toBe(25 * round);
    }
  }, 60_000);

  it('lose no more than the last second when a server is killed', async () => {
    await using folder = await temporaryFolder();
    const environment = { DATA_DIR: join(folder.path, 'data'), RATE_LIMIT_WRITES: '0' };
    await using server = await startServerProcess({ cwd: folder.path, environment });
    await report(server.address, 20);
    await expect.poll(() => written(environment.DATA_DIR)).toBe(20);
    await report(server.address, 5);
    await server.kill();
    const count = written(environment.DATA_DIR);
    expect(count).toBeGreaterThanOrEqual(20);
    expect(count).toBeLessThanOrEqual(25);
    if (isLong) {
      await using again = await startServerProcess({ cwd: folder.path, environment });
      expect(await countAt(again.address)).toBe(count);
      await again.stop();
    }
  }, 60_000);
});
