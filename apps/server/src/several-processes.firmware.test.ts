/** Two servers on one PostgreSQL and one file store behave as one for firmware. */
import { createHash } from 'node:crypto';
import {
  firmwarePaths,
  Project,
  ProjectList,
  SharedVersionAnswer,
  sharedFirmwarePaths,
  Version,
  VersionList,
} from '@wirebench/contract';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type PairCall, type ServerPair, startServerPair, times } from './testing/server-pair.ts';

const postgres = inject('postgres');

describe.runIf(postgres !== null)('two processes on one database and one file store', () => {
  let pair: ServerPair;

  beforeAll(async () => {
    pair = await startServerPair(postgres?.url ?? '');
  }, 90_000);

  afterAll(() => pair[Symbol.asyncDispose]());

  const newProject = (maker: PairCall, name = 'Blinker') =>
    maker('POST', firmwarePaths.newProject, { name, deviceModel: 'esp32' });

  function upload(maker: PairCall, projectId: string, version: string, bytes: string, address?: string) {
    const form = new FormData();
    form.set('projectId', projectId);
    form.set('version', version);
    form.set('description', 'Uploaded to two servers');
    form.set('offsets', '["0x10000"]');
    form.append('files', new Blob([bytes]), 'app.bin');
    return maker('POST', firmwarePaths.newVersion, form, address);
  }

  /** Publishes a version with a file of these bytes. */
  async function publish(maker: PairCall, bytes: string): Promise<{ project: Project; version: Version }> {
    const project = Project.parse((await newProject(maker)).body.project);
    const version = Version.parse((await upload(maker, project._id, '1.0.0', bytes)).body.version);
    await maker('POST', firmwarePaths.projectSharing(project._id), { isPublic: true });
    await maker('POST', firmwarePaths.versionSharing(version._id), { isPublic: true });
    return { project, version };
  }

  const countOf = (answers: readonly { status: number }[], wanted: number) =>
    answers.filter(({ status }) => status === wanted).length;

  it('share the limit of projects and the uniqueness of their names', async () => {
    const maker = await pair.newUser('maker-of-projects');
    const same = await times(10, (number) => newProject(maker, number % 2 === 0 ? 'Blinker' : ' blinker '));
    expect([countOf(same, 201), countOf(same, 409)]).toEqual([1, 9]);
    const more = await times(16, (number) => newProject(maker, `Project ${number}`));
    expect([countOf(more, 201), countOf(more, 422)]).toEqual([4, 12]);
    for (const _server of pair.servers) {
      expect(ProjectList.parse((await maker('GET', firmwarePaths.projects)).body).projects).toHaveLength(5);
    }
  });

  it('share the limit and unique numbers of versions, and keep bytes of accepted ones only', async () => {
    const maker = await pair.newUser('maker-of-versions');
    const { _id } = Project.parse((await newProject(maker)).body.project);
    const before = (await pair.bucketKeys?.())?.length ?? 0;
    const answers = await times(16, (number) => upload(maker, _id, `1.${number % 8}`, `bytes of ${number}`));
    expect(countOf(answers, 201)).toBe(3);
    expect(countOf(answers, 409) + countOf(answers, 422)).toBe(13);
    for (const _server of pair.servers) {
      const { versions } = VersionList.parse((await maker('GET', firmwarePaths.versions(_id))).body);
      expect(new Set(versions.map(({ version }) => version)).size).toBe(3);
    }
    const { bucketKeys } = pair;
    if (bucketKeys !== null) {
      await expect.poll(async () => (await bucketKeys()).length - before).toBe(3);
    }
  });

  it('toggle a switch once for each call', async () => {
    const maker = await pair.newUser('maker-of-switches');
    const { _id } = Project.parse((await newProject(maker)).body.project);
    await times(7, () => maker('POST', firmwarePaths.projectSharing(_id)));
    await times(6, () => maker('POST', firmwarePaths.projectSharing(_id), { isPublic: true }));
    for (const _server of pair.servers) {
      expect((await maker('GET', firmwarePaths.projects)).body.projects[0].isPublic).toBe(true);
    }
  });

  it('count every flash, and serve the bytes that the other stored', async () => {
    const maker = await pair.newUser('maker-of-flashes');
    const bytes = 'bytes that one server took';
    const { version } = await publish(maker, bytes);
    const reports = await times(40, (number) =>
      maker('POST', sharedFirmwarePaths.flashes(version.shareId), {
        result: number % 4 === 0 ? 'failure' : 'success',
        chip: 'ESP32',
      }),
    );
    expect(countOf(reports, 204)).toBe(40);
    for (const { address } of pair.servers) {
      const writeCount = async () => {
        const shared = await fetch(`${address}${sharedFirmwarePaths.item('version', version.shareId)}`);
        return SharedVersionAnswer.parse(await shared.json()).version.writeCount;
      };
      // Each server sees the counts of the other one within a second.
      await expect.poll(writeCount).toBe(30);
      const file = sharedFirmwarePaths.file('version', version.shareId, version.files[0]?._id ?? '');
      const answer = await fetch(`${address}${file}`);
      expect(await answer.text()).toBe(bytes);
      expect(answer.headers.get('etag')).toBe(`"${createHash('sha256').update(bytes).digest('hex')}"`);
    }
  });

  it('hide a private version on both as soon as one makes it private', async () => {
    const maker = await pair.newUser('maker-of-secrets');
    const { project, version } = await publish(maker, 'bytes for some time');
    const statuses = (url: string) =>
      Promise.all(pair.servers.map(({ address }) => fetch(`${address}${url}`).then(({ status }) => status)));
    for (let round = 0; round < 4; round++) {
      const isPublic = round % 2 === 1;
      await maker('POST', firmwarePaths.projectSharing(project._id), { isPublic });
      const expected = isPublic ? [200, 200] : [404, 404];
      for (const type of ['project', 'version'] as const) {
        const { shareId } = type === 'project' ? project : version;
        expect(await statuses(sharedFirmwarePaths.item(type, shareId))).toEqual(expected);
        expect(await statuses(sharedFirmwarePaths.manifest(type, shareId))).toEqual(expected);
      }
    }
  });

  it('keep the bytes of two versions until the last of them goes', async () => {
    const maker = await pair.newUser('maker-of-copies');
    const { _id } = Project.parse((await newProject(maker)).body.project);
    const uploads = await times(3, (number) => upload(maker, _id, `1.${number}`, 'the same bytes three times'));
    const versions = uploads.map(({ body }) => Version.parse(body.version));
    for (const [index, version] of versions.entries()) {
      const file = firmwarePaths.versionFile(version._id, version.files[0]?._id ?? '');
      const answers = await Promise.all(
        pair.servers.map(({ address }) => maker('HEAD', file, undefined, address).then(({ status }) => status)),
      );
      expect(answers, `version ${index}`).toEqual([200, 200]);
      expect((await maker('DELETE', firmwarePaths.version(version._id))).status).toBe(204);
    }
    const sha256 = createHash('sha256').update('the same bytes three times').digest('hex');
    await expect.poll(async () => (await pair.bucketKeys?.())?.filter((key) => key.includes(sha256)) ?? []).toEqual([]);
  });

  it('recover from one that dies during uploads: versions have their bytes, numbers are free', async () => {
    const maker = await pair.newUser('survivor-of-uploads');
    const { _id } = Project.parse((await newProject(maker)).body.project);
    await using third = await pair.start('third');
    const taken = Promise.withResolvers<void>();
    const uploading = times(12, async (number) => {
      const bytes = `bytes ${number}`.repeat(5_000);
      const answer = await upload(maker, _id, `1.${number}`, bytes, third.address).catch(() => null);
      // Stop in the middle: some uploads are finished, others are still running.
      taken.resolve();
      return answer?.status;
    });
    await taken.promise;
    await third.kill();
    const statuses = await uploading;
    const { versions } = VersionList.parse((await maker('GET', firmwarePaths.versions(_id))).body);
    expect(versions.length).toBeGreaterThanOrEqual(statuses.filter((status) => status === 201).length);
    for (const version of versions) {
      const [file] = version.files;
      const { status } = await maker('HEAD', firmwarePaths.versionFile(version._id, file?._id ?? ''));
      expect(status).toBe(200);
      expect((await maker('DELETE', firmwarePaths.version(version._id))).status).toBe(204);
    }
    const again = await times(3, (number) => upload(maker, _id, `1.${number}`, `bytes ${number}`));
    expect(countOf(again, 201)).toBe(3);
  });
});
