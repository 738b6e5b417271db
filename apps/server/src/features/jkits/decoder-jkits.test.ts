/** JKits of type `decoder` over HTTP: saved, shared, found, starred and copied like the others, and kept apart from them. */
import { Jkit, JkitAnswer, JkitList, JkitSearchList, jkitPaths, jkitText, StarredJkitList } from '@wirebench/contract';
import { allDecoders } from '@wirebench/contract/decoder-library';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newApiUser } from '../../testing/api-user.ts';
import { type DatabasePlace, databaseKinds } from '../../testing/databases.ts';
import { buildTestApp, type TestApp } from '../../testing/test-app.ts';

const messages = '{"fields":["AT"]}';
const decoder = {
  name: 'zetabus',
  title: 'Zeta bus',
  source: 'ZB-17 reference',
  framing: { kind: 'length', start: ['A5'], length: 8 },
  fields: [{ name: 'id', type: 'u8', at: 1 }],
  messages: [{ name: 'pumpspeed', when: [{ field: 'id', is: 1 }], fields: [{ name: 'rpm', type: 'u16' }] }],
};
const content = JSON.stringify(decoder);

/** Content that must not be stored as a decoder, each with the expected message. */
const hostile: readonly (readonly [string, string, string | RegExp])[] = [
  ['no JSON', '{', jkitText.invalid],
  ['no object', 'null', 'The decoder must be an object'],
  ['messages', messages, 'Name must be a name'],
  ['an unknown entry', JSON.stringify({ ...decoder, script: 'x' }), 'The decoder has an unknown entry: script'],
  ['a prototype as an entry', `{"__proto__":{"isAdmin":true},${content.slice(1)}`, /unknown entry/],
  [
    'a step of a later version',
    JSON.stringify({ ...decoder, steps: ['teleport'] }),
    /^Step 1 cannot be teleport: this version knows at, /,
  ],
  [
    'a framing of a later version',
    JSON.stringify({ ...decoder, framing: { kind: 'zip' } }),
    /cannot be zip: this version knows length, /,
  ],
  ['lists in lists in lists', `${'['.repeat(30_000)}${']'.repeat(30_000)}`, 'The decoder must be an object'],
  ['a huge list', JSON.stringify({ ...decoder, fields: Array.from({ length: 20_000 }, () => 1) }), /more than 1000/],
  ['more than 64 KB', JSON.stringify({ ...decoder, source: 'x'.repeat(70_000) }), jkitText.tooLarge],
  ['an endless frame', JSON.stringify({ ...decoder, framing: { kind: 'cobs', longest: 1e9 } }), /whole number from 1/],
  ['letters that turn the writing round', JSON.stringify({ ...decoder, title: 'a\u202eb' }), /invisible/],
  [
    'a file that is no file',
    JSON.stringify({ ...decoder, files: [{ use: 'dbc', name: 'a.dbc', sha256: '../../etc' }] }),
    'File 1, sha256 must be 64 hex digits',
  ],
];

describe.each(databaseKinds)('decoder JKits over HTTP, on $name', (kind) => {
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

  const draft = { name: 'My line', type: 'decoder', content };

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
    const saved = await maker.save({ tags: ['bus'] });
    expect(saved).toMatchObject({ name: 'My line', type: 'decoder', content, shared: false });
    const spaced = JSON.stringify({ ...decoder, title: 'Zeta bus 2' }, null, 2);
    const changed = await maker.put(jkitPaths.jkit(saved._id), { content: spaced, shared: true });
    expect(Jkit.parse(changed.body.data)).toMatchObject({ type: 'decoder', content: spaced, shared: true });
    const other = await maker.put(jkitPaths.jkit(saved._id), { type: 'uart', content: messages });
    expect([other.status, other.body.message]).toEqual([400, jkitText.otherType]);
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
    expect(await listed('?type=decoder')).toEqual(['decoder', 'decoder']);
    expect(await listed('?type=chip')).toEqual([]);
  });

  it('are found by protocol and messages while they are shared, and apart from the other types', async () => {
    const maker = await newUser();
    const { _id: id } = await maker.save({ name: 'Pump hall', shared: true });
    await maker.save({ name: 'Pump hall modem', type: 'uart', content: messages, shared: true });
    for (const query of ['zetabus', 'zeta bus', 'zb-17', 'pumpspeed', 'pump hall', 'p', 'zeta speed']) {
      expect(await maker.search(query, 'decoder'), query).toContain('Pump hall');
      expect(await maker.search(query, 'uart'), query).not.toContain('Pump hall');
      expect(await maker.search(query, 'chip'), query).toEqual(
        expect.not.arrayContaining(['Pump hall', 'Pump hall modem']),
      );
    }
    expect(await maker.search('pump hall')).toEqual(expect.arrayContaining(['Pump hall', 'Pump hall modem']));
    await maker.put(jkitPaths.jkit(id), { content: JSON.stringify({ ...decoder, name: 'etabus', title: 'Eta' }) });
    expect(await maker.search('zetabus', 'decoder')).toEqual([]);
    await maker.put(jkitPaths.jkit(id), { shared: false });
    expect(await maker.search('etabus', 'decoder')).toEqual([]);
  });

  it('are starred, rated and copied by others', async () => {
    const maker = await newUser();
    const other = await newUser();
    const shared = await maker.save({ shared: true });
    expect((await other.post(jkitPaths.star(shared._id))).status).toBe(200);
    const { body } = await other.post(jkitPaths.rating(shared._id), { stars: 4 });
    expect(body.data).toMatchObject({ type: 'decoder', rating: 4, ratingCount: 1 });
    const starred = async (type: string) =>
      StarredJkitList.parse((await other.get(`${jkitPaths.starred}?type=${type}`)).body).data.map(
        ({ jkit }) => jkit._id,
      );
    expect(await starred('decoder')).toEqual([shared._id]);
    expect(await starred('uart')).toEqual([]);
    const copy = await other.post(jkitPaths.jkits, { ...shared, name: 'Copy' });
    expect(copy.body.data).toMatchObject({ publisher: other.name, content });
    expect((await other.put(jkitPaths.jkit(shared._id), { content })).status).toBe(403);
  });

  it('are opened without a token and belong to no user if they come with the product', async () => {
    const [first] = allDecoders;
    const maker = await newUser();
    const path = jkitPaths.jkit(first?.id ?? '');
    const { body } = await maker.get(path);
    expect(body.data).toMatchObject({ type: 'decoder', publisher: 'wirebench', name: first?.name });
    expect((await maker.put(path, { content })).status).toBe(403);
  });

  it.each(hostile)('are refused with %s', async (_case, text, message) => {
    const maker = await newUser();
    const refused = await maker.post(jkitPaths.jkits, { ...draft, content: text });
    expect([refused.status, refused.body.code]).toEqual([400, 'invalid-request']);
    expect(refused.body.message).toMatch(message);
    const saved = await maker.save();
    expect((await maker.put(jkitPaths.jkit(saved._id), { content: text })).status).toBe(400);
    expect((await maker.get(jkitPaths.jkit(saved._id))).body.data.content).toBe(content);
  });

  it('cannot hide from a search for another type, or appear in it, by their names', async () => {
    const maker = await newUser();
    const words = `skulker   \u0001 "  \u0002" NOT * ' --`;
    await maker.save({ name: 'Skulker uart', description: words, type: 'uart', content: messages, shared: true });
    await maker.save({ name: 'Skulker decoder', description: words, shared: true });
    expect(await maker.search('skulker', 'uart')).toEqual(['Skulker uart']);
    expect(await maker.search('skulker', 'decoder')).toEqual(['Skulker decoder']);
    expect(await maker.search('skulker', 'chip')).toEqual([]);
  });
});
