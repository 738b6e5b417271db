import { join } from 'node:path';
import { firmwarePaths, sharedFirmwarePaths, type Version } from '@wirebench/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { noise } from '../../testing/noise.ts';
import { releaseClient } from '../../testing/release-client.ts';
import { buildTestApp, type TestApp } from '../../testing/test-app.ts';
import { filesIn } from '../../testing/upload-test.ts';

let test: TestApp;
let owner: ReturnType<typeof releaseClient>;
let projectId: string;
let version: Version;

beforeEach(async () => {
  test = await buildTestApp({ RATE_LIMIT_WRITES: '0' });
  owner = releaseClient(test.app, await test.bearer());
  projectId = (await owner.newProject())._id;
  version = await owner.newVersion(projectId);
});

afterEach(() => test[Symbol.asyncDispose]());

const stored = async () => (await owner.projects())[0]?.versions[0];

/** Returns the hashes of all bytes in the file store. */
async function hashes(): Promise<string[]> {
  return (await filesIn(join(test.dataDir, 'firmware', 'blobs'))).map((name) => name.slice(0, 64));
}

describe('the notes of a version', () => {
  it('are changed, but never to an empty text', async () => {
    const change = (body: unknown) => owner.post(firmwarePaths.versionDescription(version._id), body);
    expect((await change({ description: ' **New**\r\nnotes ' })).json().version.description).toBe('**New**\nnotes');
    for (const [body, sentence] of [
      [{ description: ' ' }, 'Description is required'],
      [{}, 'Description is required'],
      [{ description: ['x'] }, 'Description is required'],
      [{ description: 'x'.repeat(5_001) }, 'Description cannot exceed 5000 characters'],
    ] as const) {
      const answer = await change(body);
      expect([answer.statusCode, answer.json().error]).toEqual([400, sentence]);
    }
    expect((await stored())?.description).toBe('**New**\nnotes');
  });
});

describe.each(['project', 'version'] as const)('the description of a %s that two tabs edit', (type) => {
  it('shows the second tab the current text instead of overwriting it, if it sends a check', async () => {
    const path =
      type === 'project' ? firmwarePaths.projectDescription(projectId) : firmwarePaths.versionDescription(version._id);
    const before = type === 'project' ? '' : 'The first one';
    expect((await owner.post(path, { description: 'First tab', before })).statusCode).toBe(200);
    const late = await owner.post(path, { description: 'Second tab', before });
    expect([late.statusCode, late.json().code, late.json().current]).toEqual([409, 'description-changed', 'First tab']);
    // The same description may be sent again, because the first answer may have been lost.
    expect((await owner.post(path, { description: 'First tab', before })).statusCode).toBe(200);
    expect((await owner.post(path, { description: 'Second tab', before: 'First tab' })).statusCode).toBe(200);
    expect((await owner.post(path, { description: 'Unchecked' })).statusCode).toBe(200);
  });
});

describe('the monitor of a version', () => {
  const change = (console: unknown) => owner.post(firmwarePaths.versionConsole(version._id), { console });

  it('is added, changed and removed', async () => {
    const settings = { baudRate: 9_600, lineEnding: 'cr', jkitId: '01939c00-0000-7000-8000-000000000009' };
    expect((await change(settings)).json().version.console).toEqual(settings);
    expect((await change({ baudRate: 115_200, lineEnding: 'none', extra: 1 })).json().version.console).toEqual({
      baudRate: 115_200,
      lineEnding: 'none',
      jkitId: null,
    });
    expect((await change(null)).json().version.console).toBeNull();
    expect(await stored()).toMatchObject({ console: null });
  });

  it.each([
    { baudRate: 49, lineEnding: 'lf' },
    { baudRate: 9_600.5, lineEnding: 'lf' },
    { baudRate: '9600', lineEnding: 'lf' },
    { baudRate: 9_600, lineEnding: 'LF' },
    { baudRate: 9_600 },
    { baudRate: 9_600, lineEnding: 'lf', jkitId: 'a b' },
    'fast',
    undefined,
  ])('refuses %j', async (console) => {
    expect((await change(console)).statusCode).toBe(400);
  });
});

describe('the visibility of a version', () => {
  it('is turned or set, which may be repeated, while its project is public', async () => {
    const toggle = (body?: unknown) => owner.post(firmwarePaths.versionSharing(version._id), body);
    const refused = await toggle();
    expect([refused.statusCode, refused.json().error]).toEqual([
      409,
      'Make this project public before changing the visibility of its versions.',
    ]);
    expect((await toggle({ isPublic: false })).json().version.isPublic).toBe(false);
    await owner.setProjectPublic(projectId, true);
    expect((await toggle()).json().version.isPublic).toBe(true);
    expect((await toggle({})).json().version.isPublic).toBe(false);
    for (const isPublic of [true, true, false]) {
      expect((await toggle({ isPublic })).json().version.isPublic).toBe(isPublic);
    }
    expect((await toggle({ isPublic: 1 })).statusCode).toBe(400);
  });

  it('allows sharing under the same share id each time', async () => {
    const share = () => owner.post(firmwarePaths.versionShare(version._id));
    await owner.setProjectPublic(projectId, true);
    expect((await share()).json().error).toBe('Make this version public before sharing it.');
    await owner.setVersionPublic(version._id, true);
    expect((await share()).json()).toEqual({ shareId: version.shareId });
    expect((await share()).json()).toEqual({ shareId: version.shareId });
  });
});

describe('deleting', () => {
  it('removes the files of a version, except those that another version has too', async () => {
    const [shared, alone] = [noise(100), noise(100)];
    const before = await hashes();
    const first = await owner.newVersion(projectId, {
      version: '2',
      files: [
        { name: 'shared.bin', bytes: shared },
        { name: 'alone.bin', bytes: alone },
      ],
    });
    const second = await owner.newVersion(projectId, { version: '3', files: [{ name: 'other.bin', bytes: shared }] });
    expect(await hashes()).toHaveLength(before.length + 2);
    expect((await owner.remove(firmwarePaths.version(first._id))).statusCode).toBe(204);
    const kept = second.files[0]?.sha256 ?? '';
    await expect.poll(async () => (await hashes()).toSorted()).toEqual([...before, kept].toSorted());
    const file = await owner.get(firmwarePaths.versionFile(second._id, second.files[0]?._id ?? ''));
    expect(file.rawPayload.equals(shared)).toBe(true);
    expect((await owner.remove(firmwarePaths.version(second._id))).statusCode).toBe(204);
    await expect.poll(hashes).toEqual(before);
    expect((await owner.remove(firmwarePaths.version(second._id))).statusCode).toBe(404);
  });

  it('removes everything of a project', async () => {
    const other = await owner.newProject('Other');
    const before = await hashes();
    await owner.newVersion(other._id, { files: [{ name: 'a.bin', bytes: noise(10) }] });
    await owner.newVersion(other._id, { version: '2', files: [{ name: 'b.bin', bytes: noise(10) }] });
    expect((await owner.remove(firmwarePaths.project(other._id))).statusCode).toBe(204);
    await expect.poll(hashes).toEqual(before);
    expect((await owner.projects()).map(({ name }) => name)).toEqual(['Blinker']);
  });
});

describe('the flashes of a version', () => {
  const report = (body?: unknown) =>
    test.app.inject({
      method: 'POST',
      url: sharedFirmwarePaths.flashes(version.shareId),
      ...(body === undefined ? {} : { payload: body as object }),
    });
  const flashes = async () => (await owner.get(firmwarePaths.versionFlashes(version._id))).json().flashes;

  beforeEach(async () => {
    await owner.setProjectPublic(projectId, true);
    await owner.setVersionPublic(version._id, true);
  });

  it('are counted by result, chip and error, most frequent first', async () => {
    expect(await flashes()).toEqual({ successes: 0, failures: 0, counts: [] });
    for (const body of [
      undefined,
      {},
      { result: 'success', chip: 'ESP32-C3' },
      { result: 'failure', chip: 'ESP32', errorCode: 'no-answer' },
      { result: 'failure', chip: 'ESP32', errorCode: 'no-answer' },
      { result: 'failure', chip: 'ESP32', errorCode: 'no-answer' },
      { result: 'failure', errorCode: 'wrong-chip' },
    ]) {
      expect((await report(body)).statusCode).toBe(204);
    }
    expect(await flashes()).toEqual({
      successes: 3,
      failures: 4,
      counts: [
        { result: 'failure', chip: 'ESP32', errorCode: 'no-answer', count: 3 },
        { result: 'success', chip: null, errorCode: null, count: 2 },
        { result: 'failure', chip: null, errorCode: 'wrong-chip', count: 1 },
        { result: 'success', chip: 'ESP32-C3', errorCode: null, count: 1 },
      ],
    });
    expect((await stored())?.writeCount).toBe(3);
  });

  it('appear in public answers without making the project look changed', async () => {
    const read = async () => (await test.app.inject(sharedFirmwarePaths.item('version', version.shareId))).json();
    const before = await read();
    await test.clock.advance(60_000);
    await report();
    const after = await read();
    expect(after.version.writeCount).toBe(1);
    expect(after.project).toEqual(before.project);
  });

  it.each([
    { result: 'maybe' },
    { chip: '' },
    { chip: 'x'.repeat(41) },
    { chip: '<script>' },
    { chip: 'ESP32\n' },
    { errorCode: 'No Answer' },
    { errorCode: 5 },
    [],
  ])('refuse the report %j', async (body) => {
    expect((await report(body)).statusCode).toBe(400);
    expect((await flashes()).counts).toEqual([]);
  });

  it('carry nothing about the board or the person, whatever is sent', async () => {
    await report({ mac: '24:6f:28:00:00:00', log: 'secret', email: 'maker@wirebench.example', chip: 'ESP32' });
    expect(await flashes()).toEqual({
      successes: 1,
      failures: 0,
      counts: [{ result: 'success', chip: 'ESP32', errorCode: null, count: 1 }],
    });
  });

  it('are counted together beyond the limit of kinds, so that words cannot fill the database', async () => {
    for (let number = 0; number < 205; number++) {
      await report({ result: 'failure', errorCode: `code-${number}` });
    }
    await report({ result: 'failure', errorCode: 'code-0' });
    const { failures, counts } = await flashes();
    expect([failures, counts.length]).toEqual([206, 201]);
    expect(counts[0]).toEqual({ result: 'failure', chip: null, errorCode: null, count: 5 });
    expect(counts[1]).toEqual({ result: 'failure', chip: null, errorCode: 'code-0', count: 2 });
  });

  it('are deleted with the version', async () => {
    await report();
    await owner.remove(firmwarePaths.version(version._id));
    expect((await report()).statusCode).toBe(404);
  });
});
