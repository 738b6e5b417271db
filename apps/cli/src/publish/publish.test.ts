/**
 * Publishing to a server. `npm test` starts the programs where their own output and exit code are decided. The other
 * tests call the same functions, and start the program in the long run.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import {
  firmwarePaths,
  NewTokenAnswer,
  ProjectAnswer,
  ProjectList,
  SharedVersionAnswer,
  tokenPaths,
} from '@wirebench/contract';
import { elfFile } from '@wirebench/server/testing/release-client.ts';
import { signIn } from '@wirebench/server/testing/sign-in.ts';
import { temporaryFolder } from '@wirebench/server/testing/temporary-folder.ts';
import { startTestServer, type TestServer } from '@wirebench/server/testing/test-server.ts';
import { firstUnlessLong, isLong } from '@wirebench/test-input';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { buildTable, factoryLayout } from '../../../../packages/flasher/src/esp/testing/esp-data.ts';
import { buildApp, buildBootloader } from '../../../../packages/flasher/src/esp/testing/esp-images.ts';
import { buildIntelHex } from '../../../../packages/flasher/src/images/testing/formats.ts';
import { readArguments } from './arguments.ts';
import { printPublished, publishRelease } from './publish.ts';
import { PublishError } from './publish-error.ts';

const script = join(import.meta.dirname, 'publish-release.ts');
const wirebench = join(import.meta.dirname, '..', 'main.ts');

/** Exit code, standard output and standard error. */
interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly said: string;
}

/** Does what `publish-release.ts` does, without a process. */
async function publishHere(args: readonly string[], folder: string, secret: string): Promise<Ended> {
  const wanted = readArguments(args, { WIREBENCH_TOKEN: secret });
  if (wanted === 'help') {
    throw new Error('Only a process prints the help.');
  }
  try {
    const published = await publishRelease(wanted, folder);
    using log = vi.spyOn(console, 'log').mockReturnValue();
    using error = vi.spyOn(console, 'error').mockReturnValue();
    printPublished(published);
    return { code: 0, out: log.mock.calls.join('\n'), said: error.mock.calls.join('\n') };
  } catch (error) {
    if (!(error instanceof PublishError)) {
      throw error;
    }
    return { code: 1, out: '', said: `publish-release: ${error.message}` };
  }
}

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ RATE_LIMIT_WRITES: '0', RATE_LIMIT_READS: '0' });
  return () => server[Symbol.asyncDispose]();
});

/** Sets up a build and a project with a token for it, at the server of all tests. Its end deletes the project. */
async function bench() {
  const folder = await temporaryFolder();
  await mkdir(join(folder.path, 'build'));
  await writeFile(join(folder.path, 'build', 'boot.bin'), 'a bootloader');
  await writeFile(join(folder.path, 'app.bin'), 'an application');
  await writeFile(join(folder.path, 'real.bin'), buildApp());
  const misplaced = [
    { address: 0x1000, bytes: buildBootloader() },
    { address: 0x8000, bytes: buildTable(factoryLayout) },
    { address: 0x20000, bytes: buildApp() },
  ];
  await writeFile(join(folder.path, 'wrong.hex'), buildIntelHex(misplaced));
  await writeFile(join(folder.path, 'broken.bin'), Buffer.from([0xe9, 1, 2, 0x20, ...Array(40).fill(255)]));
  await mkdir(join(folder.path, 'build', 'bootloader'));
  await writeFile(join(folder.path, 'build', 'bootloader', 'bootloader.bin'), 'a bootloader');
  await writeFile(join(folder.path, 'build', 'node.bin'), 'a weather node');
  await writeFile(
    join(folder.path, 'build', 'flasher_args.json'),
    JSON.stringify({
      flash_files: { '0x10000': 'node.bin', '0x1000': 'bootloader/bootloader.bin' },
      app: { offset: '0x10000', file: 'node.bin' },
    }),
  );
  await writeFile(join(folder.path, 'build', 'node.elf'), elfFile().bytes);
  const page = '<!DOCTYPE html><html><head><title>Sign in</title></head></html>';
  await mkdir(join(folder.path, 'spoilt'));
  await writeFile(join(folder.path, 'page.bin'), page);
  await writeFile(join(folder.path, 'spoilt', 'node.bin'), page);
  await writeFile(join(folder.path, 'spoilt', 'flash_args'), '0x10000 node.bin\n');
  await mkdir(join(folder.path, 'sketch'));
  await writeFile(join(folder.path, 'sketch', 'Blink.ino.hex'), ':020000000C945E\n:00000001FF\n');
  await writeFile(join(folder.path, 'sketch', 'Blink.ino.with_bootloader.hex'), ':00000001FF\n');
  await mkdir(join(folder.path, 'named'));
  await writeFile(join(folder.path, 'named', 'app.bin'), 'an application');
  await writeFile(join(folder.path, 'named', 'other.elf'), elfFile('another').bytes);
  await writeFile(join(folder.path, 'named', 'flasher_args.json'), '{"flash_files":{"0x10000":"app.bin"}}');
  await writeFile(join(folder.path, 'named', 'project_description.json'), '{"app_elf":"other.elf"}');
  const { access_token } = await signIn(server.address, 'maker');
  const call = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${server.address}${path}`, {
      method,
      headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
      body: method === 'GET' ? null : JSON.stringify(body ?? {}),
    });
    return answer.status === 204 ? null : answer.json();
  };
  const project = ProjectAnswer.parse(
    await call('POST', firmwarePaths.newProject, { name: 'Weather node', deviceModel: 'esp32' }),
  ).project;
  const { token, secret } = NewTokenAnswer.parse(
    await call('POST', tokenPaths.tokens, { name: 'ci', projectId: project._id }),
  );
  const start = (args: readonly string[], cwd: string) =>
    new Promise<Ended>((resolve, reject) => {
      const child = spawn(process.execPath, args, {
        cwd,
        env: { ...process.env, WIREBENCH_TOKEN: secret, INIT_CWD: folder.path },
      });
      let out = '';
      let said = '';
      child.stdout.on('data', (text) => (out += text));
      child.stderr.on('data', (text) => (said += text));
      child.on('error', reject);
      child.on('close', (code) => resolve({ code, out: out.trim(), said: said.trim() }));
    });
  const runProgram = (...args: readonly string[]) =>
    start([script, '--server', server.address, ...args], process.cwd());
  const run = (...args: readonly string[]) =>
    isLong ? runProgram(...args) : publishHere(['--server', server.address, ...args], folder.path, secret);
  const argumentsOf = (version: string) => {
    const named = ['--project', 'weather NODE', '--version', version];
    return [...named, '--file', '0x1000=build/boot.bin'];
  };
  return {
    address: server.address,
    folder: folder.path,
    projectId: project._id,
    versions: async () =>
      ProjectList.parse(await call('GET', firmwarePaths.projects)).projects[0]?.versions.map(({ version }) => version),
    call,
    run,
    /** Runs `publish-release` as a program. */
    runProgram,
    /** Runs `wirebench publish` in the folder of the build. */
    runCommand: (...args: readonly string[]) =>
      start([wirebench, 'publish', '--server', server.address, ...args], folder.path),
    publish: (version: string, ...more: readonly string[]) => run(...argumentsOf(version), ...more),
    publishByProgram: (version: string, ...more: readonly string[]) => runProgram(...argumentsOf(version), ...more),
    setPublic: () => call('POST', firmwarePaths.projectSharing(project._id), { isPublic: true }),
    revoke: () => call('DELETE', tokenPaths.token(token._id)),
    [Symbol.asyncDispose]: async () => {
      await call('DELETE', firmwarePaths.project(project._id));
      await folder[Symbol.asyncDispose]();
    },
  };
}

it('a build server publishes a version and prints nothing but the link that flashes it', async () => {
  await using test = await bench();
  await test.setPublic();
  const { code, out, said } = await test.publishByProgram(
    '1.4.0',
    '--file',
    '0x10000=app.bin',
    '--description',
    'Faster.',
  );
  expect({ code, said }).toEqual({ code: 0, said: '' });
  expect(out).toMatch(/^http:\/\/localhost:\d+\/release\.html\?type=version&id=[\w-]{22}$/);
  const shared = await fetch(`${test.address}/api/firmware/shared/version/${new URL(out).searchParams.get('id')}`);
  const { project, version } = SharedVersionAnswer.parse(await shared.json());
  expect([project.name, version.version, version.description]).toEqual(['Weather node', '1.4.0', 'Faster.']);
  expect(version.files.map(({ fileName, offset, size }) => [fileName, offset, size])).toEqual([
    ['boot.bin', '0x1000', 12],
    ['app.bin', '0x10000', 14],
  ]);
});

const shaStart = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 12);

describe('the same command run again', () => {
  const args = ['--project', 'Weather node', '--version', '1.4.0', '--build', 'build', '--with-elf'];

  /** Passes requests on, and fails one of them: before it reaches the server, or by losing its answer. */
  async function faultyProxy(target: string, failing: number, mode: '502' | 'lost' | 'cut') {
    let count = 0;
    const proxy = createServer(async (request, response) => {
      const fails = count++ === failing;
      const pieces: Buffer[] = [];
      for await (const piece of request) {
        pieces.push(piece);
      }
      if (fails && mode === '502') {
        response.writeHead(502).end('Bad gateway');
        return;
      }
      const { host: _host, connection: _connection, 'content-length': _length, ...headers } = request.headers;
      const answer = await fetch(`${target}${request.url}`, {
        method: request.method ?? 'GET',
        headers: headers as Record<string, string>,
        body: request.method === 'GET' ? null : Buffer.concat(pieces),
      });
      const body = Buffer.from(await answer.arrayBuffer());
      if (fails && mode === 'lost') {
        response.writeHead(502).end();
      } else if (fails) {
        request.socket.destroy();
      } else {
        response.writeHead(answer.status, { 'content-type': 'application/json' }).end(body);
      }
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    return {
      address: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
      requests: () => count,
      [Symbol.asyncDispose]: async () => {
        proxy.closeAllConnections();
        await new Promise((resolve) => proxy.close(resolve));
      },
    };
  }

  it.each([0, 1, 2].flatMap((failing) => (['502', 'lost', 'cut'] as const).map((mode) => [failing, mode] as const)))(
    'ends with the version public after request %i failed: %s',
    { timeout: 120_000 },
    async (failing, mode) => {
      await using test = await bench();
      await test.setPublic();
      await using proxy = await faultyProxy(test.address, failing, mode);
      const failed = await test.run(...args, '--server', proxy.address);
      expect([failed.code, failed.out, failed.said.split('\n').length]).toEqual([1, '', 1]);
      if (failing > 0) {
        expect(failed.said).toContain('Run the same command again');
      }
      const again = await test.run(...args, '--server', proxy.address);
      expect([again.code, again.said]).toEqual([0, '']);
      const id = new URL(again.out).searchParams.get('id');
      const shared = await fetch(`${test.address}/api/firmware/shared/version/${id}`);
      expect(SharedVersionAnswer.parse(await shared.json()).version.version).toBe('1.4.0');
      expect(await test.versions()).toEqual(['1.4.0']);
      const { projects } = ProjectList.parse(await test.call('GET', firmwarePaths.projects));
      expect(projects[0]?.versions[0]?.elf?.fileName).toBe('node.elf');
    },
  );

  it('gives a version that was there without it the ELF file', async () => {
    await using test = await bench();
    await test.setPublic();
    expect((await test.run('--project', 'Weather node', '--version', '1.4.0', '--build', 'build')).code).toBe(0);
    expect((await test.run(...args)).code).toBe(0);
    const { projects } = ProjectList.parse(await test.call('GET', firmwarePaths.projects));
    expect(projects[0]?.versions[0]?.elf?.fileName).toBe('node.elf');
  });

  it('changes nothing about a version that is public', async () => {
    await using test = await bench();
    await test.setPublic();
    const first = await test.publish('1.0.0');
    expect(await test.publish('1.0.0')).toEqual(first);
  });
});

it('a version of a private project is uploaded, and the note says what keeps the link shut', async () => {
  await using test = await bench();
  const { code, out, said } = await test.publishByProgram('1.0.0');
  expect(code).toBe(0);
  expect(out).toContain('/release.html?type=version&id=');
  expect(said).toContain('because the project Weather node is private');
});

it('the folder of a build is published as the list in it says', async () => {
  await using test = await bench();
  await test.setPublic();
  const { code, out, said } = await test.run('--project', 'Weather node', '--version', '2.0.0', '--build', 'build');
  expect({ code, said }).toEqual({ code: 0, said: '' });
  const shared = await fetch(`${test.address}/api/firmware/shared/version/${new URL(out).searchParams.get('id')}`);
  expect(SharedVersionAnswer.parse(await shared.json()).version.files).toMatchObject([
    { fileName: 'bootloader.bin', offset: '0x1000' },
    { fileName: 'node.bin', offset: '0x10000' },
  ]);
});

it.each([
  [6, 0, ''],
  [16, 0, ''],
  [17, 1, 'flasher_args.json lists 17 files, and a build holds up to 16. Publish a merged image instead.'],
])('the folder of a build with %i files ends with %i', async (count, code, said) => {
  await using test = await bench();
  await test.setPublic();
  const files = Array.from({ length: count }, (_, index) => [`0x${index + 1}0000`, `part-${index}.bin`] as const);
  const parts = join(test.folder, 'parts');
  await mkdir(parts);
  await writeFile(join(parts, 'flasher_args.json'), JSON.stringify({ flash_files: Object.fromEntries(files) }));
  for (const [offset, name] of files) {
    await writeFile(join(parts, name), `data for ${offset}`);
  }
  const ended = await test.run('--project', 'Weather node', '--version', '6.0.0', '--build', 'parts');
  expect([ended.code, ended.said.includes(said)]).toEqual([code, true]);
  if (code === 0) {
    const id = new URL(ended.out).searchParams.get('id');
    const shared = await fetch(`${test.address}/api/firmware/shared/version/${id}`);
    const { version } = SharedVersionAnswer.parse(await shared.json());
    expect(version.builds?.map((build) => build.files.length)).toEqual([count]);
  }
});

it('builds for several chips are published with their conditions, and a channel', async () => {
  await using test = await bench();
  await test.setPublic();
  const builds = ['--build', 'ESP32=build', '--build', 'esp32c3=0x0=app.bin', '--guard', 'flash=4MB,connection=usb'];
  const args = ['--project', 'Weather node', '--version', '2.0.0-rc1', '--channel', 'beta'];
  const { code, out, said } = await test.run(...args, ...builds);
  expect({ code, said }).toEqual({ code: 0, said: '' });
  const shared = await fetch(`${test.address}/api/firmware/shared/version/${new URL(out).searchParams.get('id')}`);
  const { version } = SharedVersionAnswer.parse(await shared.json());
  expect(version.channel).toBe('beta');
  expect(version.builds).toMatchObject([
    {
      deviceModel: 'esp32',
      guards: {},
      files: [
        { fileName: 'bootloader.bin', offset: '0x1000' },
        { fileName: 'node.bin', offset: '0x10000' },
      ],
    },
    {
      deviceModel: 'esp32c3',
      guards: { flashSize: 4_194_304, connection: 'usb' },
      files: [{ fileName: 'app.bin', offset: '0x0' }],
    },
  ]);
});

it('the sketch in the folder of an Arduino build is published without its bootloader', async () => {
  await using test = await bench();
  await test.setPublic();
  const builds = ['--build', 'ESP32=build', '--build', 'Uno=sketch'];
  const { code, out, said } = await test.run('--project', 'Weather node', '--version', '2.1.0', ...builds);
  expect({ code, said }).toEqual({ code: 0, said: '' });
  const shared = await fetch(`${test.address}/api/firmware/shared/version/${new URL(out).searchParams.get('id')}`);
  const { version } = SharedVersionAnswer.parse(await shared.json());
  expect(version.builds?.[1]).toMatchObject({
    deviceFamily: 'avr',
    deviceModel: 'uno',
    files: [{ fileName: 'Blink.ino.hex', offset: '0x0' }],
  });
});

it.each<[string, readonly string[], string | null]>([
  ['unasked', ['--build', 'build'], null],
  ['the one of flasher_args.json', ['--build', 'build', '--with-elf'], 'node.elf'],
  ['the one of project_description.json', ['--build', 'named', '--with-elf'], 'other.elf'],
  ['one by its path', ['--file', '0x10000=app.bin', '--elf', 'build/node.elf'], 'node.elf'],
])('an ELF file goes along only where it was asked for: %s', async (_which, args, name) => {
  await using test = await bench();
  const { code } = await test.run('--project', 'Weather node', '--version', '3.0.0', ...args);
  expect(code).toBe(0);
  const { projects } = await test.call('GET', firmwarePaths.projects);
  expect(projects[0].versions[0].elf?.fileName ?? null).toBe(name);
});

it('each build gets the ELF file of its folder, and the same command gives one that is missing again', async () => {
  await using test = await bench();
  await mkdir(join(test.folder, 'c3'));
  await writeFile(join(test.folder, 'c3', 'node.bin'), 'a weather node for C3');
  await writeFile(join(test.folder, 'c3', 'node.elf'), elfFile('for C3').bytes);
  const list = { flash_files: { '0x10000': 'node.bin' }, app: { offset: '0x10000', file: 'node.bin' } };
  await writeFile(join(test.folder, 'c3', 'flasher_args.json'), JSON.stringify(list));
  const builds = ['--build', 'esp32=build', '--build', 'esp32c3=c3', '--build', 'esp32s3=0x0=app.bin', '--with-elf'];
  const args = ['--project', 'Weather node', '--version', '3.1.0', ...builds];
  const stored = async () => {
    const [version] = ProjectList.parse(await test.call('GET', firmwarePaths.projects)).projects[0]?.versions ?? [];
    expect(version?.elf).toBeUndefined();
    return version?.builds?.map(({ _id, elf }) => ({ path: firmwarePaths.versionElf(version._id, _id), elf })) ?? [];
  };
  const first = await test.run(...args);
  expect([first.code, first.said]).toEqual([
    0,
    expect.stringContaining('ESP32-S3 is one file, which names no ELF file'),
  ]);
  const given = await stored();
  const hashes = [elfFile(), elfFile('for C3')].map(({ bytes }) => createHash('sha256').update(bytes).digest('hex'));
  expect(given.map(({ elf }) => elf?.sha256)).toEqual([...hashes, undefined]);
  await test.call('DELETE', given[1]?.path ?? '');
  expect((await stored())[1]?.elf).toBeUndefined();
  expect((await test.run(...args)).code).toBe(0);
  expect(await stored()).toEqual(given);
});

it('a damaged file is published only if the caller names it', async () => {
  await using test = await bench();
  const args = ['--project', 'Weather node', '--version', '2.0.0', '--file', '0x10000=broken.bin'];
  const refused = await test.runProgram(...args);
  expect([refused.code, refused.out]).toEqual([1, '']);
  expect(refused.said).toContain('To publish it anyway: --accept-damaged broken.bin');
  expect((await test.run(...args, '--accept-damaged', 'broken.bin')).code).toBe(0);
});

it('a web page in place of an app is refused even with --accept-damaged', async () => {
  await using test = await bench();
  const args = ['--project', 'Weather node', '--version', '2.0.0', '--file', '0x10000=page.bin'];
  const refused = await test.run(...args, '--accept-damaged', 'page.bin');
  expect([refused.code, refused.out]).toEqual([1, '']);
  expect(refused.said).toContain('"page.bin" is a web page, not firmware. A download that needed a sign-in');
  const built = await test.run('--project', 'Weather node', '--version', '2.0.0', '--build', 'spoilt');
  expect(built.said).toContain('"node.bin" is a web page, not firmware.');
});

it.each<[string, readonly string[], string]>([
  ['a folder without the list of a build', ['--project', 'Weather node', '--build', '.'], 'no flasher_args.json in'],
  [
    'an ELF file that is none',
    ['--project', 'Weather node', '--file', '0x0=app.bin', '--elf', 'app.bin'],
    'not the ELF file of a program',
  ],
  [
    'an ELF file that is not there',
    ['--project', 'Weather node', '--file', '0x0=app.bin', '--elf', 'no.elf'],
    'no.elf cannot be read',
  ],
  [
    'builds without one for the chip of the project',
    ['--project', 'Weather node', '--build', 'esp32c3=0x0=app.bin'],
    'must be for ESP32',
  ],
  [
    'a build of a .bin file without its address',
    ['--project', 'Weather node', '--build', 'esp32=app.bin'],
    '--build esp32=0x0=app.bin',
  ],
  [
    'a folder for a chip whose builds have no list',
    ['--project', 'Weather node', '--build', 'nrf52840=build'],
    'build is a folder.',
  ],
  ['a project that is not there', ['--project', 'Nothing', '--file', '0x0=app.bin'], 'Your projects: "Weather node".'],
  ['a file that is not there', ['--project', 'Weather node', '--file', '0x0=gone.bin'], 'gone.bin cannot be read'],
  [
    'files that overlap',
    ['--project', 'Weather node', '--file', '0x0=app.bin', '--file', '0x0=build/boot.bin'],
    '"app.bin" and "boot.bin" overlap at 0x0.',
  ],
])('%s ends it with one line', async (_name, args, part) => {
  await using test = await bench();
  const { code, out, said } = await test.run(...args, '--version', '1.0.0');
  expect([code, out, said.split('\n').length]).toEqual([1, '', 1]);
  expect(said).toContain(part);
});

it('a full project has its oldest version replaced by a token that may, and by no other', {
  timeout: 240_000,
}, async () => {
  await using test = await bench();
  for (const version of ['1.0.0', '1.1.0', '1.2.0']) {
    expect((await test.publish(version)).code).toBe(0);
  }
  expect((await test.publish('1.3.0')).said).toContain('maximum limit of 3 versions');
  expect((await test.publish('1.3.0', '--replace-oldest')).said).toContain('This token may not replace versions.');
  const { secret } = NewTokenAnswer.parse(
    await test.call('POST', tokenPaths.tokens, { name: 'ci', projectId: test.projectId, mayReplace: true }),
  );
  expect((await test.publish('1.3.0', '--token', secret)).said).toContain('maximum limit of 3 versions');
  expect((await test.publish('1.3.0', '--token', secret, '--replace-oldest')).code).toBe(0);
  expect(await test.versions()).toEqual(['1.3.0', '1.2.0', '1.1.0']);
});

it('a version that is there with other files, a token that was revoked and a server that is gone are reported in a sentence each', {
  timeout: 120_000,
}, async () => {
  await using test = await bench();
  await test.publish('1.0.0');
  const changed = ['--project', 'Weather node', '--version', '1.0.0', '--file', '0x1000=app.bin'];
  const other = await test.run(...changed);
  expect([other.code, other.said]).toEqual([
    1,
    `publish-release: Version "1.0.0" already exists in this project. Please use a unique version number. "boot.bin" at 0x1000 is another file there: its SHA-256 begins with ${shaStart('a bootloader')}, that of "app.bin" here with ${shaStart('an application')}.`,
  ]);
  const more = await test.publish('1.0.0', '--file', '0x10000=app.bin');
  expect(more.said).toContain('It has no file at 0x10000 like "app.bin".');
  const beta = await test.publish('1.0.0', '--channel', 'beta');
  expect(beta.said).toContain('It is in the channel stable.');
  const gone = await test.publish('1.1.0', '--server', 'http://127.0.0.1:1');
  expect([gone.code, gone.said]).toEqual([
    1,
    "publish-release: Port 1 of 127.0.0.1 belongs to another protocol than the web's. Check the address.",
  ]);
  await test.revoke();
  expect((await test.publish('1.1.0')).said).toContain('The publishing token is invalid, expired or revoked.');
});

it('publishing warns about an app that would not start', async () => {
  await using test = await bench();
  await test.setPublic();
  const args = ['--project', 'Weather node', '--version', '3.0.0', '--file', '0x0=real.bin'];
  const { code, said } = await test.runProgram(...args);
  expect(code).toBe(0);
  expect(said).toContain(
    'Warning: "real.bin" is an app, and at 0x0 an ESP32 starts no app: the board would not start.',
  );
  const build = ['--build', 'esp32=wrong.hex'];
  const builds = await test.run('--project', 'Weather node', '--version', '3.1.0', ...build);
  expect(builds.said).toContain('is an app at 0x20000, where the partition table has no app.');
});

describe('wirebench publish', () => {
  const version = ['--project', 'Weather node', '--version', '4.0.0'];

  it('publishes builds with the conditions behind them and prints the link alone', async () => {
    await using test = await bench();
    await test.setPublic();
    const builds = ['--build', 'esp32=build', '--build', 'esp32c3=0x0=app.bin', '--guard', 'flash=4MB'];
    const { code, out, said } = await test.runCommand(...version, ...builds);
    expect({ code, said }).toEqual({ code: 0, said: '' });
    const shared = await fetch(`${test.address}/api/firmware/shared/version/${new URL(out).searchParams.get('id')}`);
    expect(SharedVersionAnswer.parse(await shared.json()).version.builds).toMatchObject([
      { deviceModel: 'esp32', guards: {} },
      { deviceModel: 'esp32c3', guards: { flashSize: 4_194_304 } },
    ]);
  });

  it('ends with 1 and the reason when the version is not published', async () => {
    await using test = await bench();
    expect(await test.runCommand(...version, '--file', '0x0=gone.bin')).toMatchObject({
      code: 1,
      out: '',
      said: expect.stringMatching(/^wirebench: .*gone\.bin cannot be read/),
    });
  });

  it.each(
    firstUnlessLong([
      ['no file', [], 'wirebench: --file is missing'],
      ['an unknown option', ['--publik'], "unknown option '--publik'"],
      ['a condition without its build', ['--guard', 'psram=yes', '--build', 'esp32=build'], '--guard belongs'],
    ]),
  )('ends with 2 for %s', async (_name, args, text) => {
    await using test = await bench();
    const { code, out, said } = await test.runCommand(...version, ...args);
    expect([code, out]).toEqual([2, '']);
    expect(said).toContain(text);
  });
});
