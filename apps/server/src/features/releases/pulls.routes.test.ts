/** Versions that are taken from a manifest on the web. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buildLimits, ErrorAnswer, firmwarePaths, VersionAnswer } from '@wirebench/contract';
import { describe, expect, it } from 'vitest';
import { startLiveServer } from '../../testing/live-server.ts';
import { releaseClient } from '../../testing/release-client.ts';
import { buildTestApp } from '../../testing/test-app.ts';

/** Starts a publisher's web server, whose files a test may change. */
async function publisher() {
  const files = new Map<string, Buffer>();
  const asked: string[] = [];
  /** Paths whose answers never end, and the number of their requests that are still open. */
  const endless = new Set<string>();
  let waiting = 0;
  const http = createServer((request, response) => {
    asked.push(request.url ?? '');
    if (endless.has(request.url ?? '')) {
      waiting++;
      response.once('close', () => waiting--);
      response.writeHead(200, { 'content-length': 1_000 }).write('a');
      return;
    }
    const bytes = files.get(request.url ?? '');
    response.writeHead(bytes === undefined ? 404 : 200).end(bytes);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  return {
    files,
    asked,
    endless,
    get waiting() {
      return waiting;
    },
    http,
    address: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

const manifestOf = (version: string | null, parts: readonly { path: string; offset: number }[]) =>
  Buffer.from(
    JSON.stringify({
      name: 'Lamp',
      ...(version === null ? {} : { version }),
      builds: [{ chipFamily: 'ESP32', parts }],
    }),
  );

async function bench(environment: Readonly<Record<string, string>> = { PULL_PRIVATE_HOSTS: '127.0.0.1' }) {
  await using stack = new AsyncDisposableStack();
  const test = stack.use(await buildTestApp({ RATE_LIMIT_WRITES: '0', ...environment }));
  const web = stack.use(await publisher());
  web.files.set('/boot.bin', Buffer.from('a bootloader'));
  web.files.set('/app.bin', Buffer.from('an application'));
  web.files.set(
    '/manifest.json',
    manifestOf('1.4.0', [
      { path: 'boot.bin', offset: 0x1000 },
      { path: 'app.bin', offset: 0x10000 },
    ]),
  );
  const owner = releaseClient(test.app, await test.bearer());
  const project = await owner.newProject();
  const pull = (body: object = { manifest: `${web.address}/manifest.json` }, client = owner) =>
    client.post(firmwarePaths.projectPull(project._id), body);
  const refusal = async (body?: object) => {
    const answer = await pull(body);
    const { code, message } = ErrorAnswer.parse(answer.json());
    return { status: answer.statusCode, code, message };
  };
  const held = stack.move();
  return { test, web, owner, project, pull, refusal, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

describe('taking a version', () => {
  it('makes a private version of the files that the manifest lists', async () => {
    await using the = await bench();
    const answer = await the.pull();
    expect(answer.statusCode).toBe(201);
    const { version } = VersionAnswer.parse(answer.json());
    expect(version).toMatchObject({ version: '1.4.0', isPublic: false, description: expect.stringContaining('Lamp') });
    expect(version.files.map(({ fileName, offset, size }) => [fileName, offset, size])).toEqual([
      ['boot.bin', '0x1000', 12],
      ['app.bin', '0x10000', 14],
    ]);
    const file = await the.owner.get(firmwarePaths.versionFile(version._id, version.files[1]?._id ?? ''));
    expect(file.body).toBe('an application');
    expect(the.web.asked).toEqual(['/manifest.json', '/boot.bin', '/app.bin']);
  });

  it('takes every build of a manifest for several chips', async () => {
    await using the = await bench();
    const part = (path: string) => [{ path, offset: 0 }];
    const builds = [
      { chipFamily: 'ESP32-C3', parts: part('app.bin') },
      { chipFamily: 'ESP32', parts: part('boot.bin') },
    ];
    the.web.files.set('/manifest.json', Buffer.from(JSON.stringify({ name: 'Lamp', version: '2.0', builds })));
    const { version } = VersionAnswer.parse((await the.pull()).json());
    expect(version.builds?.map(({ deviceModel, files }) => [deviceModel, files.map(({ size }) => size)])).toEqual([
      ['esp32', [12]],
      ['esp32c3', [14]],
    ]);
    expect((await the.pull()).statusCode).toBe(200);
  });

  it('stores the good builds, and its description names the fault of the other', async () => {
    await using the = await bench();
    const builds = [
      { chipFamily: 'ESP32', parts: [{ path: 'boot.bin', offset: 4096 }] },
      { chipFamily: 'ESP32-C3', parts: [{ path: 'app.bin', offset: 32.768 }] },
    ];
    the.web.files.set('/manifest.json', Buffer.from(JSON.stringify({ name: 'Lamp', version: '2.0', builds })));
    const { version } = VersionAnswer.parse((await the.pull()).json());
    expect(version.files.map(({ fileName }) => fileName)).toEqual(['boot.bin']);
    expect(version.description).toContain(
      'Left out: The build for ESP32-C3 gives "app.bin" the offset 32.768, which is not an address in flash.',
    );
    expect(the.web.asked).not.toContain('/app.bin');
  });

  it('is refused for a manifest without a build for the chip of the project', async () => {
    await using the = await bench();
    const parts = [{ path: 'app.bin', offset: 0 }];
    const builds = [{ chipFamily: 'ESP32-C3', parts }];
    the.web.files.set('/manifest.json', Buffer.from(JSON.stringify({ name: 'Lamp', version: '2.0', builds })));
    expect((await the.refusal()).message).toContain('must be for ESP32');
  });

  it('returns the existing version when it is repeated', async () => {
    await using the = await bench();
    const { version } = VersionAnswer.parse((await the.pull()).json());
    const again = await the.pull();
    expect([again.statusCode, VersionAnswer.parse(again.json()).version._id]).toEqual([200, version._id]);
  });

  it('is refused when a file of the same version has changed, even after its deletion', async () => {
    await using the = await bench();
    const { version } = VersionAnswer.parse((await the.pull()).json());
    the.web.files.set('/app.bin', Buffer.from('another program'));
    const changed = {
      status: 409,
      code: 'pull-changed',
      message: expect.stringContaining('"app.bin" of version "1.4.0" is not the file that was taken before'),
    };
    expect(await the.refusal()).toEqual(changed);
    await the.owner.remove(firmwarePaths.version(version._id));
    expect(await the.refusal()).toEqual(changed);
    the.web.files.set('/app.bin', Buffer.from('an application'));
    expect((await the.pull()).statusCode).toBe(201);
  });

  it('is refused when a file of the same version is missing or new', async () => {
    await using the = await bench();
    await the.pull();
    the.web.files.set('/manifest.json', manifestOf('1.4.0', [{ path: 'boot.bin', offset: 0x1000 }]));
    expect((await the.refusal()).message).toContain('"app.bin"');
  });

  it('takes changed files under a new number', async () => {
    await using the = await bench();
    await the.pull();
    the.web.files.set('/app.bin', Buffer.from('another program'));
    the.web.files.set('/manifest.json', manifestOf('1.5.0', [{ path: 'app.bin', offset: 0x10000 }]));
    expect((await the.pull()).statusCode).toBe(201);
  });

  it('requires a number for a manifest without one', async () => {
    await using the = await bench();
    the.web.files.set('/manifest.json', manifestOf(null, [{ path: 'app.bin', offset: 0x10000 }]));
    const manifest = `${the.web.address}/manifest.json`;
    expect((await the.refusal()).message).toBe('This manifest states no version. Name it with version.');
    const { version } = VersionAnswer.parse((await the.pull({ manifest, version: '7' })).json());
    expect(version.version).toBe('7');
  });

  it('takes one version of a release on another server, by the address of its page', async () => {
    await using the = await bench();
    await using other = await bench({ LIMIT_PROJECTS: '2' });
    const there = await other.owner.newVersion(other.project._id);
    await other.owner.setProjectPublic(other.project._id, true);
    await other.owner.setVersionPublic(there._id, true);
    const address = await other.test.app.listen({ port: 0, host: '127.0.0.1' });
    const manifest = `${address}/release.html?type=project&id=${other.project.shareId}`;
    const { version } = VersionAnswer.parse((await the.pull({ manifest })).json());
    expect(version.files.map(({ sha256 }) => sha256)).toEqual(there.files.map(({ sha256 }) => sha256));
    expect((await the.refusal({ manifest, version: '9.9' })).message).toBe('The manifest has no version "9.9".');
  });
});

describe('a refused pull of a version', () => {
  it('names the line of a comma too many in the manifest', async () => {
    await using the = await bench();
    the.web.files.set('/manifest.json', Buffer.from('{\n"builds": [],\n}'));
    expect((await the.refusal()).message).toContain(
      'Line 3, column 1: "}" follows a comma. Remove the comma in line 2',
    );
  });

  it('names the file if a web page arrives instead of it', async () => {
    await using the = await bench();
    the.web.files.set('/app.bin', Buffer.from('<!doctype html><html><title>Not found</title></html>'));
    expect((await the.refusal()).message).toContain('answered with a web page instead of "app.bin".');
  });

  it('blocks addresses of this machine and its network unless they are allowed by name', async () => {
    await using the = await bench({});
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '169.254.169.254', '10.0.0.1']) {
      const manifest = `${the.web.address.replace('127.0.0.1', host)}/manifest.json`;
      expect(await the.refusal({ manifest }), host).toMatchObject({
        status: 422,
        code: 'pull-failed',
        message: expect.stringContaining('is not an address of the public internet.'),
      });
    }
    expect(the.web.asked).toEqual([]);
  });

  it('blocks such an address for a file even if the manifest is elsewhere', async () => {
    await using the = await bench();
    the.web.files.set('/manifest.json', manifestOf('1.0', [{ path: 'http://localhost/app.bin', offset: 0 }]));
    expect((await the.refusal()).message).toBe('localhost is not an address of the public internet.');
    expect(await the.owner.projects()).toMatchObject([{ versions: [] }]);
  });

  it.each<[string, string, string]>([
    ['a page', '<!doctype html>', 'is not a manifest'],
    ['a missing file', '', 'answered 404'],
  ])('reports %s in place of a manifest', async (_name, text, message) => {
    await using the = await bench();
    the.web.files.delete('/manifest.json');
    if (text !== '') {
      the.web.files.set('/manifest.json', Buffer.from(text));
    }
    expect(await the.refusal()).toMatchObject({ code: 'pull-failed', message: expect.stringContaining(message) });
  });

  it('reports a file that is missing, too large, or not firmware', async () => {
    await using the = await bench();
    the.web.files.delete('/app.bin');
    expect((await the.refusal()).message).toMatch(/^"app\.bin" could not be loaded: 127\.0\.0\.1:\d+ answered 404\.$/);
    the.web.files.set('/app.bin', Buffer.alloc(16 * 1_024 * 1_024 + 1));
    expect((await the.refusal()).message).toBe('"app.bin" is larger than 16 MB.');
    the.web.files.set('/manifest.json', manifestOf('1.0', [{ path: 'notes.txt', offset: 0 }]));
    expect((await the.refusal()).status).toBe(415);
    expect(await the.owner.projects()).toMatchObject([{ versions: [] }]);
  });

  it('reports a version that was uploaded', async () => {
    await using the = await bench();
    await the.owner.newVersion(the.project._id, { version: '1.4.0' });
    expect(await the.refusal()).toMatchObject({ status: 409, code: 'version-taken' });
  });

  it('answers a second pull of the user with 429, and a pull of another user with 404', async () => {
    await using the = await bench();
    const answers = await Promise.all([the.pull(), the.pull()]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 429]);
    const other = releaseClient(the.test.app, await the.test.bearer({ sub: 'someone-else' }));
    const manifest = `${the.web.address}/manifest.json`;
    expect((await the.pull({ manifest }, other)).statusCode).toBe(404);
  });

  it.each([['the manifest'], ['a file']])(
    'reports a server that answers %s with another protocol, every time',
    async (what) => {
      await using the = await bench();
      const path = what === 'a file' ? '/app.bin' : '/manifest.json';
      the.web.http.prependListener('request', (request, response) => {
        if (request.url === path) {
          response.socket?.end('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n');
        }
      });
      for (let time = 0; time < 6; time++) {
        expect(await the.refusal()).toMatchObject({
          status: 422,
          message: expect.stringContaining('another protocol'),
        });
      }
    },
  );

  it('stops a file that never ends after two minutes, and the next pull is accepted', async () => {
    await using the = await bench();
    the.web.endless.add('/app.bin');
    const refused = the.refusal();
    await expect.poll(() => the.web.waiting).toBe(1);
    await the.test.clock.advance(120_000);
    expect((await refused).message).toContain('did not arrive within 120 seconds');
    await expect.poll(() => the.web.waiting).toBe(0);
    the.web.endless.clear();
    expect((await the.pull()).statusCode).toBe(201);
  });

  it('stops files above the total upload limit before all of them have arrived', async () => {
    await using the = await bench({ PULL_PRIVATE_HOSTS: '127.0.0.1', LIMIT_BUILDS: '1' });
    const parts = Array.from({ length: 6 }, (_, at) => ({ path: `part${at}.bin`, offset: at * 0x1000000 }));
    for (const { path } of parts) {
      the.web.files.set(`/${path}`, Buffer.alloc(16 * 1_024 * 1_024));
    }
    the.web.files.set('/manifest.json', manifestOf('3.0', parts));
    expect((await the.refusal()).message).toBe('The files of this version are larger than 64 MB together.');
    expect(the.web.asked).not.toContain('/part5.bin');
    expect(await the.owner.projects()).toMatchObject([{ versions: [] }]);
  });

  it('rejects a build with too many files without requesting one', async () => {
    await using the = await bench();
    const parts = Array.from({ length: buildLimits.files + 1 }, (_, at) => ({
      path: `p${at}.bin`,
      offset: at * 0x10000,
    }));
    the.web.files.set('/manifest.json', manifestOf('3.0', parts));
    expect((await the.refusal()).status).toBe(422);
    expect(the.web.asked).toEqual(['/manifest.json']);
  });
});

describe('taking a version when the client leaves', () => {
  it('requests and stores nothing more, and the user may take another version', async () => {
    await using web = await publisher();
    await using server = await startLiveServer({ PULL_PRIVATE_HOSTS: '127.0.0.1', RATE_LIMIT_WRITES: '0' });
    web.files.set('/app.bin', Buffer.from('an application'));
    web.files.set('/manifest.json', manifestOf('1.0', [{ path: 'app.bin', offset: 0x10000 }]));
    web.endless.add('/app.bin');
    const headers = await server.test.bearer();
    const owner = releaseClient(server.test.app, headers);
    const project = await owner.newProject();
    const leaving = new AbortController();
    const asked = fetch(new URL(firmwarePaths.projectPull(project._id), server.address), {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ manifest: `${web.address}/manifest.json` }),
      signal: leaving.signal,
    }).catch(() => null);
    await expect.poll(() => web.waiting).toBe(1);
    leaving.abort();
    await asked;
    await expect.poll(() => web.waiting).toBe(0);
    web.endless.clear();
    const body = { manifest: `${web.address}/manifest.json` };
    await expect
      .poll(async () => (await owner.post(firmwarePaths.projectPull(project._id), body)).statusCode)
      .toBe(201);
  });
});
