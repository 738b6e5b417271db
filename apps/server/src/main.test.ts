/** The server as a process: what it prints and how it ends. `npm test` starts one for each way. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { firstUnlessLong, isLong } from '@wirebench/test-input';
import { describe, expect, it } from 'vitest';
import type { Environment } from './config.ts';
import { startServer } from './start-server.ts';
import { childEnvironment } from './testing/child-environment.ts';
import { freePort } from './testing/free-port.ts';
import { signIn } from './testing/sign-in.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';

const main = fileURLToPath(new URL('./main.ts', import.meta.url));

/** Starts the server with only `environment`, in `folder`. */
function run(folder: string, environment: Environment) {
  const child = spawn(process.execPath, [main], {
    cwd: folder,
    env: { ...childEnvironment(), PORT: '0', LOG_LEVEL: 'error', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors += text;
  });
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, output, errors }));
  const address = async () => {
    await expect.poll(() => output, { timeout: 20_000, interval: 20 }).toMatch(/ready: \S+\n/);
    return /ready: (\S+)/.exec(output)?.[1] ?? '';
  };
  return { child, ended, address };
}

describe('a server that cannot start', () => {
  it('says which port is taken, and nothing else', async () => {
    await using folder = await temporaryFolder();
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    expect(await run(folder.path, { PORT: String(port) }).ended).toEqual({
      code: 1,
      signal: null,
      output: '',
      errors: `PORT ${port} is in use by another program: stop that program, or set PORT to another number.\n`,
    });
    expect(await readdir(folder.path)).toEqual([]);
    other.close();
  });

  it('names the server that uses its data folder', async () => {
    await using folder = await temporaryFolder();
    const first = await startServer({ DATA_DIR: join(folder.path, 'data'), PORT: '0', LOG_LEVEL: 'silent' });
    expect(await run(folder.path, {}).ended).toEqual({
      code: 1,
      signal: null,
      output: '',
      errors: expect.stringMatching(
        new RegExp(
          `^DATA_DIR ${folder.path}/data is in use by another server \\(version \\S+, process ${process.pid} on \\S+\\): .+\n$`,
        ),
      ),
    });
    await first.close();
  });

  // The line is decided by `data-folder.test.ts`.
  it.runIf(isLong)('says which folder cannot be written, and nothing else', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'file');
    await writeFile(file, '');
    expect(await run(folder.path, { DATA_DIR: join(file, 'data') }).ended).toEqual({
      code: 1,
      signal: null,
      output: '',
      errors: `DATA_DIR ${join(file, 'data')} cannot be written to (ENOTDIR): make it writable, or set DATA_DIR to another folder.\n`,
    });
  });

  const spoilt = 'something else '.repeat(50);
  const files = ['wirebench.sqlite', 'identity.sqlite', 'identity-keys.json'];

  /** Writes a file in the data folder that is not what it should be. Returns its path. */
  async function spoil(folder: string, name: string): Promise<string> {
    const path = join(folder, 'data', name);
    await mkdir(join(folder, 'data'));
    await writeFile(path, spoilt);
    return path;
  }

  const advice = /^\S+ cannot be opened \(.+\): restore it from a backup, or set DATA_DIR to another folder\.$/;

  it.each(files)('has a line about %s that is not what it should be', async (name) => {
    await using folder = await temporaryFolder();
    const path = await spoil(folder.path, name);
    const started = startServer({ DATA_DIR: join(folder.path, 'data'), PORT: '0', LOG_LEVEL: 'silent' });
    await expect(started).rejects.toThrow(advice);
    await expect(started).rejects.toMatchObject({ lines: [expect.stringContaining(path)] });
  });

  it.each(firstUnlessLong(files))('says that %s is not what it should be, and leaves it alone', async (name) => {
    await using folder = await temporaryFolder();
    const path = await spoil(folder.path, name);
    const { code, output, errors } = await run(folder.path, {}).ended;
    expect([code, output]).toEqual([1, '']);
    expect(errors.slice(0, -1)).toMatch(advice);
    expect(errors.slice(-1)).toBe('\n');
    expect(errors).toContain(path);
    expect(await readFile(path, 'utf8')).toBe(spoilt);
  });

  it.runIf(isLong)('says what is wrong with each variable, one line each', async () => {
    await using folder = await temporaryFolder();
    const { code, output, errors } = await run(folder.path, { PORT: 'http', LOG_LEVEL: 'loud' }).ended;
    expect([code, output]).toEqual([1, '']);
    expect(errors).toBe(
      'PORT must be a whole number from 0 to 65535, not "http".\n' +
        'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent, not "loud".\n',
    );
  });

  it('reads .env too, and lets the environment win', async () => {
    await using folder = await temporaryFolder();
    await writeFile(join(folder.path, '.env'), 'LOG_LEVEL=from-file\nADMIN_ROLE=from-file\n');
    const { errors } = await run(folder.path, { PORT: 'x', LOG_LEVEL: 'from-environment' }).ended;
    expect(errors).toContain('not "from-environment"');
    expect(errors).not.toContain('from-file');
  });
});

describe('a server that waits for its database', () => {
  it('answers probes with "starting" and stops at once on SIGTERM', async () => {
    await using folder = await temporaryFolder();
    // Accepts connections and never answers, like a database whose lock another server holds.
    const database = createServer().listen(0, '127.0.0.1');
    await once(database, 'listening');
    const port = await freePort();
    const server = run(folder.path, {
      PORT: String(port),
      DATABASE_URL: `postgres://somebody:word@127.0.0.1:${(database.address() as { port: number }).port}/wirebench`,
    });
    const health = () => fetch(`http://127.0.0.1:${port}/api/health`).catch(() => null);
    await expect.poll(async () => (await health())?.status, { timeout: 20_000, interval: 20 }).toBe(503);
    expect(await (await health())?.json()).toEqual({ status: 'starting' });
    server.child.kill('SIGTERM');
    expect((await server.ended).code).toBe(143);
    database.close();
  });
});

describe('the log of a server', () => {
  it('has the line of every request when the server was stopped', async () => {
    await using folder = await temporaryFolder();
    const server = run(folder.path, { LOG_LEVEL: 'info' });
    const address = await server.address();
    const { headers } = await fetch(`${address}/api/feedback`);
    server.child.kill('SIGTERM');
    const { code, output } = await server.ended;
    expect(code).toBe(0);
    expect(output).toContain(`"reqId":"${headers.get('x-request-id')}"`);
  });

  it('may lose its reader without the server ending', async () => {
    await using folder = await temporaryFolder();
    const server = run(folder.path, { LOG_LEVEL: 'debug' });
    const address = await server.address();
    server.child.stdout.destroy();
    for (let count = 0; count < 3; count++) {
      expect((await fetch(`${address}/api/health`)).status).toBe(200);
      // The log line of this request meets the closed pipe before the next request.
      await expect.poll(async () => (await fetch(`${address}/api/ready`)).status).toBe(200);
    }
    // The other tests of `npm test` send SIGTERM.
    server.child.kill('SIGINT');
    expect((await server.ended).code).toBe(0);
  });
});

describe.each(firstUnlessLong(['SIGTERM', 'SIGINT']))('%s', (signal) => {
  it('lets a request in flight finish and ends the process in order', async () => {
    await using folder = await temporaryFolder();
    const server = run(folder.path, {});
    const address = await server.address();
    const { access_token } = await signIn(address, 'maker');

    const body = JSON.stringify({ email: 'x', message: 'Sent in two halves, with a signal between' });
    const upload = request(`${address}/api/feedback`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${access_token}`,
        'content-type': 'application/json',
        'content-length': body.length,
        expect: '100-continue',
      },
    });
    upload.flushHeaders();
    await once(upload, 'continue');
    upload.write(body.slice(0, 20));
    server.child.kill(signal);
    await expect.poll(() => fetch(`${address}/api/health`).catch(() => 'refused')).toBe('refused');
    upload.end(body.slice(20));
    const [answer] = await once(upload, 'response');
    expect(answer.statusCode).toBe(201);
    expect(answer.headers.connection).toBe('close');
    answer.resume();

    const { code, errors } = await server.ended;
    expect([code, errors]).toEqual([0, '']);
    // A database that was closed has merged its write-ahead log into its file.
    // Copies of the web app are there only where it is built.
    const kept = (await readdir(join(folder.path, 'data'))).filter((name) => name !== 'web-builds');
    expect(kept.sort()).toEqual([
      'firmware',
      'identity-keys.json',
      'identity.sqlite',
      'reserve-for-deleting',
      'server-lock.sqlite',
      'wirebench.sqlite',
    ]);
  }, 30_000);
});
