/** A server whose disk is full: it says so, keeps nothing by half, and goes on when there is room again. */
import { cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { AcknowledgedWrites } from '../testing/acknowledged-writes.ts';
import { startServerProcess } from '../testing/server-process.ts';
import { asSeenBy, hasSmallDisks, onSmallDisk } from '../testing/small-disk.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

const MEGABYTES = 12;

describe('a full disk', () => {
  it.runIf(hasSmallDisks)(
    'is answered with 503, loses nothing that was acknowledged, and is used again when there is room',
    async () => {
      await using folder = await temporaryFolder();
      const dataDir = join(folder.path, 'data');
      await mkdir(dataDir);
      await using server = await startServerProcess({
        cwd: folder.path,
        environment: {
          DATA_DIR: dataDir,
          RATE_LIMIT_WRITES: '0',
          LIMIT_UPLOADS_PER_USER: '3',
          // What is full may be the disk of anything else, too.
          DISK_RESERVE: '0',
          LIMIT_VERSIONS: '10000',
          LIMIT_PROJECTS: '10000',
          LIMIT_JKITS: '10000',
        },
        wrapper: onSmallDisk(dataDir, MEGABYTES),
      });
      const disk = asSeenBy(server.child.pid ?? 0, dataDir);
      // Room that is given back later.
      await writeFile(join(disk, 'filler'), Buffer.alloc(3_000_000));

      const writes = new AcknowledgedWrites();
      const stop = new AbortController();
      const writing = writes.writeTo(server.address, stop.signal);
      await expect.poll(() => writes.summary.refused, { timeout: 60_000 }).toBeGreaterThan(50);
      stop.abort();
      await writing;
      expect(writes.summary.unexpected).toEqual([]);
      const whileFull = writes.summary.acknowledged;

      await rm(join(disk, 'filler'));
      const more = new AbortController();
      await writes.writeTo(server.address, more.signal, () => {
        if (writes.summary.acknowledged > whileFull + 10) {
          more.abort();
        }
      });
      expect(await writes.findMissing(server.address)).toEqual([]);
      expect(writes.summary.unexpected).toEqual([]);
      expect(await readdir(join(disk, 'firmware', 'incoming'))).toEqual([]);

      // SQLite does not find its way through the names of another namespace: it gets a copy.
      const copy = join(folder.path, 'copy');
      await cp(disk, copy, { recursive: true });
      const database = new DatabaseSync(join(copy, 'wirebench.sqlite'));
      expect(database.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
      expect(database.prepare('pragma foreign_key_check').all()).toEqual([]);
      database.close();
      await server.stop();
    },
    180_000,
  );
});
