/**
 * Sends valid and invalid requests to every call of the API's document, one after the other, to one app. The long
 * run tries many more.
 */
import { join } from 'node:path';
import { ErrorAnswer, errorStatus } from '@wirebench/contract';
import { isLong } from '@wirebench/test-input';
import fc from 'fast-check';
import type { LightMyRequestResponse } from 'fastify';
import { describe, expect, it } from 'vitest';
import { openDatabase, type Queries } from '../storage/database/database.ts';
import { type ApiDocument, type ApiOperation, readApiDocument, refusalCodes } from '../testing/api-document.ts';
import { contentVersion } from '../testing/content-version.ts';
import { type Contents, databaseContents } from '../testing/database-contents.ts';
import { type DatabaseKind, databaseKinds } from '../testing/databases.ts';
import { hints } from '../testing/fuzz/hints.ts';
import { KnownIds } from '../testing/fuzz/known-ids.ts';
import { type Caller, type FuzzRequest, operationName, preparations, requests } from '../testing/fuzz/requests.ts';
import { writeRequest } from '../testing/fuzz/write-request.ts';
import { findRecordFaults } from '../testing/record-faults.ts';
import { buildTestApp, type TestApp, testStart } from '../testing/test-app.ts';
import { startTokenIssuer, type TokenIssuer } from '../testing/token-issuer.ts';

const settings = {
  // Shrinking takes longer than a test may. The test would time out without reporting the failure.
  endOnFailure: !isLong,
};

/** Runs per database. PostgreSQL takes several times longer to set up and to read. */
const RUNS = isLong ? { SQLite: 300, PostgreSQL: 60 } : { SQLite: 30, PostgreSQL: 8 };

/** Part of the operations that succeed at least once in that many runs. With fewer, the test would find nothing. */
const ACCEPTED = isLong ? { SQLite: 0.5, PostgreSQL: 0.5 } : { SQLite: 0.5, PostgreSQL: 0.3 };

/** Calls of one run: first preparing ones, then any. */
const FIRST = { minLength: 16, maxLength: 24 };
const CALLS = { minLength: 20, maxLength: 60 };

/** Low limits, so that they are reached. */
const LIMITS = { projects: 3, versions: 2, jkits: 3 };

/** Texts of libraries, databases and stacks, which answers must not contain. */
const OF_THE_INSIDE =
  /node_modules|\bat \S+ \(|\.ts:\d|FST_|fastify|sqlite|postgres|kysely|\bsql\b|\bzod\b|ECONN|ENOENT|[A-Z]\w+Error\b|undefined|\[object/i;

describe.each(databaseKinds)('any request, on $name', (kind) => {
  it(
    'is answered as the document says, and changes nothing when it is refused',
    async () => {
      const document = await documentOf();
      const operations = new Map(document.operations.map((operation) => [operationName(operation), operation]));
      const accepted = new Set<string>();
      await fc.assert(
        fc.asyncProperty(
          fc.array(preparations(document, hints), FIRST),
          fc.array(requests(document, hints), CALLS),
          async (first, then) => {
            await using rig = await openRig(kind);
            for (const request of [...inOrder(first), ...then]) {
              const operation = operations.get(request.to);
              if (operation !== undefined) {
                const status = await rig.check(request, operation);
                if (status < 300) {
                  accepted.add(request.to);
                }
              }
            }
            await rig.checkRecords();
          },
        ),
        { ...settings, numRuns: RUNS[kind.name] },
      );
      expect(accepted.size).toBeGreaterThan(operations.size * ACCEPTED[kind.name]);
    },
    isLong ? 3_600_000 : 400_000,
  );
});

/** Puts calls that create items first, and calls that change them last. */
function inOrder(requests: readonly FuzzRequest[]): readonly FuzzRequest[] {
  const rank = ({ to, body }: FuzzRequest) => (to.includes('{') ? 2 : body.kind === 'multipart' ? 1 : 0);
  return [...requests].sort((one, other) => rank(one) - rank(other));
}

async function documentOf(): Promise<ApiDocument> {
  await using test = await buildTestApp();
  return readApiDocument(test.app);
}

async function openRig(kind: DatabaseKind) {
  const place = await kind.appPlace();
  const test = await buildTestApp({
    ...place.environment,
    RATE_LIMIT_WRITES: '0',
    RATE_LIMIT_READS: '0',
    LIMIT_PROJECTS: String(LIMITS.projects),
    LIMIT_VERSIONS: String(LIMITS.versions),
    LIMIT_JKITS: String(LIMITS.jkits),
  });
  const impostor = await startTokenIssuer();
  const database = await openDatabase(
    kind.name === 'SQLite' ? { path: join(test.dataDir, 'wirebench.sqlite') } : place.options,
  );
  const ids = new KnownIds();
  let version = await contentVersion(database);
  let before = await writtenAtOnce(database.queries);

  return {
    async check(request: FuzzRequest, operation: ApiOperation): Promise<number> {
      const authorization = await authorizationOf(request.caller, { test, impostor, ids });
      const written = writeRequest(request, operation, ids, authorization);
      const answer = await test.app.inject({ ...written, headers: { host: 'localhost:4173', ...written.headers } });
      const call = `${written.method} ${written.url}`;
      expect(answer.statusCode, `${call} ${answer.body}`).toBeLessThan(500);
      if (answer.statusCode >= 400) {
        checkRefusal(request, operation, answer);
      } else {
        checkAnswer(operation, answer);
        if (String(answer.headers['content-type']).startsWith('application/json') && answer.body !== '') {
          ids.collect(operation, answer.json());
        }
      }
      const now = written.method === 'GET' ? version : await contentVersion(database);
      // Without a commit since the tables were read, they are the same.
      if (now !== version) {
        version = now;
        const after = await writtenAtOnce(database.queries);
        if (answer.statusCode >= 400) {
          // Garbage of an earlier call may be removed at any time.
          const stillGarbage = (before[GARBAGE] ?? []).filter((row) => after[GARBAGE]?.includes(row));
          expect(after, `${call} was refused, and it or a read before it changed something`).toEqual({
            ...before,
            [GARBAGE]: stillGarbage,
          });
        }
        before = after;
      }
      return answer.statusCode;
    },

    /** Checks the rules for all records. */
    async checkRecords(): Promise<void> {
      expect(test.log.join('')).not.toMatch(/"level":(50|60)/);
      expect(await findRecordFaults(database.queries, test.dataDir, LIMITS)).toEqual([]);
    },

    async [Symbol.asyncDispose](): Promise<void> {
      await database.close();
      await test[Symbol.asyncDispose]();
      await impostor[Symbol.asyncDispose]();
      await place[Symbol.asyncDispose]();
    },
  };
}

/** Table of bytes that nothing refers to any more. */
const GARBAGE = 'firmware_garbage';

/** Tables of flashes and crashes, which are collected in memory and written during later calls. */
const WRITTEN_LATER: readonly string[] = [
  'firmware_flashes',
  'firmware_build_flashes',
  'crash_groups',
  'crash_builds',
  'crash_examples',
];

async function writtenAtOnce(queries: Queries): Promise<Contents> {
  const contents = await databaseContents(queries);
  return Object.fromEntries(Object.entries(contents).filter(([table]) => !WRITTEN_LATER.includes(table)));
}

function checkRefusal({ body }: FuzzRequest, operation: ApiOperation, answer: LightMyRequestResponse): void {
  expect(answer.body).not.toMatch(OF_THE_INSIDE);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  const refusal = ErrorAnswer.parse(answer.json());
  expect(refusal.error).toBe(refusal.message);
  expect(Object.keys(answer.json()).sort()).toEqual(Object.keys(refusal).sort());
  expect(errorStatus[refusal.code]).toBe(answer.statusCode);
  expect(answer.headers['www-authenticate']).toBe(answer.statusCode === 401 ? 'Bearer' : undefined);
  const described = [
    ...refusalCodes(operation, answer.statusCode),
    // An id can turn the address into one without a route, or one that cannot be decoded.
    ...['not-found', 'invalid-request'],
    // A body that the operation does not expect.
    ...(body.kind !== 'none' ? ['unsupported-media-type', 'body-too-large'] : []),
  ];
  expect(described, operationName(operation)).toContain(refusal.code);
}

function checkAnswer(operation: ApiOperation, answer: LightMyRequestResponse): void {
  const type = String(answer.headers['content-type'] ?? '').split(';')[0] ?? '';
  const described = operation.responses[answer.statusCode];
  if (described !== undefined) {
    expect([...Object.keys(described.content ?? {}), ...(answer.body === '' ? [''] : [])]).toContain(type);
  } else {
    // Conditional and partial answers, which the document describes as a whole.
    expect([206, 304]).toContain(answer.statusCode);
  }
}

interface Callers {
  readonly test: TestApp;
  readonly impostor: TokenIssuer;
  readonly ids: KnownIds;
}

async function authorizationOf(caller: Caller, { test, impostor, ids }: Callers): Promise<string | null> {
  const roles = { realm_access: { roles: ['user', 'admin'] } };
  switch (caller) {
    case 'owner':
      return (await test.bearer()).authorization;
    case 'other':
      return (await test.bearer({ sub: 'subject-of-tinkerer', preferred_username: 'tinkerer' })).authorization;
    case 'admin':
      return (await test.bearer({ sub: 'subject-of-admin', preferred_username: 'admin', ...roles })).authorization;
    case 'token':
      return `Bearer ${ids.pick({ kind: 'secret', knownId: 1 })}`;
    case 'nobody':
      return null;
    case 'expired':
      return (await test.bearer({ exp: testStart / 1_000 - 60 })).authorization;
    case 'forged': {
      const claims = {
        iss: test.issuer.issuer,
        sub: 'subject-of-admin',
        azp: 'wirebench-web',
        exp: testStart / 1_000 + 300,
      };
      return `Bearer ${await impostor.sign({ ...claims, ...roles })}`;
    }
    case 'garbage':
      return 'Bearer ../../etc/passwd';
  }
}
