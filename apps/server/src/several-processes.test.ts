/** Two servers on one PostgreSQL behave as one: what the database guards holds across them. */
import { join } from 'node:path';
import { apiPaths, Jkit, JkitAnswer, jkitPaths } from '@wirebench/contract';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { migrations } from './storage/database/migrations/index.ts';
import { createPostgresDatabase, type PostgresDatabase } from './testing/postgres-database.ts';
import { type ServerProcess, startServerProcess } from './testing/server-process.ts';
import { type TemporaryFolder, temporaryFolder } from './testing/temporary-folder.ts';
import { startTokenIssuer, type TokenIssuer } from './testing/token-issuer.ts';

const postgres = inject('postgres');
const content = '{"fields":["AT"]}';
const jsonType = { 'content-type': 'application/json' };

describe.runIf(postgres !== null)('two processes on one database', () => {
  let folder: TemporaryFolder;
  let database: PostgresDatabase;
  let issuer: TokenIssuer;
  let servers: readonly [ServerProcess, ServerProcess];

  const start = (name: string) =>
    startServerProcess({
      cwd: folder.path,
      environment: {
        ...issuer.environment,
        DATA_DIR: join(folder.path, name),
        DATABASE_URL: database.url,
        RATE_LIMIT_WRITES: '0',
      },
    });

  beforeAll(async () => {
    folder = await temporaryFolder();
    database = await createPostgresDatabase(postgres?.url ?? '');
    issuer = await startTokenIssuer();
    // At once, on a database without any table.
    servers = await Promise.all([start('one'), start('other')]);
  }, 60_000);

  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await issuer[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  /** Calls the servers in turn. */
  async function newUser(name: string, roles: readonly string[] = []) {
    const token = await issuer.sign({
      iss: issuer.issuer,
      sub: `subject-of-${name}`,
      azp: 'wirebench-web',
      exp: Math.floor(Date.now() / 1_000) + 300,
      preferred_username: name,
      realm_access: { roles },
    });
    let calls = 0;
    return async (method: string, path: string, body?: object, address = servers[calls++ % 2]?.address) => {
      const answer = await fetch(`${address}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, ...(body === undefined ? {} : jsonType) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      return { status: answer.status, body: text === '' ? null : JSON.parse(text) };
    };
  }

  const times = <Result>(count: number, work: (number: number) => Promise<Result>) =>
    Promise.all(Array.from({ length: count }, (_, number) => work(number)));

  it('have set it up together, each step once', async () => {
    const client = new Client(database.url);
    await client.connect();
    const { rows } = await client.query('select name from kysely_migration order by name');
    await client.end();
    expect(rows.map(({ name }) => name)).toEqual(Object.keys(migrations));
  });

  it('keep the limit of jkits together', async () => {
    const maker = await newUser('limited');
    const answers = await times(24, (number) => maker('POST', jkitPaths.jkits, { name: `number ${number}`, content }));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    expect(answers.filter(({ status, body }) => status === 422 && body.code === 'jkit-limit')).toHaveLength(19);
    for (const _server of servers) {
      expect((await maker('GET', jkitPaths.jkits)).body.pagination.total).toBe(5);
    }
  });

  it('show what is shared, found and starred to each other at once', async () => {
    const maker = await newUser('sharer');
    const reader = await newUser('reader');
    const { _id } = JkitAnswer.parse(
      (await maker('POST', jkitPaths.jkits, { name: 'Oscilloscope', content })).body,
    ).data;
    for (let round = 0; round < 6; round++) {
      const shared = round % 2 === 0;
      await maker('PUT', jkitPaths.jkit(_id), { shared });
      for (const _server of servers) {
        expect((await reader('GET', jkitPaths.jkit(_id))).status).toBe(shared ? 200 : 404);
        expect((await reader('GET', `${jkitPaths.search}?q=scillo`)).body.data).toHaveLength(shared ? 1 : 0);
      }
    }
    await maker('PUT', jkitPaths.jkit(_id), { shared: true });
    expect((await times(10, () => reader('POST', jkitPaths.star(_id)))).map(({ status }) => status)).toEqual(
      Array.from({ length: 10 }, () => 200),
    );
    for (const _server of servers) {
      expect((await reader('GET', jkitPaths.starred)).body.pagination.total).toBe(1);
    }
  });

  it('count every rating once', async () => {
    const maker = await newUser('rated');
    const draft = { name: 'Rated', content, shared: true };
    const { _id } = JkitAnswer.parse((await maker('POST', jkitPaths.jkits, draft)).body).data;
    const raters = await times(10, (number) => newUser(`rater-${number}`));
    const rate = (round: number) =>
      raters.map((rater, number) => rater('POST', jkitPaths.rating(_id), { stars: ((number + round) % 5) + 1 }));
    const answers = await Promise.all([...rate(0), ...rate(1), ...rate(2)]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    await Promise.all(rate(3));
    for (const _server of servers) {
      expect(Jkit.parse((await maker('GET', jkitPaths.jkit(_id))).body.data)).toMatchObject({
        rating: 3,
        ratingCount: 10,
      });
    }
  });

  it('keep every message of feedback', async () => {
    const maker = await newUser('sender');
    const admin = await newUser('admin', ['admin']);
    const message = 'The terminal kept every byte of mine';
    const answers = await times(20, () => maker('POST', apiPaths.feedback, { email: 'maker', message }));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    for (const _server of servers) {
      expect((await admin('GET', apiPaths.feedbackStats)).body).toMatchObject({ totalFeedbacks: 20, uniqueEmails: 1 });
    }
  });

  it('do without one that dies while it writes: nothing stays locked, and no slot is lost', async () => {
    const maker = await newUser('survivor');
    const third = await start('third');
    const writing = times(30, (number) => {
      const address = number % 2 === 0 ? third.address : servers[0].address;
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
