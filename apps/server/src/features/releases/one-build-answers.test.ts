/**
 * Compares every answer about a release of the simple form with a recording (`one-build-answers.txt`), so that older
 * clients keep seeing what they were built for. IDs are replaced by their order of appearance.
 */
import { readFile } from 'node:fs/promises';
import { firmwarePaths, sharedFirmwarePaths } from '@wirebench/contract';
import type { LightMyRequestResponse } from 'fastify';
import { describe, expect, it } from 'vitest';
import { crashReport } from '../../testing/crash-reports.ts';
import { databaseKinds } from '../../testing/databases.ts';
import { elfFile, releaseClient, type TestVersion } from '../../testing/release-client.ts';
import { buildTestApp } from '../../testing/test-app.ts';

const recording = new URL('./one-build-answers.txt', import.meta.url);

/** Headers that a client may depend on. */
const headers = [
  'content-type',
  'content-length',
  'content-disposition',
  'cache-control',
  'etag',
  'accept-ranges',
  'content-range',
] as const;

/** Collects answers as text. */
function transcript() {
  const names = new Map<string, string>();
  const lines: string[] = [];
  const nameOf = (kind: string) => (id: string) => {
    const name = names.get(id) ?? `<${kind} ${names.size + 1}>`;
    names.set(id, name);
    return name;
  };
  const anonymous = (text: string) =>
    text
      .replace(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g, nameOf('id'))
      .replace(/(?<=shareId":"|version\/|project\/)[\w-]{22}(?=["/])/g, nameOf('share'));
  return {
    /** Adds an answer. Tags of texts with IDs and lengths of texts with dates differ in each run. */
    add(title: string, answer: LightMyRequestResponse) {
      const isFile = answer.headers['content-type'] === 'application/octet-stream';
      const kept = headers
        .filter((name) => isFile || (name !== 'etag' && name !== 'content-length'))
        .flatMap((name) => (answer.headers[name] === undefined ? [] : [`${name}: ${answer.headers[name]}`]));
      const body = isFile ? answer.rawPayload.toString('base64') : answer.body;
      lines.push(`# ${title}`, String(answer.statusCode), ...kept.map(anonymous), anonymous(body), '');
      return answer;
    },
    text: () => lines.join('\n'),
  };
}

describe.each(databaseKinds)('answers about a release of one build on $name', ({ appPlace }) => {
  it('are those of earlier versions of the product, byte for byte', async () => {
    await using place = await appPlace();
    await using test = await buildTestApp({ RATE_LIMIT_WRITES: '0', LIMIT_VERSIONS: '2', ...place.environment });
    const owner = releaseClient(test.app, await test.bearer());
    const record = transcript();
    const post = (url: string, payload: object) => test.app.inject({ method: 'POST', url, payload });

    const created = record.add(
      'a new project',
      await owner.post(firmwarePaths.newProject, { name: 'Blinker', description: 'A light', deviceModel: 'esp32c3' }),
    );
    const project = created.json().project;
    const files = [
      { name: 'firmware.bin', bytes: Buffer.from(Array.from({ length: 40 }, (_, index) => index + 1)) },
      { name: 'boot.bin', bytes: Buffer.from(Array.from({ length: 30 }, (_, index) => 100 + index)) },
    ];
    const form: TestVersion = {
      files,
      offsets: '["0x10000","0x0"]',
      console: '{"baudRate":9600,"lineEnding":"lf"}',
      elf: elfFile(),
    };
    const uploaded = record.add('a new version', await owner.upload(project._id, form));
    const version = uploaded.json().version;

    const faults: Readonly<Record<string, TestVersion>> = {
      'a version number that is taken': form,
      'no files': { version: '2', files: [], offsets: '[]' },
      'five files': {
        version: '2',
        files: Array.from({ length: 5 }, (_, index) => ({ name: `${index}.bin`, bytes: Buffer.from([index]) })),
      },
      'a HEX file': { version: '2', files: [{ name: 'app.hex', bytes: Buffer.from(':00000001FF\n') }] },
      'offsets without a prefix': { version: '2', files, offsets: '["10000","0x0"]' },
      'one offset too few': { version: '2', files, offsets: '["0x10000"]' },
      'offsets that are no list': { version: '2', files, offsets: '0x10000' },
      'files that overlap': { version: '2', files, offsets: '["0x10000","0x10010"]' },
      'a file that is no firmware': {
        version: '2',
        files: [{ name: 'app.bin', bytes: Buffer.from('<!DOCTYPE html><html></html>') }],
      },
      'no description': { version: '2', description: ' ' },
    };
    for (const [title, fault] of Object.entries(faults)) {
      record.add(`a version with ${title}`, await owner.upload(project._id, fault));
    }

    record.add('the private version, shared', await owner.get(sharedFirmwarePaths.item('version', version.shareId)));
    record.add('publishing the project', await owner.setProjectPublic(project._id, true));
    record.add('publishing the version', await owner.setVersionPublic(version._id, true));
    record.add('its share link', await owner.post(firmwarePaths.versionShare(version._id)));
    const flashes = sharedFirmwarePaths.flashes(version.shareId);
    record.add('a flash without a body', await test.app.inject({ method: 'POST', url: flashes }));
    record.add('a flash with a chip', await post(flashes, { result: 'success', chip: 'ESP32-C3' }));
    record.add('a failed flash', await post(flashes, { result: 'failure', errorCode: 'wrong-chip' }));
    record.add('a flash that cannot be read', await post(flashes, { result: 'perhaps' }));
    const id = '018f4d3a-0000-7000-8000-000000000001';
    record.add('a crash', await post(sharedFirmwarePaths.crashes(version.shareId), crashReport({ id })));

    for (const type of ['project', 'version'] as const) {
      const { shareId } = type === 'project' ? project : version;
      record.add(`the shared ${type}`, await test.app.inject(sharedFirmwarePaths.item(type, shareId)));
      record.add(`the manifest of the ${type}`, await test.app.inject(sharedFirmwarePaths.manifest(type, shareId)));
      record.add(`the badge of the ${type}`, await test.app.inject(sharedFirmwarePaths.badge(type, shareId)));
      for (const { _id } of version.files) {
        record.add(`a file of the ${type}`, await test.app.inject(sharedFirmwarePaths.file(type, shareId, _id)));
      }
    }
    record.add('projects', await owner.get(firmwarePaths.projects));
    record.add('versions', await owner.get(firmwarePaths.versions(project._id)));
    record.add('flashes', await owner.get(firmwarePaths.versionFlashes(version._id)));
    record.add('crashes', await owner.get(firmwarePaths.versionCrashes(version._id)));
    record.add('the crash', await owner.get(firmwarePaths.versionCrash(version._id, '0123456789abcdef')));
    record.add('a file of the owner', await owner.get(firmwarePaths.versionFile(version._id, version.files[1]._id)));

    await test.clock.advance(60_000);
    record.add('a second version', await owner.upload(project._id, { version: '2.0.0' }));
    record.add('a third version', await owner.upload(project._id, { version: '3.0.0' }));
    record.add('the history', await owner.get(firmwarePaths.projectHistory(project._id)));
    record.add('the history as a table', await owner.get(`${firmwarePaths.projectHistory(project._id)}?format=csv`));
    record.add('deleting the version', await owner.remove(firmwarePaths.version(version._id)));
    record.add(
      'the deleted version, shared',
      await test.app.inject(sharedFirmwarePaths.item('version', version.shareId)),
    );
    record.add(
      'the manifest of no version',
      await test.app.inject(sharedFirmwarePaths.manifest('project', project.shareId)),
    );
    record.add('the badge of no version', await test.app.inject(sharedFirmwarePaths.badge('project', project.shareId)));

    const stm = await owner.newProject('Blue pill', { deviceFamily: 'stm', deviceModel: 'stm32f' });
    const program = Buffer.alloc(1_024, 0x42);
    for (const [at, word] of [0x2000_5000, 0x0800_0101, 0x0800_0101, 0x0800_0101].entries()) {
      program.writeUInt32LE(word, at * 4);
    }
    const stmForm = { files: [{ name: 'app.bin', bytes: program }], offsets: '["0x08000000"]' };
    const stmVersion = record.add('a version for an STM32', await owner.upload(stm._id, stmForm)).json().version;
    await owner.setProjectPublic(stm._id, true);
    await owner.setVersionPublic(stmVersion._id, true);
    record.add('it, shared', await test.app.inject(sharedFirmwarePaths.item('version', stmVersion.shareId)));
    record.add('its manifest', await test.app.inject(sharedFirmwarePaths.manifest('version', stmVersion.shareId)));
    expect(record.text()).toBe(await readFile(recording, 'utf8'));
  });
});
