/** Two servers on one PostgreSQL behave as one: the database enforces its rules across both. */
import { apiPaths, Jkit, JkitAnswer, jkitPaths } from '@wirebench/contract';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { migrations } from './storage/database/migrations/index.ts';
import { type ServerPair, startServerPair, times } from './testing/server-pair.ts';

const postgres = inject('postgres');
const content = '{"fields":["AT"]}';

describe.runIf(postgres !== null)('two processes on one database', () => {
  let pair: ServerPair;

  beforeAll(async () => {
    pair = await startServerPair(postgres?.url ?? '');
  }, 60_000);

  afterAll(() => pair[Symbol.asyncDispose]());

  it('have set it up together, each step once', async () => {
    const client = new Client(pair.databaseUrl);
    await client.connect();
    const { rows } = await client.query('select name from kysely_migration order by name');
    await client.end();
    expect(rows.map(({ name }) => name)).toEqual(Object.keys(migrations));
  });

  it('keep the limit of jkits together', async () => {
    const maker = await pair.newUser('limited');
    const answers = await times(24, (number) => maker('POST', jkitPaths.jkits, { name: `number ${number}`, content }));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    expect(answers.filter(({ status, body }) => status === 422 && body.code === 'jkit-limit')).toHaveLength(19);
    for (const _server of pair.servers) {
      expect((await maker('GET', jkitPaths.jkits)).body.pagination.total).toBe(5);
    }
  });

  it('show what is shared, found and starred to each other at once', async () => {
    const maker = await pair.newUser('sharer');
    const reader = await pair.newUser('reader');
    const { _id } = JkitAnswer.parse(
      (await maker('POST', jkitPaths.jkits, { name: 'Oscilloscope', content })).body,
    ).data;
    for (let round = 0; round < 6; round++) {
      const shared = round % 2 === 0;
      await maker('PUT', jkitPaths.jkit(_id), { shared });
      for (const _server of pair.servers) {
        expect((await reader('GET', jkitPaths.jkit(_id))).status).toBe(shared ? 200 : 404);
        expect((await reader('GET', `${jkitPaths.search}?q=scillo`)).body.data).toHaveLength(shared ? 1 : 0);
      }
    }
    await maker('PUT', jkitPaths.jkit(_id), { shared: true });
    expect((await times(10, () => reader('POST', jkitPaths.star(_id)))).map(({ status }) => status)).toEqual(
      Array.from({ length: 10 }, () => 200),
    );
    for (const _server of pair.servers) {
      expect((await reader('GET', jkitPaths.starred)).body.pagination.total).toBe(1);
    }
  });

  it('count every rating once', async () => {
    const maker = await pair.newUser('rated');
    const draft = { name: 'Rated', content, shared: true };
    const { _id } = JkitAnswer.parse((await maker('POST', jkitPaths.jkits, draft)).body).data;
    const raters = await times(10, (number) => pair.newUser(`rater-${number}`));
    const rate = (round: number) =>
      raters.map((rater, number) => rater('POST', jkitPaths.rating(_id), { stars: ((number + round) % 5) + 1 }));
    const answers = await Promise.all([...rate(0), ...rate(1), ...rate(2)]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    await Promise.all(rate(3));
    for (const _server of pair.servers) {
      expect(Jkit.parse((await maker('GET', jkitPaths.jkit(_id))).body.data)).toMatchObject({
        rating: 3,
        ratingCount: 10,
      });
    }
  });

  it('keep every message of feedback', async () => {
    const maker = await pair.newUser('sender');
    const admin = await pair.newUser('admin', ['admin']);
    const message = 'The terminal kept every byte of mine';
    const answers = await times(20, () => maker('POST', apiPaths.feedback, { email: 'maker', message }));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    for (const _server of pair.servers) {
      expect((await admin('GET', apiPaths.feedbackStats)).body).toMatchObject({ totalFeedbacks: 20, uniqueEmails: 1 });
    }
  });

  it('do without one that dies while it writes: nothing stays locked, and no slot is lost', async () => {
    const maker = await pair.newUser('survivor');
    const third = await pair.start('third');
    const writing = times(30, (number) => {
      const address = number % 2 === 0 ? third.address : pair.servers[0].address;
      return maker('POST', jkitPaths.jkits, { name: `number ${number}`, content }, address).then(
        ({ status }) => status,
        () => null,
      );
    });
    await third.kill();
    const statuses = await writing;
    const { total } = (await maker('GET', jkitPaths.jkits)).body.pagination;
    expect(statuses.filter((status) => status === 201).length).toBeLessThanOrEqual(total);
    expect(total).toBe(5);
    for (const { _id } of (await maker('GET', jkitPaths.jkits)).body.data) {
      expect((await maker('DELETE', jkitPaths.jkit(_id))).status).toBe(204);
    }
    expect((await maker('POST', jkitPaths.jkits, { name: 'afterwards', content })).status).toBe(201);
  });
});
