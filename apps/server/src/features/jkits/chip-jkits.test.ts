/**
 * JKits of type `chip` over HTTP: saved, shared, found, starred, rated and copied like the others, and kept apart
 * from them.
 */
import { Jkit, JkitAnswer, JkitList, JkitSearchList, jkitPaths, jkitText, StarredJkitList } from '@wirebench/contract';
import { allChips } from '@wirebench/contract/chip-library';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newApiUser } from '../../testing/api-user.ts';
import { type DatabasePlace, databaseKinds } from '../../testing/databases.ts';
import { buildTestApp, type TestApp } from '../../testing/test-app.ts';

const messages = '{"fields":["AT"]}';
const chip = {
  name: 'ZX-41',
  category: 'Sensors',
  bus: 'i2c',
  addresses: ['0x5a'],
  registers: [{ name: 'raw', address: 0, width: 16 }],
  readings: [{ name: 'Raw', formula: 'raw / 2' }],
};
const content = JSON.stringify(chip);

/** Content that must not be stored as a chip, each with the expected message. */
const hostile: readonly (readonly [string, string, string | RegExp])[] = [
  ['no JSON', '{', jkitText.invalid],
  ['no object', 'null', 'The description must be an object'],
  ['messages', messages, 'Name must be text'],
  ['an unknown entry', JSON.stringify({ ...chip, script: 'x' }), 'The description has an unknown entry: script'],
  ['a prototype as an entry', `{"__proto__":{"isAdmin":true},${content.slice(1)}`, /unknown entry/],
  ['a constructor as an entry', `{"constructor":{"prototype":{}},${content.slice(1)}`, /unknown entry/],
  ['lists in lists in lists', `${'['.repeat(30_000)}${']'.repeat(30_000)}`, 'The description must be an object'],
  ['objects in objects', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`, /must be|unknown/],
  ['a huge list', JSON.stringify({ ...chip, values: Array.from({ length: 20_000 }, () => 1) }), /more than 256/],
  ['more than 64 KB', JSON.stringify({ ...chip, source: 'x'.repeat(70_000) }), jkitText.tooLarge],
  ['an address beyond 7 bits', JSON.stringify({ ...chip, addresses: [200] }), /Address 1 must be a whole number/],
  ['a reserved address', JSON.stringify({ ...chip, addresses: [0] }), /Address 1 must be a whole number/],
  ['half an address', JSON.stringify({ ...chip, addresses: [80.5] }), /Address 1 must be a whole number/],
  ['a number beyond all bounds', content.replace('"address":0', '"address":1e400'), /address must be a whole number/],
  [
    'text in place of a number',
    JSON.stringify({ ...chip, addresses: ['0x5a; drop table jkits'] }),
    /Address 1 must be/,
  ],
  ['an endless wait', JSON.stringify({ ...chip, init: [{ bytes: '00', delay: 1e9 }] }), /delay must be a whole number/],
  ['letters that turn the writing round', JSON.stringify({ ...chip, name: 'BME\u202e082' }), /invisible/],
  ['letters that take no room', JSON.stringify({ ...chip, name: 'BME\u200b280' }), /invisible/],
  [
    'a name in letters that look alike',
    JSON.stringify({ ...chip, registers: [{ name: 'rаw', address: 0 }] }),
    /letters, digits/,
  ],
  [
    'a formula nested without end',
    JSON.stringify({ ...chip, readings: [{ name: 'x', formula: '('.repeat(200) + ')'.repeat(200) }] }),
    /nested more than/,
  ],
  [
    'a formula with a call',
    JSON.stringify({ ...chip, readings: [{ name: 'x', formula: 'fetch(raw)' }] }),
    /unknown function/,
  ],
  [
    'a formula with a prototype',
    JSON.stringify({ ...chip, readings: [{ name: 'x', formula: 'raw.__proto__' }] }),
    /name that is not defined/,
  ],
  [
    'a value that uses itself',
    JSON.stringify({ ...chip, values: [{ name: 'a', formula: 'a + 1' }] }),
    /name that is not defined before it/,
  ],
];

describe.each(databaseKinds)('chip JKits over HTTP, on $name', (kind) => {
  let place: DatabasePlace;
  let test: TestApp;

  beforeAll(async () => {
    place = await kind.appPlace();
    test = await buildTestApp({ ...place.environment, RATE_LIMIT_WRITES: '0', LIMIT_JKITS: '2' });
  });

  afterAll(async () => {
    await test[Symbol.asyncDispose]();
    await place[Symbol.asyncDispose]();
  });

  const draft = { name: 'My sensor', type: 'chip', content };

  async function newUser() {
    const user = await newApiUser(test);
    return {
      ...user,
      save: async (more: object = {}) =>
        JkitAnswer.parse((await user.post(jkitPaths.jkits, { ...draft, ...more })).body).data,
      search: async (q: string, type?: string) => {
        const query = new URLSearchParams({ q, limit: '100', ...(type !== undefined && { type }) });
        const { body } = await user.get(`${jkitPaths.search}?${query}`);
        return JkitSearchList.parse(body).data.map(({ name }) => name);
      },
    };
  }

  it('are saved to the letter, changed, shared and deleted', async () => {
    const maker = await newUser();
    const saved = await maker.save({ tags: ['lab'] });
    expect(saved).toMatchObject({ name: 'My sensor', type: 'chip', content, shared: false });
    const spaced = JSON.stringify({ ...chip, name: 'ZX-42' }, null, 2);
    const changed = await maker.put(jkitPaths.jkit(saved._id), { content: spaced, shared: true });
    expect(Jkit.parse(changed.body.data)).toMatchObject({ type: 'chip', content: spaced, shared: true });
    expect((await maker.delete(jkitPaths.jkit(saved._id))).status).toBe(204);
  });

  it('have slots and lists of their own', async () => {
    const maker = await newUser();
    await maker.save();
    await maker.save({ type: 'uart', content: messages });
    await maker.save();
    expect((await maker.post(jkitPaths.jkits, draft)).body.message).toBe(jkitText.limit(2));
    expect((await maker.post(jkitPaths.jkits, { name: 'x', content: messages })).status).toBe(201);
    const listed = async (query: string) =>
      JkitList.parse((await maker.get(`${jkitPaths.jkits}${query}`)).body).data.map(({ type }) => type);
    expect(await listed('?type=chip')).toEqual(['chip', 'chip']);
    expect(await listed('?type=uart')).toEqual(['uart', 'uart']);
    expect((await listed('')).toSorted()).toEqual(['chip', 'chip', 'uart', 'uart']);
  });

  it('keep their type and accept only content that fits it', async () => {
    const maker = await newUser();
    const saved = await maker.save();
    const other = await maker.save({ type: 'uart', content: messages });
    for (const [id, body, message] of [
      [saved._id, { type: 'uart' }, jkitText.otherType],
      [saved._id, { type: 'uart', content: messages }, jkitText.otherType],
      [saved._id, { content: messages }, 'Name must be text'],
      [other._id, { content }, jkitText.noFields],
      [other._id, { type: 'chip', content }, jkitText.otherType],
    ] as const) {
      const answer = await maker.put(jkitPaths.jkit(id), body);
      expect([answer.status, answer.body.code, answer.body.message]).toEqual([400, 'invalid-request', message]);
    }
    const back = await maker.put(jkitPaths.jkit(saved._id), { ...saved, description: 'Whole records come back' });
    expect(back.status).toBe(200);
  });

  it('are found by part, maker, address and category while they are shared, and apart from messages', async () => {
    const maker = await newUser();
    const { _id: id } = await maker.save({ name: 'Greenhouse', shared: true });
    await maker.save({ name: 'Greenhouse modem', type: 'uart', content: messages, shared: true });
    for (const query of ['zx-41', '0x5a', '5a', 'greenh', 'g', 'sensors 0x5a']) {
      expect(await maker.search(query, 'chip')).toContain('Greenhouse');
      expect(await maker.search(query, 'uart')).not.toContain('Greenhouse');
    }
    expect(await maker.search('greenh')).toEqual(expect.arrayContaining(['Greenhouse', 'Greenhouse modem']));
    expect(await maker.search('greenh', 'uart')).toEqual(['Greenhouse modem']);
    expect(await maker.search('greenhouse modem', 'chip')).toEqual([]);
    const moved = JSON.stringify({ ...chip, addresses: ['0x5b'] });
    await maker.put(jkitPaths.jkit(id), { content: moved });
    expect(await maker.search('zx-41 0x5a', 'chip')).toEqual([]);
    expect(await maker.search('zx-41 0x5b', 'chip')).toEqual(['Greenhouse']);
    await maker.put(jkitPaths.jkit(id), { shared: false });
    expect(await maker.search('zx-41 0x5b', 'chip')).toEqual([]);
  });

  it('are starred, rated, copied and reported by others', async () => {
    const maker = await newUser();
    const other = await newUser();
    const shared = await maker.save({ shared: true });
    const mine = await maker.save();
    expect((await other.post(jkitPaths.star(shared._id))).status).toBe(200);
    const { body } = await other.post(jkitPaths.rating(shared._id), { stars: 4 });
    expect(body.data).toMatchObject({ type: 'chip', rating: 4, ratingCount: 1 });
    const starred = async (type: string) =>
      StarredJkitList.parse((await other.get(`${jkitPaths.starred}?type=${type}`)).body).data.map(
        ({ jkit }) => jkit._id,
      );
    expect(await starred('chip')).toEqual([shared._id]);
    expect(await starred('uart')).toEqual([]);
    const copy = await other.post(jkitPaths.jkits, { ...shared, name: 'Copy' });
    expect(copy.body.data).toMatchObject({ publisher: other.name, content });
    // Private chips of another user stay inaccessible.
    expect((await other.get(jkitPaths.jkit(mine._id))).status).toBe(404);
    expect((await other.put(jkitPaths.jkit(shared._id), { content })).status).toBe(403);
    expect((await other.delete(jkitPaths.jkit(shared._id))).status).toBe(403);
  });

  it('are opened without a token and belong to no user if they come with the product', async () => {
    const [first] = allChips;
    const maker = await newUser();
    const path = jkitPaths.jkit(first?.id ?? '');
    const { body } = await maker.get(path);
    expect(body.data).toMatchObject({ type: 'chip', publisher: 'wirebench', name: first?.name });
    expect((await maker.put(path, { content })).status).toBe(403);
    expect((await maker.delete(path)).status).toBe(403);
  });

  it.each(hostile)('are refused with %s', async (_case, text, message) => {
    const maker = await newUser();
    const refused = await maker.post(jkitPaths.jkits, { ...draft, content: text });
    expect([refused.status, refused.body.code]).toEqual([400, 'invalid-request']);
    expect(refused.body.message).toMatch(message);
    const saved = await maker.save();
    const changed = await maker.put(jkitPaths.jkit(saved._id), { content: text });
    expect(changed.status).toBe(400);
    expect((await maker.get(jkitPaths.jkit(saved._id))).body.data.content).toBe(content);
    expect(({} as Record<string, unknown>)['isAdmin']).toBeUndefined();
  });

  it('cannot hide from a search for messages, or appear in it, by their names', async () => {
    const maker = await newUser();
    // No text can contain the mark of chips.
    const words = `lurker   \u0001 "  c" NOT * ' --`;
    await maker.save({ name: 'Lurker uart', description: words, type: 'uart', content: messages, shared: true });
    await maker.save({ name: 'Lurker chip', description: words, shared: true });
    expect(await maker.search('lurker', 'uart')).toEqual(['Lurker uart']);
    expect(await maker.search('lurker', 'chip')).toEqual(['Lurker chip']);
    expect(await maker.search('\u0001', 'uart')).not.toContain('Lurker chip');
  });
});
