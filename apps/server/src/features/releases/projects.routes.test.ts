import { familyIds, modelsOf } from '@wirebench/boards';
import { firmwarePaths, History, Project, ProjectAnswer, releaseLimits } from '@wirebench/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { releaseClient } from '../../testing/release-client.ts';
import { buildTestApp, type TestApp, testStart } from '../../testing/test-app.ts';

let test: TestApp;
let owner: ReturnType<typeof releaseClient>;

beforeEach(async () => {
  test = await buildTestApp({ RATE_LIMIT_WRITES: '0' });
  owner = releaseClient(test.app, await test.bearer());
});

afterEach(() => test[Symbol.asyncDispose]());

const create = (body: unknown) => owner.post(firmwarePaths.newProject, body);
const valid = { name: 'Blinker', deviceModel: 'esp32' };
const somewhen = () => new Date(test.clock.now()).toISOString();
const unknownId = '01939c00-0000-7000-8000-000000000000';

describe('creating a project', () => {
  it('answers with it, private and empty', async () => {
    const answer = await create({
      name: ' Blinker ',
      description: ' Makes a light blink ',
      deviceFamily: 'stm',
      deviceModel: 'stm32f',
    });
    expect(answer.statusCode).toBe(201);
    const created = new Date(testStart).toISOString();
    expect(ProjectAnswer.parse(answer.json()).project).toEqual({
      _id: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-7/),
      shareId: expect.stringMatching(/^[\w-]{22}$/),
      name: 'Blinker',
      description: 'Makes a light blink',
      deviceFamily: 'stm',
      deviceModel: 'stm32f',
      publisher: 'maker',
      demo: false,
      isPublic: false,
      createdAt: created,
      updatedAt: created,
      versions: [],
    });
  });

  it('takes the ESP family and no description for granted', async () => {
    const { project } = ProjectAnswer.parse((await create(valid)).json());
    expect([project.deviceFamily, project.description]).toEqual(['esp', '']);
  });

  it('drops fields that a client must not set', async () => {
    const answer = await create({
      ...valid,
      _id: unknownId,
      shareId: 'mine',
      isPublic: true,
      demo: true,
      publisher: 'somebody else',
      versions: [{}],
      subject: 'subject-of-admin',
      shareEndsAt: '2099-01-01T00:00:00.000Z',
      withheld: { by: 'blocked', reason: 'x' },
    });
    expect(answer.statusCode).toBe(201);
    const always = Object.entries(Project.shape).filter(([, field]) => !z.safeParse(field, undefined).success);
    expect(Object.keys(answer.json().project).sort()).toEqual(always.map(([name]) => name).sort());
    expect(answer.json().project).toMatchObject({ isPublic: false, demo: false, publisher: 'maker', versions: [] });
    expect(answer.json().project._id).not.toBe(unknownId);
  });

  it.each<[string, unknown, string]>([
    ['no name', { deviceModel: 'esp32' }, 'Project name is required'],
    ['a blank name', { ...valid, name: ' \n' }, 'Project name is required'],
    ['a number as name', { ...valid, name: 5 }, 'Project name is required'],
    ['a long name', { ...valid, name: 'x'.repeat(81) }, 'Project name cannot exceed 80 characters'],
    ['a name of two lines', { ...valid, name: 'a\nb' }, 'Project name cannot contain control characters'],
    ['a NUL in the name', { ...valid, name: 'a\0b' }, 'Text cannot contain a NUL character'],
    ['no model', { name: 'Blinker' }, 'Device model is required'],
    ['an empty model', { ...valid, deviceModel: '' }, 'Device model is required'],
    [
      'an unknown model',
      { ...valid, deviceModel: 'esp9000' },
      `Device model must be one of ${modelsOf('esp').join(', ')}`,
    ],
    [
      'a model of the other family',
      { ...valid, deviceFamily: 'stm' },
      `Device model must be one of ${modelsOf('stm').join(', ')}`,
    ],
    ['an unknown family', { ...valid, deviceFamily: 'pic' }, 'Device family must be one of esp, stm, nrf, avr, rp'],
    [
      'a long description',
      { ...valid, description: 'x'.repeat(releaseLimits.descriptionMaxLength + 1) },
      'Description cannot exceed 5000 characters',
    ],
    ['a list', [valid], 'The body must be a JSON object'],
  ])('refuses %s', async (_name, body, sentence) => {
    const answer = await create(body);
    expect([answer.statusCode, answer.json().error, answer.json().message]).toEqual([400, sentence, sentence]);
    expect(answer.json().code).toBe('invalid-request');
    expect(await owner.projects()).toEqual([]);
  });

  it.each(familyIds.flatMap((family) => modelsOf(family).map((model) => [family, model] as const)))(
    'knows %s with %s',
    async (deviceFamily, deviceModel) => {
      expect((await create({ name: 'Blinker', deviceFamily, deviceModel })).statusCode).toBe(201);
    },
  );

  it('takes each name once for an owner, in any case and any way of composing letters', async () => {
    await create({ ...valid, name: 'Blinkér' });
    for (const name of ['Blinkér', '  blinkÉR ', 'Blinkér'.normalize('NFD')]) {
      const answer = await create({ ...valid, name });
      expect([answer.statusCode, answer.json()]).toEqual([
        409,
        {
          error: 'A project with this name already exists',
          message: 'A project with this name already exists',
          code: 'project-name-taken',
        },
      ]);
    }
    const other = releaseClient(test.app, await test.bearer({ sub: 'subject-of-tinkerer' }));
    expect((await other.newProject('Blinkér')).name).toBe('Blinkér');
  });

  it('stops at the limit and names it', async () => {
    for (let number = 0; number < 5; number++) {
      await owner.newProject(`Project ${number}`);
    }
    const sentence =
      'You have reached the maximum limit of 5 projects. Please delete an existing project before creating a new one.';
    const answer = await create(valid);
    expect([answer.statusCode, answer.json()]).toEqual([
      422,
      { error: sentence, message: sentence, code: 'project-limit' },
    ]);
    const [oldest] = (await owner.projects()).toReversed();
    await owner.remove(firmwarePaths.project(oldest?._id ?? ''));
    expect((await create(valid)).statusCode).toBe(201);
  });

  it('stops where the deployment says', async () => {
    await using small = await buildTestApp({ LIMIT_PROJECTS: '1' });
    const client = releaseClient(small.app, await small.bearer());
    await client.newProject();
    expect((await client.post(firmwarePaths.newProject, { ...valid, name: 'Second' })).json().error).toBe(
      'You have reached the maximum limit of 1 projects. Please delete an existing project before creating a new one.',
    );
  });
});

describe('a list of projects', () => {
  it('is newest change first, whatever of it was changed', async () => {
    const names = async () => (await owner.projects()).map(({ name }) => name);
    const projects = [];
    for (const name of ['one', 'two', 'three']) {
      projects.push(await owner.newProject(name));
      await test.clock.advance(1_000);
    }
    expect(await names()).toEqual(['three', 'two', 'one']);
    const [one, two] = projects;
    await owner.post(firmwarePaths.projectDescription(one?._id ?? ''), { description: 'changed' });
    await test.clock.advance(1_000);
    const version = await owner.newVersion(two?._id ?? '');
    expect(await names()).toEqual(['two', 'one', 'three']);
    await test.clock.advance(1_000);
    await owner.setProjectPublic(one?._id ?? '', true);
    expect(await names()).toEqual(['one', 'two', 'three']);
    await test.clock.advance(1_000);
    await owner.post(firmwarePaths.versionDescription(version._id), { description: 'changed' });
    expect(await names()).toEqual(['two', 'one', 'three']);
    expect((await owner.projects())[0]?.updatedAt).toBe(somewhen());
  });

  it('has the versions of each, newest first', async () => {
    const project = await owner.newProject();
    for (const version of ['1', '3', '2']) {
      await owner.newVersion(project._id, { version });
      await test.clock.advance(1_000);
    }
    await owner.newProject('Other');
    const [other, blinker] = await owner.projects();
    expect(blinker?.versions.map(({ version }) => version)).toEqual(['2', '3', '1']);
    expect(other?.versions).toEqual([]);
    expect((await owner.get(firmwarePaths.versions(project._id))).json().versions).toEqual(blinker?.versions);
  });

  it('is the own one', async () => {
    await owner.newProject();
    const other = releaseClient(test.app, await test.bearer({ sub: 'subject-of-tinkerer' }));
    expect(await other.projects()).toEqual([]);
  });
});

describe('changing a project', () => {
  it('gives it a new description', async () => {
    const { _id } = await owner.newProject();
    const change = (body: unknown) => owner.post(firmwarePaths.projectDescription(_id), body);
    expect((await change({ description: ' **New** ' })).json().project.description).toBe('**New**');
    expect((await change({ description: '' })).json().project.description).toBe('');
    for (const body of [{}, { description: 5 }, { description: 'x'.repeat(5_001) }, { description: '\0' }]) {
      expect((await change(body)).statusCode).toBe(400);
    }
    expect((await owner.projects())[0]?.description).toBe('');
  });

  it('turns its visibility, or sets it, which may be repeated', async () => {
    const { _id } = await owner.newProject();
    const toggle = async (body?: unknown) => (await owner.post(firmwarePaths.projectSharing(_id), body)).json();
    expect((await toggle()).project.isPublic).toBe(true);
    expect((await toggle({})).project.isPublic).toBe(false);
    for (const isPublic of [true, true, false, false]) {
      expect((await toggle({ isPublic })).project.isPublic).toBe(isPublic);
    }
    expect(await toggle({ isPublic: 'yes' })).toMatchObject({ error: 'isPublic must be true or false' });
  });

  it('is no change when nothing is different: neither a new time nor a line in the history', async () => {
    const { _id } = await owner.newProject('Blinker', { description: 'same' });
    const before = (await owner.projects())[0];
    await test.clock.advance(1_000);
    await owner.post(firmwarePaths.projectDescription(_id), { description: 'same' });
    await owner.setProjectPublic(_id, false);
    expect((await owner.projects())[0]).toEqual(before);
    expect((await owner.get(firmwarePaths.projectHistory(_id))).json().history).toHaveLength(1);
  });

  it('shares it under the same id each time, only while it is public', async () => {
    const { _id, shareId } = await owner.newProject();
    const share = () => owner.post(firmwarePaths.projectShare(_id));
    const refused = await share();
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'project-not-public']);
    await owner.setProjectPublic(_id, true);
    expect((await share()).json()).toEqual({ shareId });
    expect((await share()).json()).toEqual({ shareId });
  });
});

describe('the history of a project', () => {
  it('says who did what and when, newest first', async () => {
    const { _id } = await owner.newProject();
    await test.clock.advance(1_000);
    await owner.post(firmwarePaths.projectDescription(_id), { description: 'new' });
    await owner.setProjectPublic(_id, true);
    const version = await owner.newVersion(_id, { version: '1.0.0' });
    await owner.setVersionPublic(version._id, true);
    await owner.post(firmwarePaths.versionDescription(version._id), { description: 'new' });
    await owner.post(firmwarePaths.versionConsole(version._id), { console: { baudRate: 9_600, lineEnding: 'lf' } });
    await owner.setVersionPublic(version._id, false);
    await owner.remove(firmwarePaths.version(version._id));
    await owner.setProjectPublic(_id, false);
    const { history, pagination } = History.parse((await owner.get(firmwarePaths.projectHistory(_id))).json());
    expect(pagination).toEqual({ total: 10, limit: 100, skip: 0 });
    expect(history.map(({ action, version: number }) => [action, number]).reverse()).toEqual([
      ['project-created', null],
      ['project-described', null],
      ['project-published', null],
      ['version-created', '1.0.0'],
      ['version-published', '1.0.0'],
      ['version-described', '1.0.0'],
      ['version-console-changed', '1.0.0'],
      ['version-withdrawn', '1.0.0'],
      ['version-deleted', '1.0.0'],
      ['project-withdrawn', null],
    ]);
    expect(history[0]).toEqual({
      _id: expect.any(String),
      at: somewhen(),
      action: 'project-withdrawn',
      version: null,
      by: 'maker',
      token: null,
    });
    const part = History.parse((await owner.get(`${firmwarePaths.projectHistory(_id)}?limit=2&skip=8`)).json());
    expect(part.history).toEqual(history.slice(8));
  });

  it('comes as CSV too, whole', async () => {
    const { _id } = await owner.newProject();
    for (let change = 0; change < 600; change++) {
      await owner.post(firmwarePaths.projectSharing(_id));
    }
    const version = await owner.newVersion(_id, { version: '=1+1' });
    await owner.remove(firmwarePaths.version(version._id));
    const answer = await owner.get(`${firmwarePaths.projectHistory(_id)}?format=csv&limit=5`);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': `attachment; filename="history-${_id}.csv"`,
    });
    const lines = answer.body.split('\r\n');
    expect(lines[0]).toBe('_id,at,action,version,by,tokenId,tokenName');
    expect(lines).toHaveLength(1 + 603 + 1);
    expect(new Set(lines).size).toBe(lines.length);
    expect(lines[1]).toMatch(/^[\da-f-]{36},2026-11-20T12:00:00\.000Z,version-deleted,'=1\+1,maker,,$/);
    expect(lines.at(-2)).toContain(',project-created,,maker,,');
  });

  it.each(['format=xml', 'limit=0', 'limit=101', 'skip=-1', 'limit=ten'])('refuses ?%s', async (query) => {
    const { _id } = await owner.newProject();
    expect((await owner.get(`${firmwarePaths.projectHistory(_id)}?${query}`)).statusCode).toBe(400);
  });
});
