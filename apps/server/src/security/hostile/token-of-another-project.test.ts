/** A publishing token that leaked from one build, used on everything else of its owner. */
import { firmwarePaths, type Project, type Version } from '@wirebench/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { crashReport } from '../../testing/crash-reports.ts';
import { type DatabasePlace, databaseKinds } from '../../testing/databases.ts';
import { releaseClient } from '../../testing/release-client.ts';
import { buildTestApp, type TestApp } from '../../testing/test-app.ts';

let database: DatabasePlace;
let test: TestApp;
let owner: ReturnType<typeof releaseClient>;
let thief: ReturnType<typeof releaseClient>;
let project: Project;
let version: Version;

describe.each(databaseKinds)('a token of project A on project B, on $name', ({ appPlace }) => {
  beforeEach(async () => {
    database = await appPlace();
    test = await buildTestApp({ RATE_LIMIT_WRITES: '0', ...database.environment });
    owner = releaseClient(test.app, await test.bearer());
    const leaked = await owner.newProject('A');
    project = await owner.newProject('B');
    version = await owner.newVersion(project._id);
    await owner.setProjectPublic(project._id, true);
    const { secret } = (await owner.post('/api/tokens', { name: 'CI', projectId: leaked._id })).json();
    thief = releaseClient(test.app, { authorization: `Bearer ${secret}` });
  });

  afterEach(async () => {
    await test[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
  });

  it('sees nothing of it', async () => {
    expect((await thief.projects()).map(({ name }) => name)).toEqual(['A']);
    for (const url of [
      firmwarePaths.versions(project._id),
      firmwarePaths.projectHistory(project._id),
      `${firmwarePaths.projectHistory(project._id)}?format=csv`,
      firmwarePaths.versionFlashes(version._id),
      firmwarePaths.versionFile(version._id, version.files[0]?._id ?? ''),
    ]) {
      const answer = await thief.get(url);
      expect([url, answer.statusCode, answer.json().code]).toEqual([url, 404, 'not-found']);
    }
    for (const url of [
      firmwarePaths.versionCrashes(version._id),
      firmwarePaths.versionCrash(version._id, crashReport().fingerprint),
    ]) {
      const answer = await thief.get(url);
      expect([url, answer.statusCode, answer.json().code]).toEqual([url, 403, 'token-not-allowed']);
    }
  });

  it('changes nothing of it', async () => {
    const before = await owner.projects();
    for (const answer of [
      await thief.upload(project._id, { version: '6.6.6' }),
      await thief.upload(project._id, { version: '6.6.6', filesFirst: true }),
      await thief.post(firmwarePaths.versionDescription(version._id), { description: 'x' }),
      await thief.post(firmwarePaths.versionConsole(version._id), { console: null }),
      await thief.setVersionPublic(version._id, true),
      await thief.setVersionPublic(version._id, false),
      await thief.post(firmwarePaths.versionShare(version._id)),
      await thief.post(firmwarePaths.projectShare(project._id)),
    ]) {
      expect([answer.statusCode, answer.json().code]).toEqual([404, 'not-found']);
    }
    for (const answer of [
      await thief.post(firmwarePaths.projectDescription(project._id), { description: 'x' }),
      await thief.setProjectPublic(project._id, false),
      await thief.post(firmwarePaths.projectShareRenewal(project._id)),
      await thief.post(firmwarePaths.versionShareEnd(version._id), { endsAt: null }),
      await thief.remove(firmwarePaths.version(version._id)),
      await thief.remove(firmwarePaths.project(project._id)),
      await thief.post(firmwarePaths.newProject, { name: 'C', deviceModel: 'esp32' }),
      await thief.post(firmwarePaths.versionCrashes(version._id), crashReport()),
      await thief.remove(firmwarePaths.versionCrash(version._id, crashReport().fingerprint)),
      await thief.remove(firmwarePaths.versionCrashes(version._id)),
    ]) {
      expect([answer.statusCode, answer.json().code]).toEqual([403, 'token-not-allowed']);
    }
    expect(await owner.projects()).toEqual(before);
  });
});
