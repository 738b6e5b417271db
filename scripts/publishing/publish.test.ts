import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
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
import { startTestServer } from '@wirebench/server/testing/test-server.ts';
import { expect, it } from 'vitest';

const script = join(import.meta.dirname, '..', 'publish-release.ts');

/** Sets up a server, a build and a project with a token for it. */
async function bench() {
  const server = await startTestServer();
  const folder = await temporaryFolder();
  await mkdir(join(folder.path, 'build'));
  await writeFile(join(folder.path, 'build', 'boot.bin'), 'a bootloader');
  await writeFile(join(folder.path, 'app.bin'), 'an application');
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
  const run = (...args: readonly string[]) =>
    new Promise<{ code: number | null; out: string; said: string }>((resolve, reject) => {
      const all = ['--server', server.address, ...args];
      const child = spawn(process.execPath, [script, ...all], {
        env: { ...process.env, WIREBENCH_TOKEN: secret, INIT_CWD: folder.path },
      });
      let out = '';
      let said = '';
      child.stdout.on('data', (text) => (out += text));
      child.stderr.on('data', (text) => (said += text));
      child.on('error', reject);
      child.on('close', (code) => resolve({ code, out: out.trim(), said: said.trim() }));
    });
  const publish = (version: string, ...more: readonly string[]) =>
    run('--project', 'weather NODE', '--version', version, '--file', '0x1000=build/boot.bin', ...more);
  return {
    address: server.address,
    projectId: project._id,
    versions: async () =>
      ProjectList.parse(await call('GET', firmwarePaths.projects)).projects[0]?.versions.map(({ version }) => version),
    call,
    run,
    publish,
    setPublic: () => call('POST', firmwarePaths.projectSharing(project._id), { isPublic: true }),
    revoke: () => call('DELETE', tokenPaths.token(token._id)),
    [Symbol.asyncDispose]: async () => {
      await folder[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

it('a build server publishes a version and prints nothing but the link that flashes it', async () => {
  await using test = await bench();
  await test.setPublic();
  const { code, out, said } = await test.publish('1.4.0', '--file', '0x10000=app.bin', '--description', 'Faster.');
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

it('a version of a private project is uploaded, and the note says what keeps the link shut', async () => {
  await using test = await bench();
  const { code, out, said } = await test.publish('1.0.0');
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

it('a damaged file is published only by who names it', async () => {
  await using test = await bench();
  const args = ['--project', 'Weather node', '--version', '2.0.0', '--file', '0x10000=broken.bin'];
  const refused = await test.run(...args);
  expect([refused.code, refused.out]).toEqual([1, '']);
  expect(refused.said).toContain('To publish it anyway: --accept-damaged broken.bin');
  expect((await test.run(...args, '--accept-damaged', 'broken.bin')).code).toBe(0);
});

it('a web page in place of an app is not published, whoever accepts damage', async () => {
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

it('a version that is there, a token that was revoked and a server that is gone are reported in a sentence each', {
  timeout: 120_000,
}, async () => {
  await using test = await bench();
  await test.publish('1.0.0');
  const twice = await test.publish('1.0.0');
  expect([twice.code, twice.said]).toEqual([
    1,
    'publish-release: Version "1.0.0" already exists in this project. Please use a unique version number.',
  ]);
  const gone = await test.publish('1.1.0', '--server', 'http://127.0.0.1:1');
  expect([gone.code, gone.said]).toEqual([1, 'publish-release: http://127.0.0.1:1 does not answer']);
  await test.revoke();
  expect((await test.publish('1.1.0')).said).toContain('The publishing token is invalid, expired or revoked.');
});
