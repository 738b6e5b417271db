import { VirtualClock } from '@wirebench/clock';
import { JkitListQuery, JkitSearchQuery, NewJkit } from '@wirebench/contract';
import { describe, expect, it } from 'vitest';
import type { ApiError } from '../../api-error.ts';
import type { User } from '../../identity/user.ts';
import type { Queries } from '../../storage/database/database.ts';
import { databaseKinds } from '../../testing/databases.ts';
import { jkitRepository } from './jkits.repository.ts';
import { jkitService } from './jkits.service.ts';
import { ratingRepository } from './ratings.repository.ts';
import { searchRepository } from './search.repository.ts';
import { starRepository } from './stars.repository.ts';

const user = (name: string): User => ({
  subject: `subject-of-${name}`,
  username: name,
  name: null,
  email: null,
  picture: null,
  roles: [],
});
const maker = user('maker');
const tinkerer = user('tinkerer');

const draft = (name: string, shared = true) => NewJkit.parse({ name, content: '{"fields":[]}', shared });
const list = (query: object = {}) => JkitListQuery.parse(query);
const nowhere = '01990000-0000-7000-8000-000000000000';

const refusal = (call: Promise<unknown>) =>
  call.then(
    () => 'nothing was refused',
    ({ code, message }: ApiError) => [code, message],
  );
const gone = ['not-found', 'This JKit does not exist, or it is private.'];
const yours = ['jkit-yours', "You can only star and rate other people's JKits."];

function serviceOn(queries: Queries, limit = 5) {
  const clock = new VirtualClock(Date.parse('2026-11-20T12:00:00Z'));
  return {
    clock,
    queries,
    jkits: jkitService({
      jkits: jkitRepository(queries),
      stars: starRepository(queries),
      ratings: ratingRepository(queries),
      search: searchRepository(queries),
      clock,
      limit,
    }),
  };
}

describe.each(databaseKinds)('jkit service on $name', ({ open }) => {
  async function start(limit?: number) {
    const opened = await open();
    const parts = serviceOn(opened.database.queries, limit);
    return { ...parts, [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() };
  }

  it('shows a private jkit to its owner alone, and a shared one to anybody', async () => {
    await using test = await start();
    const own = await test.jkits.create(maker, draft('private', false));
    expect(await test.jkits.get(maker, own._id)).toEqual(own);
    expect(await refusal(test.jkits.get(tinkerer, own._id))).toEqual(gone);
    expect(await refusal(test.jkits.get(null, own._id))).toEqual(gone);
    expect(await refusal(test.jkits.get(maker, nowhere))).toEqual(gone);
    const shared = await test.jkits.update(maker, own._id, { shared: true });
    expect(await test.jkits.get(tinkerer, own._id)).toEqual(shared);
    expect(await test.jkits.get(null, own._id)).toEqual(shared);
  });

  it('refuses the second of two tabs that edit one jkit, and keeps the change of the first', async () => {
    await using test = await start();
    const { jkits, clock } = test;
    const { _id, updatedAt } = await jkits.create(maker, draft('modem'));
    await clock.advance(1_000);
    const first = await jkits.update(maker, _id, { description: 'first', basedOn: updatedAt });
    await clock.advance(1_000);
    expect(await refusal(jkits.update(maker, _id, { description: 'second', basedOn: updatedAt }))).toEqual([
      'jkit-changed',
      'This JKit was changed in another tab or on another device while you were editing it.',
    ]);
    expect(await jkits.get(maker, _id)).toEqual(first);
    expect(await jkits.update(maker, _id, { description: 'second' })).toMatchObject({ description: 'second' });
    await jkits.remove(maker, _id);
    expect(await refusal(jkits.update(maker, _id, { description: 'third', basedOn: updatedAt }))).toEqual(gone);
  });

  it("refuses to save or delete another user's jkit, and names the owner of a shared one", async () => {
    await using test = await start();
    const shared = await test.jkits.create(maker, draft('shared'));
    const hidden = await test.jkits.create(maker, draft('private', false));
    const notYours = ['jkit-not-yours', 'You can only save your own JKits. This JKit belongs to maker.'];
    expect(await refusal(test.jkits.update(tinkerer, shared._id, { name: 'stolen' }))).toEqual(notYours);
    expect(await refusal(test.jkits.remove(tinkerer, shared._id))).toEqual(notYours);
    expect(await refusal(test.jkits.update(tinkerer, hidden._id, { name: 'stolen' }))).toEqual(gone);
    expect(await refusal(test.jkits.remove(tinkerer, hidden._id))).toEqual(gone);
    expect((await test.jkits.list(maker, list())).data).toEqual([hidden, shared]);
  });

  it('refuses jkits above the limit', async () => {
    await using test = await start(2);
    const saved = await Promise.allSettled(
      Array.from({ length: 20 }, (_, number) => test.jkits.create(maker, draft(`number ${number}`))),
    );
    expect(saved.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect(await refusal(test.jkits.create(maker, draft('one more')))).toEqual([
      'jkit-limit',
      'All 2 jkit slots are in use. Please delete a jkit before saving a new one.',
    ]);
    const { data, pagination } = await test.jkits.list(maker, list());
    expect(pagination).toEqual({ total: 2, limit: 20, skip: 0 });
    await test.jkits.remove(maker, data[0]?._id ?? '');
    expect(await test.jkits.create(maker, draft('one more'))).toMatchObject({ name: 'one more', publisher: 'maker' });
    expect(await refusal(test.jkits.remove(maker, data[0]?._id ?? ''))).toEqual(gone);
  });

  it('takes offset for skip if there is no skip', async () => {
    await using test = await start();
    for (const name of ['c', 'b', 'a']) {
      await test.jkits.create(maker, draft(name));
    }
    const listed = async (query: object) => {
      const { data, pagination } = await test.jkits.list(maker, list({ sort: 'name', ...query }));
      return [data.map(({ name }) => name).join(''), pagination.skip];
    };
    expect(await listed({ offset: '1' })).toEqual(['bc', 1]);
    expect(await listed({ skip: '2' })).toEqual(['c', 2]);
    expect(await listed({ skip: '0', offset: '2' })).toEqual(['abc', 0]);
  });

  it('reports whether a search has more results', async () => {
    await using test = await start();
    for (const name of ['modem a', 'modem b', 'modem c']) {
      await test.jkits.create(maker, draft(name));
    }
    await test.jkits.create(tinkerer, draft('modem of mine', false));
    const search = async (query: object) => {
      const { data, pagination } = await test.jkits.search(JkitSearchQuery.parse({ q: 'modem', ...query }));
      return [data.length, pagination];
    };
    expect(await search({})).toEqual([3, { limit: 20, skip: 0, hasMore: false }]);
    expect(await search({ limit: '2' })).toEqual([2, { limit: 2, skip: 0, hasMore: true }]);
    expect(await search({ limit: '2', skip: '2' })).toEqual([1, { limit: 2, skip: 2, hasMore: false }]);
    expect(await search({ limit: '3' })).toEqual([3, { limit: 3, skip: 0, hasMore: false }]);
    expect(await search({ q: ' ' })).toEqual([0, { limit: 20, skip: 0, hasMore: false }]);
  });
});

describe.each(databaseKinds)('stars on $name', ({ open }) => {
  it('are given and taken back any number of times, and count once', async () => {
    await using opened = await open();
    const { jkits } = serviceOn(opened.database.queries);
    const { _id } = await jkits.create(maker, draft('shared'));
    expect(await jkits.isStarred(tinkerer, _id)).toBe(false);
    await Promise.all(Array.from({ length: 10 }, () => jkits.star(tinkerer, _id)));
    expect(await jkits.isStarred(tinkerer, _id)).toBe(true);
    expect((await jkits.starred(tinkerer, list())).pagination.total).toBe(1);
    await Promise.all(Array.from({ length: 10 }, () => jkits.unstar(tinkerer, _id)));
    expect(await jkits.isStarred(tinkerer, _id)).toBe(false);
    expect((await jkits.starred(tinkerer, list())).data).toEqual([]);
  });

  it('are for shared jkits of others', async () => {
    await using opened = await open();
    const { jkits } = serviceOn(opened.database.queries);
    const own = await jkits.create(tinkerer, draft('own'));
    const hidden = await jkits.create(maker, draft('private', false));
    expect(await refusal(jkits.star(tinkerer, own._id))).toEqual(yours);
    expect(await jkits.isStarred(tinkerer, own._id)).toBe(false);
    for (const id of [hidden._id, nowhere]) {
      expect(await refusal(jkits.star(tinkerer, id))).toEqual(gone);
      expect(await refusal(jkits.unstar(tinkerer, id))).toEqual(gone);
      expect(await refusal(jkits.isStarred(tinkerer, id))).toEqual(gone);
    }
  });

  it('are listed newest first or as asked, without what is no longer shared', async () => {
    await using opened = await open();
    const { jkits, clock } = serviceOn(opened.database.queries);
    const [a, b, c] = [
      await jkits.create(maker, draft('a')),
      await jkits.create(maker, draft('b')),
      await jkits.create(maker, draft('c')),
    ];
    for (const { _id } of [b, c, a]) {
      await clock.advance(1_000);
      await jkits.star(tinkerer, _id);
    }
    await jkits.rate(tinkerer, b._id, 5);
    const starred = async (query: object = {}) =>
      (await jkits.starred(tinkerer, list(query))).data.map(({ jkit }) => jkit.name).join('');
    expect([await starred(), await starred({ sort: 'name' }), await starred({ sort: 'rating', limit: '1' })]).toEqual([
      'acb',
      'abc',
      'b',
    ]);
    expect((await jkits.starred(tinkerer, list())).data[0]).toEqual({ jkit: a, createdAt: '2026-11-20T12:00:03.000Z' });
    await jkits.update(maker, c._id, { shared: false });
    expect((await jkits.starred(tinkerer, list())).pagination).toEqual({ total: 2, limit: 20, skip: 0 });
    expect(await starred()).toBe('ab');
    await jkits.update(maker, c._id, { shared: true });
    expect(await starred()).toBe('acb');
    await jkits.update(maker, c._id, { shared: false });
    await jkits.unstar(tinkerer, c._id);
    await jkits.remove(maker, a._id);
    await jkits.update(maker, c._id, { shared: true });
    expect(await starred()).toBe('b');
  });
});

describe.each(databaseKinds)('ratings on $name', ({ open }) => {
  it('have an exact mean, however many arrive at once and however often users change theirs', async () => {
    await using opened = await open();
    const { jkits } = serviceOn(opened.database.queries);
    const { _id } = await jkits.create(maker, draft('shared'));
    const raters = Array.from({ length: 12 }, (_, number) => user(`rater-${number}`));
    await Promise.all(
      raters.flatMap((rater, number) => [1, 2, 3].map((round) => jkits.rate(rater, _id, ((number + round) % 5) + 1))),
    );
    expect((await jkits.get(null, _id)).ratingCount).toBe(12);
    await Promise.all(raters.map((rater, number) => jkits.rate(rater, _id, number < 7 ? 5 : 1)));
    expect(await jkits.get(null, _id)).toMatchObject({ rating: (7 * 5 + 5 * 1) / 12, ratingCount: 12 });
  });

  it('are for shared jkits of others, and change nothing else of a jkit', async () => {
    await using opened = await open();
    const { jkits, clock } = serviceOn(opened.database.queries);
    const shared = await jkits.create(maker, draft('shared'));
    const hidden = await jkits.create(maker, draft('private', false));
    expect(await refusal(jkits.rate(maker, shared._id, 5))).toEqual(yours);
    expect(await refusal(jkits.rate(tinkerer, hidden._id, 5))).toEqual(gone);
    expect(await refusal(jkits.rate(tinkerer, nowhere, 5))).toEqual(gone);
    await clock.advance(1_000);
    expect(await jkits.rate(tinkerer, shared._id, 4)).toEqual({ ...shared, rating: 4, ratingCount: 1 });
    expect(await jkits.rate(tinkerer, shared._id, 2)).toEqual({ ...shared, rating: 2, ratingCount: 1 });
  });

  it('are shown only to the user who gave them', async () => {
    await using opened = await open();
    const { jkits } = serviceOn(opened.database.queries);
    const { _id } = await jkits.create(maker, draft('shared'));
    const own = () => Promise.all([maker, tinkerer, user('reader')].map((who) => jkits.ratingOf(who, _id)));
    expect(await own()).toEqual([null, null, null]);
    await jkits.rate(tinkerer, _id, 4);
    await jkits.rate(user('reader'), _id, 1);
    await jkits.rate(tinkerer, _id, 5);
    expect(await own()).toEqual([null, 5, 1]);
    await jkits.update(maker, _id, { shared: false });
    expect(await refusal(jkits.ratingOf(tinkerer, _id))).toEqual(gone);
    expect(await refusal(jkits.ratingOf(tinkerer, nowhere))).toEqual(gone);
    await jkits.update(maker, _id, { shared: true });
    expect(await own()).toEqual([null, 5, 1]);
  });

  it('are deleted with a jkit that is removed at the same moment', async () => {
    await using opened = await open();
    const { jkits, queries } = serviceOn(opened.database.queries);
    const { _id } = await jkits.create(maker, draft('shared'));
    const outcomes = await Promise.all([
      ...Array.from({ length: 6 }, (_, number) => refusal(jkits.rate(user(`rater-${number}`), _id, 3))),
      ...Array.from({ length: 6 }, (_, number) => refusal(jkits.star(user(`rater-${number}`), _id))),
      refusal(jkits.remove(maker, _id)),
    ]);
    for (const outcome of outcomes) {
      expect(['nothing was refused', gone]).toContainEqual(outcome);
    }
    expect(await queries.selectFrom('jkit_ratings').selectAll().execute()).toEqual([]);
    expect(await queries.selectFrom('jkit_stars').selectAll().execute()).toEqual([]);
  });
});
