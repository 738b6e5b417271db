/** `wirebench pull` as a process: releases of a real server, and hostile manifests of another one. */
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { firmwarePaths, NewTokenAnswer, ProjectAnswer, tokenPaths } from '@wirebench/contract';
import { espFirmwareSet } from '@wirebench/devices';
import { makeCertificate } from '@wirebench/server/testing/certificate.ts';
import { signIn } from '@wirebench/server/testing/sign-in.ts';
import { startTestServer, type TestServer } from '@wirebench/server/testing/test-server.ts';
import { randomBytes } from '@wirebench/test-input';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { readArguments } from '../publish/arguments.ts';
import { publishRelease } from '../publish/publish.ts';
import { wirebench } from '../testing/monitored-port.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wirebench-pull-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ownFolder = () => mkdtempSync(join(folder, 'own-'));
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');

async function pull(own: string, args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const program = wirebench(['pull', ...args], environment, { folder: own });
  const code = await program.exited;
  return { code, text: program.text() };
}

describe('pull from a server', { timeout: 60_000 }, () => {
  let server: TestServer;
  let token: string;
  const name = 'Lamp';
  beforeAll(async () => {
    server = await startTestServer({ RATE_LIMIT_WRITES: '0', RATE_LIMIT_READS: '0' });
    const { access_token } = await signIn(server.address, 'maker');
    const call = async (path: string, body: object) => {
      const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' };
      const answer = await fetch(`${server.address}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      return answer.json();
    };
    const { project } = ProjectAnswer.parse(await call(firmwarePaths.newProject, { name, deviceModel: 'esp32' }));
    const made = NewTokenAnswer.parse(await call(tokenPaths.tokens, { name: 'ci', projectId: project._id }));
    token = made.secret;
    return () => server[Symbol.asyncDispose]();
  });

  /** Publishes files of a version that stays private, and returns their folder. */
  async function publish(version: string, text: string, chips: readonly ('esp32' | 'esp32c3')[] = ['esp32']) {
    const own = ownFolder();
    const builds = chips.flatMap((chip) => {
      const files = espFirmwareSet({ chip, project: 'lamp', version, text }).flatMap(({ offset, data }) =>
        offset === null ? [] : [{ offset, data }],
      );
      const build = mkdtempSync(join(own, `${chip}-`));
      for (const [index, { data }] of files.entries()) {
        writeFileSync(join(build, `${index}.bin`), data);
      }
      const list = Object.fromEntries(files.map(({ offset }, index) => [`0x${offset.toString(16)}`, `${index}.bin`]));
      writeFileSync(
        join(build, 'flasher_args.json'),
        JSON.stringify({ flash_files: list, extra_esptool_args: { chip } }),
      );
      return ['--build', chips.length === 1 ? build : `${chip}=${build}`];
    });
    const args = ['--server', server.address, '--project', name, '--version', version, ...builds];
    const wanted = readArguments(args, { WIREBENCH_TOKEN: token });
    if (wanted === 'help') {
      throw new Error('no help was asked for');
    }
    await publishRelease(wanted, own);
  }

  it('trims the token of the environment and refuses quotation marks around it, without naming it', async () => {
    const project = ['--server', server.address, '--project', 'none'];
    const trimmed = await pull(ownFolder(), project, { WIREBENCH_TOKEN: `${token}\r` });
    expect(trimmed.text).toContain('no project');
    const quoted = await pull(ownFolder(), project, { WIREBENCH_TOKEN: `"${token}"` });
    expect(quoted).toMatchObject({ code: 2, text: expect.stringMatching(/WIREBENCH_TOKEN has quotation marks/) });
    expect(quoted.text).not.toContain(token);
  });

  it('loads a private version with a token, and a second time only what differs', async () => {
    await publish('1.0.0', 'one');
    const own = ownFolder();
    const args = ['--server', server.address, '--project', 'lamp', 'here'];
    const secret = { WIREBENCH_TOKEN: token };
    const first = await pull(own, args, secret);
    expect(first.code, first.text).toBe(0);
    expect(first.text).toContain('Lamp 1.0.0, published by maker on localhost');
    const files = readdirSync(join(own, 'here')).sort();
    expect(files.at(-1)).toBe('manifest.json');
    const { wirebench: listed } = JSON.parse(readFileSync(join(own, 'here', 'manifest.json'), 'utf8'));
    for (const { path, sha256: hash, size } of listed.builds[0].files) {
      const bytes = readFileSync(join(own, 'here', path));
      expect([sha256(bytes), bytes.length]).toEqual([hash, size]);
    }
    expect(listed.builds[0].files).toHaveLength(files.length - 1);
    const times = () => files.map((file) => statSync(join(own, 'here', file)).mtimeMs);
    const before = times();
    const again = await pull(own, args, secret);
    expect(again.text).toContain(`${files.length - 1} files in here: 0 loaded, ${files.length - 1} there already.`);
    expect(times()).toEqual(before);

    await publish('1.1.0', 'two');
    const newer = await pull(own, args, secret);
    expect(newer.code, newer.text).toBe(0);
    expect(newer.text).toMatch(/files in here: [12] loaded, [12] there already/);
    const old = await pull(own, [...args, '--version', '1.0.0'], secret);
    expect(old.code, old.text).toBe(0);
    expect(old.text).toContain('Lamp 1.0.0');

    writeFileSync(join(own, 'here', '0.bin'), 'my own');
    const refused = await pull(own, args, secret);
    expect(refused).toMatchObject({
      code: 4,
      text: expect.stringContaining(
        'nothing was written. Changed on this computer: 0.bin. With --force they are replaced.',
      ),
    });
    expect(readFileSync(join(own, 'here', '0.bin'), 'utf8')).toBe('my own');
    expect((await pull(own, [...args, '--force'], secret)).code).toBe(0);
    expect(readFileSync(join(own, 'here', '0.bin'), 'utf8')).not.toBe('my own');

    const wrong = await pull(own, [...args, '--version', '9'], secret);
    expect(wrong).toMatchObject({ code: 1, text: expect.stringContaining('has no version 9. It has 1.1.0, 1.0.0.') });
    expect((await pull(own, args, { WIREBENCH_TOKEN: 'none' })).text).toContain('The publishing token is invalid');
    expect((await pull(own, args, { WIREBENCH_TOKEN: '' })).code).toBe(2);
  });

  it('makes a folder with all builds, of which flash takes the one for the board', async () => {
    await publish('2.0.0', 'both', ['esp32', 'esp32c3']);
    const own = ownFolder();
    const args = ['--server', server.address, '--project', 'lamp', '--version', '2.0.0'];
    const done = await pull(own, args, { WIREBENCH_TOKEN: token });
    expect(done.code, done.text).toBe(0);
    expect(readdirSync(own)).toEqual(['Lamp-2.0.0']);
    expect(readdirSync(join(own, 'Lamp-2.0.0')).sort()).toEqual(['esp32', 'esp32c3', 'manifest.json']);
    const flash = wirebench(['flash', '--simulate', 'esp32c3', 'Lamp-2.0.0', '--yes'], {}, { folder: own });
    expect(await flash.exited, flash.text()).toBe(0);
    expect(flash.text()).toContain('Lamp 2.0.0, published by maker');
    expect(flash.text()).toMatch(/written and verified in/);
  });
});

/** Serves files by their paths. */
async function serving(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

interface ServedFile {
  readonly path: string;
  readonly fileName?: string;
  readonly bytes: Uint8Array;
  readonly sha256?: string;
}

const manifestWith = (files: readonly ServedFile[]) =>
  JSON.stringify({
    name: 'Lamp',
    version: '1',
    builds: [],
    wirebench: {
      builds: [
        {
          deviceFamily: 'esp',
          deviceModel: 'esp32',
          files: files.map(({ path, fileName = path, bytes, sha256: hash = sha256(bytes) }, index) => ({
            path,
            fileName,
            offset: 0x10000 * (index + 1),
            size: bytes.length,
            sha256: hash,
          })),
        },
      ],
    },
  });

/** Serves a manifest and its files, and counts the requests for files. */
async function served(files: readonly ServedFile[], hangs: (path: string) => boolean = () => false) {
  const asked: string[] = [];
  const address = await serving(({ url = '' }, answer) => {
    const path = url.slice(1);
    const file = files.find((one) => encodeURI(one.path) === path);
    if (path === 'manifest.json') {
      answer.end(manifestWith(files));
    } else if (file === undefined) {
      answer.writeHead(404).end();
    } else if (hangs(path)) {
      asked.push(path);
      answer.writeHead(200).write(file.bytes.subarray(0, 1));
    } else {
      asked.push(path);
      answer.end(file.bytes);
    }
  });
  return { link: `${address}/manifest.json`, asked };
}

describe('pull from any manifest', { timeout: 60_000 }, () => {
  const one = { path: 'a.bin', bytes: randomBytes(2_000) };
  const two = { path: 'b.bin', bytes: randomBytes(3_000) };

  it('goes on after an interruption, and changes no file before all are there', async () => {
    const own = ownFolder();
    let isStuck = true;
    const { link, asked } = await served([one, two], (path) => isStuck && path === 'b.bin');
    const program = wirebench(['pull', link, 'here', '--json'], {}, { folder: own });
    await program.until(/"event":"progress","phase":"loading","done":1,/);
    program.interrupt();
    expect(await program.exited).toBe(130);
    expect(program.text()).toContain('interrupted. The same command again loads the rest.');
    expect(readdirSync(join(own, 'here'))).toEqual(['.wirebench-pull']);
    isStuck = false;
    const { code, text } = await pull(own, [link, 'here']);
    expect(code, text).toBe(0);
    expect(asked).toEqual(['a.bin', 'b.bin', 'b.bin']);
    expect(readdirSync(join(own, 'here')).sort()).toEqual(['a.bin', 'b.bin', 'manifest.json']);
    expect(sha256(readFileSync(join(own, 'here', 'b.bin')))).toBe(sha256(two.bytes));
  });

  it('refuses a file that is not the one of its hash, and leaves the folder as it was', async () => {
    const own = ownFolder();
    const { link } = await served([{ ...one, sha256: sha256('another') }]);
    const { code, text } = await pull(own, [link, 'here']);
    expect(code).toBe(1);
    expect(text).toContain('is not the file that the manifest states: its SHA-256 differs.');
    expect(existsSync(join(own, 'here'))).toBe(false);
  });

  it.each(['../out.bin', '/etc/out.bin', '..', 'C:\\out.bin', 'NUL.bin', 'a\u0007.bin'])(
    'refuses the name %j of a server',
    async (fileName) => {
      const own = ownFolder();
      const { link, asked } = await served([{ ...one, fileName }]);
      const { code, text } = await pull(own, [link, 'here']);
      // A control character has become a space before it was a name.
      const isRefused = fileName !== 'a\u0007.bin';
      expect(code, text).toBe(isRefused ? 4 : 0);
      expect(asked).toHaveLength(isRefused ? 0 : 1);
      expect(readdirSync(own)).toEqual(isRefused ? [] : ['here']);
    },
  );

  it('follows no link in the folder', async () => {
    const own = ownFolder();
    const outside = join(own, 'outside.bin');
    writeFileSync(outside, 'mine');
    const { link } = await served([one]);
    expect((await pull(own, [link, 'here'])).code).toBe(0);
    rmSync(join(own, 'here', 'a.bin'));
    symlinkSync(outside, join(own, 'here', 'a.bin'));
    expect(await pull(own, [link, 'here', '--force'])).toMatchObject({
      code: 4,
      text: expect.stringContaining('here/a.bin is a link, which is not followed.'),
    });
    expect(readFileSync(outside, 'utf8')).toBe('mine');
  });

  it('keeps a manifest that is not of a pull', async () => {
    const own = ownFolder();
    const { link } = await served([one]);
    writeFileSync(join(own, 'manifest.json'), '{"builds":[]}');
    expect(await pull(own, [link, '.'])).toMatchObject({
      code: 4,
      text: expect.stringContaining('manifest.json in . is not of a pull.'),
    });
    expect(readdirSync(own)).toEqual(['manifest.json']);
  });

  it('names a certificate that the machine does not know, and takes it by NODE_EXTRA_CA_CERTS', async () => {
    const { cert, key } = makeCertificate();
    const own = ownFolder();
    const file = join(own, 'own.pem');
    writeFileSync(file, cert);
    const server = createSecureServer({ cert, key }, (_asked, answer) => void answer.writeHead(404).end());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const address = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const sentence = `The certificate of ${new URL(address).host} is signed by itself, and this machine does not know it. If you trust it, set NODE_EXTRA_CA_CERTS to a PEM file with this certificate, and start this program again.`;
    const link = `${address}/manifest.json`;
    expect(await pull(own, [link])).toEqual({ code: 1, text: `wirebench: ${sentence}\n` });
    const flash = wirebench(['flash', '--simulate', 'esp32', link, '--yes'], {}, { folder: own });
    expect(await flash.exited).toBe(1);
    expect(flash.text()).toContain(sentence);
    const publish = [
      'publish',
      '--server',
      address,
      '--project',
      'lamp',
      '--version',
      '1.0.0',
      '--file',
      '0x0=own.pem',
    ];
    const published = wirebench(publish, { WIREBENCH_TOKEN: 'wbt_x' }, { folder: own });
    expect(await published.exited, published.text()).toBe(1);
    expect(published.text()).toContain(sentence);
    const test = wirebench(['test', `${address}/app/uart?jkit=Ab-_9`, '--simulate', 'esp32'], {}, { folder: own });
    expect(await test.exited).not.toBe(0);
    expect(test.text()).toContain(sentence);
    const known = await pull(own, [link], { NODE_EXTRA_CA_CERTS: file });
    expect(known).toMatchObject({ code: 1, text: expect.stringContaining('answered 404') });
  });

  it('ends with 1 for a server that does not answer, and with 2 for wrong use', async () => {
    expect((await pull(folder, ['http://127.0.0.1:9/manifest.json'])).code).toBe(1);
    expect((await pull(folder, [])).code).toBe(2);
    expect((await pull(folder, ['--project', 'lamp'])).code).toBe(2);
  });
});
