/** A server with a full disk: it reports that, stores nothing partially, and continues when there is space again. */
import { cp, mkdir, open, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ErrorAnswer, errorText, firmwarePaths, ProjectAnswer, ProjectList, VersionAnswer } from '@wirebench/contract';
import { isLong } from '@wirebench/test-input';
import { describe, expect, it } from 'vitest';
import { probeReleases } from '../features/releases/probe-release.ts';
import { demoRelease } from '../features/releases/releases.ts';
import { AcknowledgedWrites } from '../testing/acknowledged-writes.ts';
import { freePort } from '../testing/free-port.ts';
import { noise } from '../testing/noise.ts';
import { startServerProcess } from '../testing/server-process.ts';
import { authorizationRequest, requestTokens, signIn } from '../testing/sign-in.ts';
import { asSeenBy, hasSmallDisks, onSmallDisk } from '../testing/small-disk.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { json } from '../testing/writers/writer.ts';

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
          // Without a reserve, because other programs may fill the disk too.
          DISK_RESERVE: '0',
          LIMIT_VERSIONS: '10000',
          LIMIT_PROJECTS: '10000',
          LIMIT_JKITS: '10000',
        },
        wrapper: onSmallDisk(dataDir, MEGABYTES),
      });
      const disk = asSeenBy(server.child.pid ?? 0, dataDir);
      // Space that is freed later.
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
      if (!isLong) {
        // The disk counts as full for ten seconds after a failure. Until then, writers send ten thousand requests.
        await expect.poll(async () => (await readiness(server.address))[0], { timeout: 30_000 }).toBe(200);
      }
      const more = new AbortController();
      await writes.writeTo(server.address, more.signal, () => {
        if (writes.summary.acknowledged > whileFull + 10) {
          more.abort();
        }
      });
      expect(await writes.findMissing(server.address)).toEqual([]);
      expect(writes.summary.unexpected).toEqual([]);
      expect(await readdir(join(disk, 'firmware', 'incoming'))).toEqual([]);

      // SQLite cannot open paths of another namespace, so it gets a copy.
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

  it.runIf(hasSmallDisks)(
    'is reported as such, and still allows signing in, reading, revoking and deleting',
    async () => {
      await using folder = await temporaryFolder();
      const dataDir = join(folder.path, 'data');
      await mkdir(dataDir);
      await using server = await startServerProcess({
        cwd: folder.path,
        // With a reserve, uploads would be refused before the disk is full.
        environment: { DATA_DIR: dataDir, RATE_LIMIT_WRITES: '0', RATE_LIMIT_READS: '0', DISK_RESERVE: '0' },
        wrapper: onSmallDisk(dataDir, 40),
      });
      const call = await callerOf(server.address);
      const [projectId, versionId] = await publish(call);
      const disk = asSeenBy(server.child.pid ?? 0, dataDir);
      await fill(join(disk, 'filler'));

      await expect.poll(() => readiness(server.address)).toEqual([503, 'disk-full']);
      expect((await fetch(`${server.address}/api/health`)).status).toBe(200);
      for (const write of [
        () => call('/api/feedback', json({ email: 'x', message: 'Written while the disk of the server is full' })),
        () => call(firmwarePaths.newProject, json({ name: 'Another', description: '', deviceModel: 'esp32' })),
        () => call(firmwarePaths.newVersion, { method: 'POST', body: new FormData() }),
      ]) {
        const answer = await write();
        expect([answer.status, answer.headers.get('retry-after'), await answer.json()]).toEqual([
          503,
          '5',
          {
            error: errorText['disk-full'],
            message: errorText['disk-full'],
            code: 'disk-full',
          },
        ]);
      }
      // Strangers begin sign-ins, and users finish theirs: those who were here before, and one who comes for the first
      // time.
      for (let start = 0; start < 400; start++) {
        const begun = await fetch(authorizationRequest(server.address, { state: 'x'.repeat(2_000) }).url, {
          redirect: 'manual',
        });
        expect(begun.status).toBeLessThan(400);
        if (start % 20 === 0) {
          const tokens = await signIn(server.address, start === 0 ? 'tinkerer' : 'admin');
          const later = callWith(server.address, tokens.access_token);
          expect((await later(firmwarePaths.projects)).status).toBe(200);
          const renewed = await requestTokens(server.address, {
            grant_type: 'refresh_token',
            refresh_token: tokens.refresh_token,
          });
          expect(renewed.status).toBe(200);
        }
      }
      expect((await call(firmwarePaths.projects)).status).toBe(200);

      // Callers without a token do not get the reserve.
      await fetch(`${server.address}${firmwarePaths.version(versionId)}`, { method: 'DELETE' });
      expect((await stat(join(disk, 'reserve-for-deleting'))).size).toBeGreaterThan(1_000_000);
      expect((await call(firmwarePaths.projectSharing(projectId), json({ isPublic: false }))).status).toBe(200);
      expect((await call(firmwarePaths.version(versionId), { method: 'DELETE' })).status).toBe(204);
      expect((await call(firmwarePaths.project(projectId), { method: 'DELETE' })).status).toBe(204);
      await expect.poll(() => blobsIn(disk)).toBe(PRODUCT_FILES);

      await rm(join(disk, 'filler'));
      await expect.poll(async () => (await readiness(server.address))[0], { timeout: 30_000 }).toBe(200);
      await publish(call);
      expect((await stat(join(disk, 'reserve-for-deleting'))).size).toBeGreaterThan(1_000_000);
      expect(server.output()).toContain('the disk of the database is full');
      await server.stop();
    },
    180_000,
  );

  it.runIf(hasSmallDisks)(
    'does not keep a server from starting, and deleting works there',
    async () => {
      await using folder = await temporaryFolder();
      const [before, dataDir] = [join(folder.path, 'before'), join(folder.path, 'data')];
      await mkdir(dataDir);
      const environment = { RATE_LIMIT_WRITES: '0', PORT: String(await freePort()) };
      let token: string;
      let versionId: string;
      {
        await using roomy = await startServerProcess({
          cwd: folder.path,
          environment: { ...environment, DATA_DIR: before },
        });
        token = (await signIn(roomy.address, 'admin')).access_token;
        [, versionId] = await publish(callWith(roomy.address, token));
        await roomy.kill();
      }
      const copyAndFill =
        'cp -a "$0/." "$1/" && (cat /dev/zero > "$1/filler" 2> /dev/null; true) && shift && exec "$@"';
      await using server = await startServerProcess({
        cwd: folder.path,
        environment: { ...environment, DATA_DIR: dataDir },
        wrapper: [...onSmallDisk(dataDir, 70), 'sh', '-c', copyAndFill, before, dataDir],
      });
      expect(await readiness(server.address)).toEqual([503, 'disk-full']);
      expect((await signIn(server.address, 'maker')).access_token).not.toBe('');
      const call = callWith(server.address, token);
      expect((await call(firmwarePaths.version(versionId), { method: 'DELETE' })).status).toBe(204);
      const { projects } = ProjectList.parse(await (await call(firmwarePaths.projects)).json());
      expect(projects[0]?.versions).toEqual([]);
      await server.stop();
    },
    180_000,
  );
});

/** Number of files of the product's releases. */
const PRODUCT_FILES = [demoRelease(), ...probeReleases()].flatMap(({ files }) => files).length;

async function readiness(address: string): Promise<[number, string | undefined]> {
  const answer = await fetch(`${address}/api/ready`);
  return [answer.status, ErrorAnswer.safeParse(await answer.json()).data?.code];
}

type Call = (path: string, options?: RequestInit) => Promise<Response>;

async function callerOf(address: string): Promise<Call> {
  return callWith(address, (await signIn(address, 'admin')).access_token);
}

function callWith(address: string, token: string): Call {
  return (path, { headers, ...options } = {}) =>
    fetch(`${address}${path}`, {
      ...options,
      headers: { ...Object.fromEntries(new Headers(headers)), authorization: `Bearer ${token}` },
    });
}

/** Creates a public project with a version of two megabytes. Returns both ids. */
async function publish(call: Call): Promise<[string, string]> {
  const project = { name: 'Large', description: '', deviceFamily: 'esp', deviceModel: 'esp32' };
  const created = await call(firmwarePaths.newProject, json(project));
  const projectId = ProjectAnswer.parse(await created.json()).project._id;
  await call(firmwarePaths.projectSharing(projectId), json({ isPublic: true }));
  const form = new FormData();
  for (const [name, value] of Object.entries({
    projectId,
    version: '1.0.0',
    description: 'Large',
    offsets: '["0x0"]',
  })) {
    form.set(name, value);
  }
  form.append('files', new Blob([new Uint8Array(noise(2_000_000))]), 'large.bin');
  const answer = await call(firmwarePaths.newVersion, { method: 'POST', body: form });
  expect(answer.status).toBe(201);
  return [projectId, VersionAnswer.parse(await answer.json()).version._id];
}

/** Uses all remaining space. */
async function fill(path: string): Promise<void> {
  const file = await open(path, 'w');
  try {
    for (let size = 1_048_576; size >= 1; ) {
      const { bytesWritten } = await file.write(Buffer.alloc(size, 1)).catch(() => ({ bytesWritten: 0 }));
      if (bytesWritten < size) {
        size = Math.floor(size / 2);
      }
    }
  } finally {
    await file.close();
  }
}

async function blobsIn(dataDir: string): Promise<number> {
  const entries = await readdir(join(dataDir, 'firmware', 'blobs'), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).length;
}
