import { firmwarePaths, jkitPaths, sharedFirmwarePaths } from '@wirebench/contract';
import { describe, expect, it } from 'vitest';
import { newApiUser } from '../testing/api-user.ts';
import { buildTestApp } from '../testing/test-app.ts';

const json = { 'content-type': 'application/json' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const empty = { 'content-length': '0' };

describe('a call that sends nothing', () => {
  it.each<[string, Readonly<Record<string, string>>]>([
    ['no type', {}],
    ['the type of JSON', json],
    ['the type of JSON and a length of 0', { ...json, ...empty }],
    ['the type of a form, as curl -d "" has it', { ...form, ...empty }],
    ['a type that does not exist', { 'content-type': 'nonsense', ...empty }],
  ])('is taken with %s, where nothing is asked for', async (_name, headers) => {
    await using test = await buildTestApp();
    const [maker, tinkerer] = [await newApiUser(test), await newApiUser(test)];
    const { body: saved } = await maker.post(jkitPaths.jkits, { name: 'Kit', content: '{"fields":[]}', shared: true });
    const { body: made } = await maker.post(firmwarePaths.newProject, { name: 'Board', deviceModel: 'esp32' });
    const [jkit, project] = [saved.data._id, made.project._id];
    const send = async ({ headers: user }: typeof maker, method: 'POST' | 'DELETE', url: string) =>
      (await test.app.inject({ method, url, headers: { ...user, ...headers } })).statusCode;

    expect(await send(maker, 'POST', firmwarePaths.projectSharing(project))).toBe(200);
    expect(await send(maker, 'POST', firmwarePaths.projectShare(project))).toBe(200);
    expect(await send(maker, 'DELETE', firmwarePaths.project(project))).toBe(204);
    expect(await send(tinkerer, 'POST', jkitPaths.star(jkit))).toBe(200);
    expect(await send(tinkerer, 'DELETE', jkitPaths.star(jkit))).toBe(200);
    expect(await send(maker, 'DELETE', jkitPaths.jkit(jkit))).toBe(204);
    const unknown = await test.app.inject({ method: 'POST', url: sharedFirmwarePaths.flashes('nothing'), headers });
    expect(unknown.statusCode).toBe(404);
  });

  it('is refused in a sentence where a body is asked for', async () => {
    await using test = await buildTestApp();
    const maker = await newApiUser(test);
    for (const headers of [{}, json, { ...json, ...empty }]) {
      const answer = await test.app.inject({
        method: 'POST',
        url: jkitPaths.jkits,
        headers: { ...maker.headers, ...headers },
      });
      expect([answer.statusCode, answer.json().error]).toEqual([400, 'The body must be a JSON object']);
    }
  });
});
