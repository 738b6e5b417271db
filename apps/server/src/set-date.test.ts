/** The system's date is set while the server runs: by a time server, or because its virtual machine was resumed. */
import { existsSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { accountPaths, firmwarePaths, tokenPaths } from '@wirebench/contract';
import { describe, expect, it } from 'vitest';
import { type ServerProcess, startServerProcess } from './testing/server-process.ts';
import { signIn } from './testing/sign-in.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';

/** Library of the Debian package `faketime`, which gives a process another date than the system's. */
const library = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/faketime/libfaketimeMT.so.1`;

const hour = 3_600;
const day = 24 * hour;

interface DatedServer extends AsyncDisposable {
  readonly server: ServerProcess;
  /** Sets the server's date to `seconds` after the true one. */
  setDate(seconds: number): Promise<void>;
}

/** Starts a server whose date is `seconds` after the true one. Its time for waits is the system's. */
async function startDatedServer(seconds: number): Promise<DatedServer> {
  const folder = await temporaryFolder();
  const file = join(folder.path, 'date');
  const setDate = async (by: number) => {
    // Renamed into place: the library reads the file at any moment.
    await writeFile(`${file}.new`, `${by < 0 ? '-' : '+'}${Math.abs(by)}s\n`);
    await rename(`${file}.new`, file);
  };
  await setDate(seconds);
  const server = await startServerProcess({
    cwd: folder.path,
    environment: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      DONT_FAKE_MONOTONIC: '1',
      LOG_LEVEL: 'silent',
    },
  });
  const dispose = async () => {
    await server[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  };
  return { server, setDate, [Symbol.asyncDispose]: dispose };
}

const sensor = { name: 'Sensor', deviceModel: 'esp32' };
const accountPath = accountPaths.account;

const call = async ({ server }: DatedServer, token: string, path: string, init: RequestInit = {}) =>
  fetch(new URL(path, server.address), {
    ...init,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  });

async function post<Answer>(dated: DatedServer, token: string, path: string, body: object): Promise<Answer> {
  const answer = await call(dated, token, path, { method: 'POST', body: JSON.stringify(body) });
  expect(answer.status).toBe(201);
  return (await answer.json()) as Answer;
}

describe.skipIf(!existsSync(library))('a server whose date is set while it runs', () => {
  it('accepts sign-ins at once after it was started an hour ahead', { timeout: 60_000 }, async () => {
    await using dated = await startDatedServer(hour);
    await dated.setDate(0);
    const { access_token: token } = await signIn(dated.server.address, 'maker');
    expect((await call(dated, token, accountPath)).status).toBe(200);
    const { project } = await post<{ project: { createdAt: string } }>(dated, token, firmwarePaths.newProject, sensor);
    expect(Math.abs(Date.parse(project.createdAt) - Date.now())).toBeLessThan(60_000);
  });

  it('refuses an access token after the machine has slept for an hour', { timeout: 60_000 }, async () => {
    await using dated = await startDatedServer(0);
    const { access_token: token } = await signIn(dated.server.address, 'maker');
    expect((await call(dated, token, accountPath)).status).toBe(200);
    await dated.setDate(hour);
    expect((await call(dated, token, accountPath)).status).toBe(401);
  });

  it('refuses a publishing token of one day nine days later', { timeout: 60_000 }, async () => {
    await using dated = await startDatedServer(0);
    const { access_token: token } = await signIn(dated.server.address, 'maker');
    const { project } = await post<{ project: { _id: string } }>(dated, token, firmwarePaths.newProject, sensor);
    const wanted = { name: 'CI', projectId: project._id, expiresInDays: 1 };
    const { secret } = await post<{ secret: string }>(dated, token, tokenPaths.tokens, wanted);
    expect((await call(dated, secret, firmwarePaths.projects)).status).toBe(200);
    await dated.setDate(9 * day);
    expect((await call(dated, secret, firmwarePaths.projects)).status).toBe(401);
  });
});
