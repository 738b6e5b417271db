/**
 * A client sends searches faster than they can be answered, also with many accounts, or disconnects before the
 * answer.
 */
import { VirtualClock } from '@wirebench/clock';
import { ErrorAnswer, jkitPaths } from '@wirebench/contract';
import Fastify, { type FastifyInstance } from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { type KyselyPlugin, type QueryId, RawNode } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { addJkits } from '../../features/jkits/jkits.ts';
import { guardRoutes } from '../../plugins/auth.ts';
import { answerErrors } from '../../plugins/errors.ts';
import type { Queries } from '../../storage/database/database.ts';
import { type DatabaseKind, databaseKinds } from '../../testing/databases.ts';

/** Limits of `jkits.ts`. The databases allow different numbers of searches of one user. */
const ofOneUser = { SQLite: 1, PostgreSQL: 4 } as const;
const running = { SQLite: 4, PostgreSQL: 6 } as const;
const waitingPerUser = 16;
const waiting = 256;

/** Holds back the database's answers to searches while it is closed. Other statements pass. */
class Gate implements KyselyPlugin {
  readonly #searches = new WeakSet<QueryId>();
  held = 0;
  passed = 0;
  #open = Promise.withResolvers<void>();

  constructor() {
    this.#open.resolve();
  }

  shut(): void {
    this.#open = Promise.withResolvers<void>();
    this.passed = 0;
  }

  open(): void {
    this.#open.resolve();
  }

  transformQuery: KyselyPlugin['transformQuery'] = ({ node, queryId }) => {
    if (RawNode.is(node) && node.sqlFragments[0]?.includes('with named as')) {
      this.#searches.add(queryId);
    }
    return node;
  };

  transformResult: KyselyPlugin['transformResult'] = async ({ result, queryId }) => {
    if (!this.#searches.has(queryId)) {
      return result;
    }
    this.held++;
    await this.#open.promise;
    this.held--;
    this.passed++;
    return result;
  };
}

interface Server extends AsyncDisposable {
  readonly app: FastifyInstance;
  readonly gate: Gate;
  search(user: string, signal?: AbortSignal): Promise<Response>;
}

/** Starts a server with the jkit calls. The bearer token is the user's name. */
async function startServer(open: DatabaseKind['open']): Promise<Server> {
  const opened = await open();
  const gate = new Gate();
  const queries: Queries = opened.database.queries.withPlugin(gate);
  const app = Fastify();
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  answerErrors(app);
  const guards = guardRoutes(app, async (token) => ({
    subject: token,
    username: token,
    name: null,
    email: null,
    picture: null,
    roles: [],
  }));
  const limitWrites = async () => undefined;
  const upkeep = await addJkits(app, {
    queries,
    clock: new VirtualClock(0),
    limit: 5,
    guards,
    limitWrites,
    limitReads: limitWrites,
  });
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  gate.shut();
  return {
    app,
    gate,
    search: (user, signal) =>
      fetch(`${address}${jkitPaths.search}?q=modem`, {
        headers: { authorization: `Bearer ${user}` },
        ...(signal === undefined ? {} : { signal }),
      }),
    [Symbol.asyncDispose]: async () => {
      gate.open();
      await app.close();
      await upkeep[Symbol.asyncDispose]();
      await opened[Symbol.asyncDispose]();
    },
  };
}

/** Collects the answers so far, and all of them. */
function gather(answers: readonly Promise<Response>[]) {
  const refusals: Promise<{ status: number; code: string; retryAfter: string | null }>[] = [];
  const found: number[] = [];
  const all = Promise.all(
    answers.map(async (answer) => {
      const response = await answer;
      if (response.ok) {
        found.push(response.status);
      } else {
        const { status, headers } = response;
        const retryAfter = headers.get('retry-after');
        refusals.push(response.json().then((body) => ({ status, code: ErrorAnswer.parse(body).code, retryAfter })));
      }
    }),
  );
  return { refusals, found, all };
}

describe.each(databaseKinds)('many searches at once on $name', ({ name, open }) => {
  it('wait for each other, are refused beyond a limit, and leave room for other users', async () => {
    await using server = await startServer(open);
    const { gate, search } = server;
    const sent = 40;
    const greedy = gather(Array.from({ length: sent }, () => search('greedy')));
    await vi.waitFor(() => expect(greedy.refusals).toHaveLength(sent - ofOneUser[name] - waitingPerUser), 10_000);
    // Refusals need no database, so they may come before it has answered.
    await vi.waitFor(() => expect(gate.held).toBe(ofOneUser[name]), 10_000);
    for (const refusal of await Promise.all(greedy.refusals)) {
      expect(refusal).toEqual({ status: 429, code: 'too-many-requests', retryAfter: '1' });
    }
    expect(gate.held).toBe(ofOneUser[name]);
    const patient = search('patient');
    await vi.waitFor(() => expect(gate.held).toBe(ofOneUser[name] + 1), 10_000);
    gate.open();
    expect((await patient).status).toBe(200);
    await greedy.all;
    expect(greedy.found).toHaveLength(ofOneUser[name] + waitingPerUser);
  });

  it('are limited in total over many accounts', async () => {
    await using server = await startServer(open);
    const { gate, search } = server;
    const sent = running[name] + waiting + 20;
    const crowd = gather(Array.from({ length: sent }, (_, number) => search(`account-${number}`)));
    await vi.waitFor(() => expect(crowd.refusals).toHaveLength(20), 10_000);
    await vi.waitFor(() => expect(gate.held).toBe(running[name]), 10_000);
    for (const refusal of await Promise.all(crowd.refusals)) {
      expect(refusal).toEqual({ status: 503, code: 'search-busy', retryAfter: '1' });
    }
    expect(gate.held).toBe(running[name]);
    gate.open();
    await crowd.all;
    expect(crowd.found).toHaveLength(sent - 20);
  });

  it('never reach the database if their clients leave while they wait', async () => {
    await using server = await startServer(open);
    const { app, gate, search } = server;
    const first = gather(Array.from({ length: ofOneUser[name] }, () => search('hasty')));
    await vi.waitFor(() => expect(gate.held).toBe(ofOneUser[name]), 10_000);
    const leaving = new AbortController();
    const left: (number | null)[] = [];
    const answers = Array.from({ length: waitingPerUser + 1 }, async () => {
      left.push(
        await search('hasty', leaving.signal).then(
          ({ status }) => status,
          () => null,
        ),
      );
    });
    // One is refused when the others wait.
    await vi.waitFor(() => expect(left).toEqual([429]), 10_000);
    leaving.abort();
    await Promise.all(answers);
    expect(left).toEqual([429, ...Array(waitingPerUser).fill(null)]);
    const connections = () =>
      new Promise<number>((resolve, reject) => {
        app.server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
      });
    await vi.waitFor(async () => expect(await connections()).toBeLessThanOrEqual(ofOneUser[name] + 1), 10_000);
    gate.open();
    await first.all;
    expect((await search('hasty')).status).toBe(200);
    expect(gate.passed).toBe(ofOneUser[name] + 1);
  });
});
