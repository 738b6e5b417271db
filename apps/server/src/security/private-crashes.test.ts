/**
 * The ELF file of a version and its crashes are visible to the owner only. The test reads every address with every id
 * and share ID, as a second account, as an administrator and without a token. No answer may contain anything of them.
 */
import { createHash } from 'node:crypto';
import { type CrashAnswer, firmwarePaths, sharedFirmwarePaths } from '@wirebench/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readApiDocument } from '../testing/api-document.ts';
import { crashReport } from '../testing/crash-reports.ts';
import { elfFile, releaseClient } from '../testing/release-client.ts';
import { buildTestApp, type TestApp } from '../testing/test-app.ts';

const elf = { ...elfFile('zq7-bytes-of-the-program'), name: 'zq7-private.elf' };
const sha256 = createHash('sha256').update(elf.bytes).digest('hex');
const memory = Buffer.from('zq7-memory-of-a-board').toString('base64');
const crash = crashReport({ cause: 'zq7 cause', details: 'zq7 details', memory, build: sha256.slice(0, 9) });

/** Values that only the owner may see, in every notation. */
const secrets = ['zq7', sha256, sha256.slice(0, 9), memory, crash.fingerprint];

let test: TestApp;
let owner: ReturnType<typeof releaseClient>;
let values: readonly string[];

beforeAll(async () => {
  test = await buildTestApp({ RATE_LIMIT_WRITES: '0', RATE_LIMIT_READS: '0' });
  owner = releaseClient(test.app, await test.bearer());
  const project = await owner.newProject();
  const version = await owner.newVersion(project._id, { elf });
  await owner.setProjectPublic(project._id, true);
  await owner.setVersionPublic(version._id, true);
  const sent = await test.app.inject({
    method: 'POST',
    url: sharedFirmwarePaths.crashes(version.shareId),
    payload: crash,
  });
  expect(sent.statusCode).toBe(204);
  const path = firmwarePaths.versionCrash(version._id, crash.fingerprint);
  const found = ((await owner.get(path)).json() as CrashAnswer).crash;
  expect(found).toMatchObject({ cause: 'zq7 cause', examples: [{ _id: crash.id }] });
  values = [
    project._id,
    project.shareId,
    version._id,
    version.shareId,
    version.files[0]?._id ?? '',
    crash.id,
    crash.fingerprint,
    sha256,
  ];
});

afterAll(() => test[Symbol.asyncDispose]());

/** Returns `path` with every combination of values for its parameters. */
function filled(path: string): string[] {
  const [parameter] = /\{\w+\}/.exec(path) ?? [];
  return parameter === undefined ? [path] : values.flatMap((value) => filled(path.replace(parameter, value)));
}

it('crashes and ELF files are in no answer to other users at any address', async () => {
  const { operations } = await readApiDocument(test.app);
  const reads = operations.filter(({ method }) => method === 'GET');
  const others = {
    'a second account': await test.bearer({ sub: 'subject-of-other', preferred_username: 'other' }),
    'an administrator': await test.bearer({ sub: 'subject-of-ada', realm_access: { roles: ['admin'] } }),
    nobody: {},
  };
  const query = `?sha256=${sha256.slice(0, 9)}&limit=100&type=version&format=json&q=Blinker`;
  const asked = new Set<string>();
  for (const { path } of reads) {
    for (const url of filled(path)) {
      for (const [who, headers] of Object.entries(others)) {
        for (const address of [url, `${url}${query}`]) {
          const answer = await test.app.inject({ url: address, headers });
          const leaked = secrets.filter((secret) => answer.rawPayload.includes(secret));
          expect([who, address, leaked]).toEqual([who, address, []]);
          asked.add(path);
        }
      }
    }
  }
  // Checks that the addresses with the secrets were among those read.
  for (const path of [
    firmwarePaths.elf,
    firmwarePaths.versionElf('{id}'),
    firmwarePaths.versionCrashes('{id}'),
    firmwarePaths.versionCrash('{id}', '{fingerprint}'),
    firmwarePaths.crashDump('{id}', '{fingerprint}', '{exampleId}'),
    sharedFirmwarePaths.item('version', '{id}'),
  ]) {
    expect(asked).toContain(path);
  }
}, 240_000);

it('crashes and ELF files are found by their owner, so the search above can detect them', async () => {
  const version = (await owner.projects())[0]?.versions[0];
  expect(version).toMatchObject({ elf: { fileName: elf.name, sha256 }, crashes: 1 });
  const dump = await owner.get(firmwarePaths.crashDump(version?._id ?? '', crash.fingerprint, crash.id));
  expect(dump.body).toBe('zq7-memory-of-a-board');
});
