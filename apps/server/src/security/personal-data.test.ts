/** Every call with personal values wherever one fits: none of them may turn up in the log, down to its last level. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ApiOperation, type JsonSchema, readApiDocument } from '../testing/api-document.ts';
import { buildTestApp, type TestApp } from '../testing/test-app.ts';

/** Part of every personal value that is sent. */
const PERSONAL = 'zq7personal';

let test: TestApp;

beforeEach(async () => {
  test = await buildTestApp({ LOG_LEVEL: 'trace', RATE_LIMIT_WRITES: '0' });
});

afterEach(() => test[Symbol.asyncDispose]());

type Schemas = Readonly<Record<string, JsonSchema>>;

/** A value of the schema's type with the personal part in every text. */
function personal(schema: JsonSchema, schemas: Schemas): unknown {
  const { $ref, type, properties, items, anyOf, minimum } = schema as {
    $ref?: string;
    type?: string;
    properties?: Schemas;
    items?: JsonSchema;
    anyOf?: JsonSchema[];
    minimum?: number;
  };
  if ($ref !== undefined) {
    return personal(schemas[$ref.split('/').at(-1) ?? ''] ?? {}, schemas);
  }
  if (anyOf?.[0] !== undefined) {
    return personal(anyOf[0], schemas);
  }
  switch (type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(properties ?? {}).map(([name, property]) => [name, personal(property, schemas)]),
      );
    case 'array':
      return [personal(items ?? {}, schemas)];
    case 'integer':
    case 'number':
      return minimum ?? 1;
    case 'boolean':
      return true;
    default:
      return `${PERSONAL} text, long enough`;
  }
}

const claims = {
  sub: `${PERSONAL}-subject`,
  preferred_username: `${PERSONAL}-name`,
  name: `${PERSONAL} Name`,
  email: `${PERSONAL}@wirebench.example`,
  picture: `https://id.example.org/${PERSONAL}.png`,
  realm_access: { roles: ['user', 'admin', `${PERSONAL}-role`] },
};

async function send({ method, path, parameters, requestBody }: ApiOperation, schemas: Schemas): Promise<number> {
  const query = parameters.filter(({ in: place }) => place === 'query').map(({ name }) => `${name}=${PERSONAL}`);
  const schema = requestBody['application/json']?.schema;
  const answer = await test.app.inject({
    method,
    url: `${path.replace(/\{\w+\}/g, PERSONAL)}?${[...query, `extra=${PERSONAL}`].join('&')}`,
    headers: {
      ...(await test.bearer(claims)),
      cookie: `session=${PERSONAL}`,
      referer: `https://bench.example.org/release.html?id=${PERSONAL}`,
      'user-agent': `${PERSONAL} browser`,
      'x-forwarded-for': `${PERSONAL}.example`,
    },
    ...(schema === undefined ? {} : { payload: personal(schema, schemas) as object }),
  });
  return answer.statusCode;
}

describe('the log', () => {
  it('has a line for every call and nothing of what people sent', async () => {
    const { operations, components } = await readApiDocument(test.app);
    for (const operation of operations) {
      await send(operation, components.schemas);
    }
    expect(test.log.length).toBeGreaterThanOrEqual(operations.length);
    expect(test.log.filter((line) => line.includes(PERSONAL))).toEqual([]);
  });

  it('says that the database is away without saying what was to be stored', async () => {
    const { operations, components } = await readApiDocument(test.app);
    const other = new DatabaseSync(join(test.dataDir, 'wirebench.sqlite'));
    other.exec('begin immediate');
    const statuses = await Promise.all(operations.map((operation) => send(operation, components.schemas)));
    other.exec('rollback');
    other.close();
    expect(statuses).toContain(503);
    expect(test.log.join('')).toContain('database is locked');
    expect(test.log.filter((line) => line.includes(PERSONAL))).toEqual([]);
  });

  it('says of an error what it is, and not what it carries', async () => {
    const error = Object.assign(new Error('duplicate key'), {
      detail: `Key (name)=(${PERSONAL})`,
      parameters: [PERSONAL],
    });
    test.app.log.error({ err: new Error('outer', { cause: error }) }, 'failed');
    expect(test.log.at(-1)).toContain('duplicate key');
    expect(test.log.at(-1)).not.toContain(PERSONAL);
  });
});
