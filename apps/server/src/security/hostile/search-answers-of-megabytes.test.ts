/**
 * A user fills the library with the longest possible jkits, so that the searches and lists of all users would contain
 * them.
 */
import { JkitSearchList, jkitLimits, jkitPaths, StarredJkitList } from '@wirebench/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newApiUser } from '../../testing/api-user.ts';
import { buildTestApp, type TestApp } from '../../testing/test-app.ts';

const SAVED = 40;
const longest = JSON.stringify({ fields: ['x'.repeat(jkitLimits.contentSize - 20)] });

let test: TestApp;
let ids: readonly string[];

beforeAll(async () => {
  test = await buildTestApp({ LIMIT_JKITS: `${SAVED}`, RATE_LIMIT_WRITES: '0' });
  const attacker = await newApiUser(test, 'attacker');
  const saved: string[] = [];
  for (let number = 0; number < SAVED; number++) {
    const { status, body } = await attacker.post(jkitPaths.jkits, {
      name: `zeppelin ${number}`,
      description: '\u0001'.repeat(jkitLimits.descriptionMaxLength),
      content: longest,
      shared: true,
    });
    expect(status).toBe(201);
    saved.push(body.data._id);
  }
  ids = saved;
});

afterAll(() => test[Symbol.asyncDispose]());

const sizeOf = (body: unknown) => Buffer.byteLength(JSON.stringify(body));

describe('the longest jkits', () => {
  it('limit a search answer to one mebibyte: the last ones come without content', async () => {
    const reader = await newApiUser(test);
    const { body } = await reader.get(`${jkitPaths.search}?q=zeppelin&limit=100`);
    expect(sizeOf(body)).toBeLessThanOrEqual(jkitLimits.answerSize);
    const { data } = JkitSearchList.parse(body);
    expect(data.map(({ _id }) => _id).sort()).toEqual([...ids].sort());
    const withContent = data.filter(({ content }) => content !== undefined);
    expect(withContent.length).toBeGreaterThan(10);
    expect(data.slice(0, withContent.length)).toEqual(withContent);
    const opened = await reader.get(jkitPaths.jkit(data.at(-1)?._id ?? ''));
    expect(opened.body.data.content).toBe(longest);
  });

  it('limit the list of starred jkits to one mebibyte', async () => {
    const reader = await newApiUser(test);
    for (const id of ids) {
      expect((await reader.post(jkitPaths.star(id))).status).toBe(200);
    }
    const { body } = await reader.get(`${jkitPaths.starred}?limit=100`);
    expect(sizeOf(body)).toBeLessThanOrEqual(jkitLimits.answerSize);
    const { data } = StarredJkitList.parse(body);
    expect(data).toHaveLength(SAVED);
    expect(data.filter(({ jkit }) => jkit.content !== undefined).length).toBeGreaterThan(10);
  });
});
