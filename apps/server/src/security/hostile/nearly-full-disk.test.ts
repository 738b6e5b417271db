/**
 * Uploads to a nearly full disk: they stop before the database on it runs out of space, and continue when there is
 * space again.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { apiPaths, ErrorAnswer, firmwarePaths, ProjectAnswer } from '@wirebench/contract';
import { describe, expect, it } from 'vitest';
import { ask, requestHead, startRawConnection, versionForm } from '../../testing/hostile-target.ts';
import { startServerProcess } from '../../testing/server-process.ts';
import { asSeenBy, hasSmallDisks, onSmallDisk } from '../../testing/small-disk.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { startTokenIssuer } from '../../testing/token-issuer.ts';

const MEBIBYTE = 1_048_576;
const DISK = 96;
const RESERVE = 24;
/** Bytes. Four such files fit, five do not. */
const SIZE = 15 * MEBIBYTE;
const UPLOADS = 8;
const FIT = 4;

describe('a disk that is nearly full', () => {
  it.runIf(hasSmallDisks)(
    'is never filled by uploads, however many come at the same moment',
    async () => {
      await using folder = await temporaryFolder();
      await using issuer = await startTokenIssuer();
      const dataDir = join(folder.path, 'data');
      await mkdir(dataDir);
      await using server = await startServerProcess({
        cwd: folder.path,
        environment: {
          ...issuer.environment,
          DATA_DIR: dataDir,
          DISK_RESERVE: String(RESERVE),
          LIMIT_UPLOADS_PER_USER: String(UPLOADS),
          LIMIT_VERSIONS: '100',
          RATE_LIMIT_WRITES: '0',
        },
        wrapper: onSmallDisk(dataDir, DISK),
      });
      const disk = asSeenBy(server.child.pid ?? 0, dataDir);
      const free = async () => {
        const { bavail, bsize } = await statfs(disk);
        return bavail * bsize;
      };
      const token = await issuer.sign({
        iss: issuer.issuer,
        sub: 'maker',
        azp: 'wirebench-web',
        exp: Math.floor(Date.now() / 1_000) + 300,
      });
      const authorization = `Bearer ${token}`;
      const json = { authorization, 'content-type': 'application/json' };
      const post = (path: string, body: object) =>
        ask(`${server.address}${path}`, { method: 'POST', headers: json }, JSON.stringify(body));
      const { project } = ProjectAnswer.parse(
        JSON.parse((await post(firmwarePaths.newProject, { name: 'Large', deviceModel: 'esp32' })).body),
      );

      // Sends everything but the ends.
      const uploads = await Promise.all(
        Array.from({ length: UPLOADS }, async (_, number) => {
          const { head, tail, length, type } = versionForm(project._id, `1.${number}`, SIZE);
          const connection = await startRawConnection(Number(new URL(server.address).port));
          const headers = { authorization, 'content-type': type, 'content-length': String(length) };
          connection.socket.write(requestHead(firmwarePaths.newVersion, headers) + head);
          connection.socket.write(Buffer.alloc(SIZE, Buffer.of(number, 0x9c, 0x00, 0xf3)));
          return { ...connection, tail };
        }),
      );
      const refused = () => uploads.filter(({ received }) => received().startsWith('HTTP/1.1 503 '));
      const taken = () => uploads.filter((each) => !refused().includes(each));
      await expect.poll(() => refused().length, { timeout: 20_000 }).toBe(UPLOADS - FIT);
      for (const { received } of refused()) {
        expect(received()).toContain('"code":"disk-space-low"');
      }
      for (const { socket, tail } of taken()) {
        socket.write(tail);
      }
      for (const { received } of taken()) {
        await expect.poll(received, { timeout: 20_000 }).toMatch(/^HTTP\/1\.1 201 /);
      }
      expect(await free()).toBeGreaterThanOrEqual(RESERVE * MEBIBYTE);
      // Small writes still succeed.
      expect(
        (await post(apiPaths.feedback, { email: 'a name', message: 'This disk is nearly full, and it works.' })).status,
      ).toBe(201);

      const small = async () => {
        const { head, tail, type } = versionForm(project._id, `2.${randomUUID()}`, 3);
        const headers = { authorization, 'content-type': type };
        return ask(`${server.address}${firmwarePaths.newVersion}`, { method: 'POST', headers }, `${head}abc${tail}`);
      };
      // Other programs may fill the disk too.
      await writeFile(join(disk, 'filler'), Buffer.alloc((await free()) - (RESERVE - 4) * MEBIBYTE));
      const late = await small();
      expect([late.status, late.headers['retry-after'], ErrorAnswer.parse(JSON.parse(late.body)).code]).toEqual([
        503,
        '60',
        'disk-space-low',
      ]);
      await rm(join(disk, 'filler'));
      expect((await small()).status).toBe(201);
      for (const { socket } of uploads) {
        socket.destroy();
      }
      await server.stop();
    },
    90_000,
  );
});
