import {
  JkitAnswer,
  JkitList,
  JkitSearchList,
  jkitLimits,
  jkitPaths,
  jkitText,
  RatingAnswer,
  StarAnswer,
  StarredJkitList,
} from '@wirebench/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callApi, newApiUser } from '../../testing/api-user.ts';
import { type DatabasePlace, databaseKinds } from '../../testing/databases.ts';
import { buildTestApp, type TestApp, testStart } from '../../testing/test-app.ts';

const content =
  '{ "fields": ["AT", {"content": "41 54", "type": "hex"}], "settings": {"lineEnding": true}, "later": 1 }';
const nowhere = '01990000-0000-7000-8000-000000000000';
const gone = { error: jkitText.notFound, message: jkitText.notFound, code: 'not-found' };

describe.each(databaseKinds)('jkits over HTTP, on $name', (kind) => {
  let place: DatabasePlace;
  let test: TestApp;

  beforeAll(async () => {
    place = await kind.appPlace();
    test = await buildTestApp({ ...place.environment, RATE_LIMIT_WRITES: '0', LIMIT_JKITS: '3' });
  });

  afterAll(async () => {
    await test[Symbol.asyncDispose]();
    await place[Symbol.asyncDispose]();
  });

  /** Returns a user that no other test uses. */
  async function newUser(name?: string) {
    const user = await newApiUser(test, name);
    return {
      ...user,
      save: async (more: object = {}) =>
        JkitAnswer.parse((await user.post(jkitPaths.jkits, { name: 'A jkit', content, ...more })).body).data,
    };
  }

  describe('saving', () => {
    it('stores a jkit and answers with it', async () => {
      const maker = await newUser();
      const answer = await maker.post(jkitPaths.jkits, {
        name: ' SIM7600 ',
        type: 'uart',
        content,
        description: 'LTE modem',
        shared: true,
        tags: ['lte', 'at'],
        version: '1.2',
      });
      expect(answer.status).toBe(201);
      expect(JkitAnswer.parse(answer.body).data).toEqual({
        _id: expect.any(String),
        name: 'SIM7600',
        type: 'uart',
        content,
        description: 'LTE modem',
        shared: true,
        tags: ['lte', 'at'],
        version: '1.2',
        publisher: maker.name,
        createdAt: new Date(testStart).toISOString(),
        updatedAt: new Date(testStart).toISOString(),
        rating: 0,
        ratingCount: 0,
      });
    });

    it('takes whole records back and drops what a client must not set', async () => {
      const maker = await newUser();
      const saved = await maker.save();
      const stranger = {
        _id: nowhere,
        publisher: 'somebody',
        owner: 'x',
        rating: 5,
        ratingCount: 9,
        createdAt: 'then',
      };
      const created = await maker.post(jkitPaths.jkits, { ...saved, ...stranger, extra: true });
      expect(created.status).toBe(201);
      expect(created.body.data).toEqual({ ...saved, _id: expect.not.stringMatching(nowhere) });
      const changed = await maker.put(jkitPaths.jkit(saved._id), { ...saved, ...stranger, number: 7, shared: true });
      expect(changed.body.data).toEqual({ ...saved, shared: true });
    });

    it('changes what the body names, shares and unshares', async () => {
      const maker = await newUser();
      const saved = await maker.save({ description: 'before', tags: ['tag'] });
      const path = jkitPaths.jkit(saved._id);
      expect((await maker.put(path, { shared: true })).body.data).toEqual({ ...saved, shared: true });
      expect(
        (await maker.put(path, { content: '{"fields":[]}', description: 'after', version: '2' })).body.data,
      ).toEqual({
        ...saved,
        shared: true,
        content: '{"fields":[]}',
        description: 'after',
        version: '2',
      });
      expect((await maker.put(path, { shared: false })).body.data.shared).toBe(false);
    });

    it.each<[string, object, string]>([
      ['no name', { content }, 'Please enter a jkit name'],
      ['a blank name', { name: ' ', content }, 'Please enter a jkit name'],
      ['content that is no JSON', { name: 'x', content: 'AT' }, 'Invalid jkit format'],
      ['content without fields', { name: 'x', content: '{}' }, 'Invalid jkit format - no fields array found'],
      ['a wrong type', { name: 'x', content, type: 7 }, 'JKit type must be one of uart, chip, decoder'],
    ])('refuses %s, in a new jkit and in a changed one', async (_name, body, sentence) => {
      const maker = await newUser();
      const created = await maker.post(jkitPaths.jkits, body);
      expect([created.status, created.body.error, created.body.code]).toEqual([400, sentence, 'invalid-request']);
      expect(created.body.issues[0].message).toBe(sentence);
      if ('name' in body) {
        const { _id } = await maker.save();
        const changed = await maker.put(jkitPaths.jkit(_id), body);
        expect([changed.status, changed.body.message]).toEqual([400, sentence]);
      }
    });

    it('takes 64 KiB of content in the longest way to write it, and refuses one byte more', async () => {
      const maker = await newUser();
      const full = JSON.stringify({ fields: ['x'.repeat(jkitLimits.contentSize - '{"fields":[""]}'.length)] });
      const written = JSON.stringify({ name: 'full', content: full }).replaceAll('x', '\\u0078');
      const send = (payload: string) =>
        test.app.inject({
          method: 'POST',
          url: jkitPaths.jkits,
          headers: { ...maker.headers, 'content-type': 'application/json' },
          payload,
        });
      const answer = await send(written);
      expect([answer.statusCode, answer.json().data?.content.length]).toEqual([201, jkitLimits.contentSize]);
      const more = await send(JSON.stringify({ name: 'more', content: `${full} ` }));
      expect([more.statusCode, more.json().error]).toEqual([400, jkitText.tooLarge]);
      const large = await send(written.padEnd(600 * 1_024));
      expect([large.statusCode, large.json().code]).toEqual([413, 'body-too-large']);
    });

    it('has as many slots as the deployment says, for each user', async () => {
      const maker = await newUser();
      const statuses = await Promise.all(
        Array.from({ length: 8 }, async () => (await maker.post(jkitPaths.jkits, { name: 'x', content })).status),
      );
      expect(statuses.sort()).toEqual([201, 201, 201, 422, 422, 422, 422, 422]);
      const refused = await maker.post(jkitPaths.jkits, { name: 'x', content });
      const sentence = 'All 3 jkit slots are in use. Please delete a jkit before saving a new one.';
      expect(refused.body).toEqual({ error: sentence, message: sentence, code: 'jkit-limit' });
      expect((await (await newUser()).post(jkitPaths.jkits, { name: 'x', content })).status).toBe(201);
    });

    it('deletes the caller’s own, once', async () => {
      const maker = await newUser();
      const { _id } = await maker.save();
      expect(await maker.delete(jkitPaths.jkit(_id))).toMatchObject({ status: 204, body: null });
      expect(await maker.delete(jkitPaths.jkit(_id))).toMatchObject({ status: 404, body: gone });
      expect(await maker.get(jkitPaths.jkit(_id))).toMatchObject({ status: 404, body: gone });
    });
  });

  describe("another's jkit", () => {
    it('can be read while it is shared, also without a token', async () => {
      const maker = await newUser();
      const { _id } = await maker.save({ shared: true });
      for (const headers of [(await newUser()).headers, {}]) {
        const answer = await callApi(test, headers, 'GET', jkitPaths.jkit(_id));
        expect([answer.status, answer.body.data.content]).toEqual([200, content]);
      }
      await maker.put(jkitPaths.jkit(_id), { shared: false });
      for (const headers of [(await newUser()).headers, {}]) {
        expect(await callApi(test, headers, 'GET', jkitPaths.jkit(_id))).toMatchObject({ status: 404, body: gone });
      }
    });

    it('cannot be saved or deleted, and one that is private looks as if it were not there', async () => {
      const maker = await newUser();
      const shared = jkitPaths.jkit((await maker.save({ shared: true }))._id);
      const hidden = jkitPaths.jkit((await maker.save())._id);
      const other = await newUser();
      const sentence = `You can only save your own JKits. This JKit belongs to ${maker.name}.`;
      const refused = { status: 403, body: { error: sentence, message: sentence, code: 'jkit-not-yours' } };
      expect(await other.put(shared, { name: 'stolen' })).toMatchObject(refused);
      expect(await other.delete(shared)).toMatchObject(refused);
      for (const path of [hidden, jkitPaths.jkit(nowhere)]) {
        for (const answer of [await other.get(path), await other.put(path, { name: 'x' }), await other.delete(path)]) {
          expect(answer).toMatchObject({ status: 404, body: gone });
        }
      }
      expect((await maker.get(shared)).body.data.name).toBe('A jkit');
    });

    it.each(['nonsense', '%00', '..%2f..%2fetc', "'%20or%201=1", nowhere.toUpperCase()])(
      'is not found under %s',
      async (id) => {
        const maker = await newUser();
        const answers = [
          await maker.get(jkitPaths.jkit(id)),
          await maker.put(jkitPaths.jkit(id), {}),
          await maker.delete(jkitPaths.jkit(id)),
          await maker.get(jkitPaths.isStarred(id)),
          await maker.post(jkitPaths.star(id)),
          await maker.delete(jkitPaths.star(id)),
          await maker.post(jkitPaths.rating(id), { stars: 1 }),
          await maker.get(jkitPaths.rating(id)),
        ];
        expect(answers.map(({ status, body }) => [status, body.code])).toEqual(answers.map(() => [404, 'not-found']));
      },
    );
  });

  describe('lists', () => {
    it('have the caller’s own jkits and count them', async () => {
      const maker = await newUser();
      await (await newUser()).save({ shared: true });
      const first = await maker.save({ name: 'first' });
      const second = await maker.save({ name: 'second' });
      const answer = await maker.get(`${jkitPaths.jkits}?type=uart&limit=20&offset=0&sort=updatedAt`);
      expect(JkitList.parse(answer.body)).toEqual({
        data: [second, first],
        pagination: { total: 2, limit: 20, skip: 0 },
      });
      expect((await maker.get(`${jkitPaths.jkits}?limit=1&skip=1`)).body.data).toEqual([first]);
    });

    it.each([
      'limit=0',
      'limit=101',
      'limit=x',
      'skip=-1',
      'offset=1.5',
      'sort=owner',
      'type=spi',
      'sort=name&sort=name',
    ])('refuse ?%s', async (query) => {
      const maker = await newUser();
      for (const path of [jkitPaths.jkits, jkitPaths.starred]) {
        expect(await maker.get(`${path}?${query}`)).toMatchObject({ status: 400, body: { code: 'invalid-request' } });
      }
    });
  });

  describe('search', () => {
    it('finds what others share, by parts of words, whatever else is asked', async () => {
      const maker = await newUser('Kathmandu-Makers');
      const found = await maker.save({ name: 'Weather station', tags: ['BME280'], shared: true });
      await maker.save({ name: 'Private weather' });
      const reader = await newUser();
      for (const query of [
        'q=eather',
        'q=bme&type=uart',
        'q=WE&shared=true',
        'q=kathmandu-',
        'q=weather&shared=false&type=uart',
      ]) {
        const answer = JkitSearchList.parse((await reader.get(`${jkitPaths.search}?${query}`)).body);
        expect([query, answer.data.map(({ _id }) => _id)]).toEqual([query, [found._id]]);
        expect(answer.pagination).toEqual({ limit: 20, skip: 0, hasMore: false });
      }
      expect((await reader.get(`${jkitPaths.search}?q=`)).body.data).toEqual([]);
      expect((await reader.get(jkitPaths.search)).body.data).toEqual([]);
    });

    it.each([`q=${'x'.repeat(101)}`, 'q=%00', 'q=a&q=b', 'q=a&limit=101', 'q=a&skip=1001', 'q=a&type=spi'])(
      'refuses ?%s',
      async (query) => {
        const maker = await newUser();
        const answer = await maker.get(`${jkitPaths.search}?${query}`);
        expect(answer).toMatchObject({ status: 400, body: { code: 'invalid-request' } });
      },
    );
  });

  describe('stars and ratings', () => {
    it('are given, seen and taken back', async () => {
      const { _id } = await (await newUser()).save({ shared: true });
      const reader = await newUser();
      const starred = async () => StarAnswer.parse((await reader.get(jkitPaths.isStarred(_id))).body).data.isStarred;
      expect(await starred()).toBe(false);
      for (const _time of ['once', 'again']) {
        expect(await reader.post(jkitPaths.star(_id))).toMatchObject({
          status: 200,
          body: { data: { isStarred: true } },
        });
        expect(await starred()).toBe(true);
      }
      const listed = StarredJkitList.parse((await reader.get(`${jkitPaths.starred}?limit=20&sort=createdAt`)).body);
      expect(listed.data.map(({ jkit }) => jkit._id)).toEqual([_id]);
      for (const _time of ['once', 'again']) {
        expect(await reader.delete(jkitPaths.star(_id))).toMatchObject({
          status: 200,
          body: { data: { isStarred: false } },
        });
        expect(await starred()).toBe(false);
      }
    });

    it('are not for jkits of one’s own', async () => {
      const maker = await newUser();
      const { _id } = await maker.save({ shared: true });
      const answers = [await maker.post(jkitPaths.star(_id)), await maker.post(jkitPaths.rating(_id), { stars: 5 })];
      expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
        [403, 'jkit-yours'],
        [403, 'jkit-yours'],
      ]);
    });

    it('show everybody their own rating', async () => {
      const { _id } = await (await newUser()).save({ shared: true });
      const reader = await newUser();
      const given = async () => RatingAnswer.parse((await reader.get(jkitPaths.rating(_id))).body).data.stars;
      expect(await given()).toBeNull();
      await reader.post(jkitPaths.rating(_id), { stars: 3 });
      await (await newUser()).post(jkitPaths.rating(_id), { stars: 5 });
      expect(await given()).toBe(3);
    });

    it('have a mean to the last bit', async () => {
      const maker = await newUser();
      const { _id } = await maker.save({ shared: true });
      for (const stars of [5, 4, 4]) {
        const answer = await (await newUser()).post(jkitPaths.rating(_id), { stars });
        expect(answer.status).toBe(200);
      }
      expect((await maker.get(jkitPaths.jkit(_id))).body.data).toMatchObject({ rating: 13 / 3, ratingCount: 3 });
    });

    it.each([0, 6, 2.5, '5', null, [5]])('refuse a rating of %j', async (stars) => {
      const answer = await (await newUser()).post(jkitPaths.rating(nowhere), { stars });
      expect([answer.status, answer.body.error]).toEqual([400, 'stars must be a whole number from 1 to 5']);
    });
  });
});
