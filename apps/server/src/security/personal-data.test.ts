/**
 * Sends personal values in every call wherever one fits. None may appear in the log at any level. Answers to other
 * users contain only the public name.
 */

import { join } from 'node:path';
import { releasePath } from '@wirebench/boards';
import { jkitPaths, sharedFirmwarePaths } from '@wirebench/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ApiOperation, type JsonSchema, readApiDocument } from '../testing/api-document.ts';
import { callApi } from '../testing/api-user.ts';
import { lockDatabase } from '../testing/lock-database.ts';
import { releaseClient } from '../testing/release-client.ts';
import { buildTestApp, type TestApp } from '../testing/test-app.ts';

/** Part of every personal value. */
const PERSONAL = 'zq7personal';

let test: TestApp;

beforeEach(async () => {
  test = await buildTestApp(
    { LOG_LEVEL: 'trace', RATE_LIMIT_WRITES: '0' },
    { 'release.html': '<!doctype html><!-- preview --><title>Release</title><!-- /preview -->' },
  );
});

afterEach(() => test[Symbol.asyncDispose]());

type Schemas = Readonly<Record<string, JsonSchema>>;

/** Returns a value of the schema's type with the personal part in every text. */
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
  it('has a line for every call and no personal data', async () => {
    const { operations, components } = await readApiDocument(test.app);
    for (const operation of operations) {
      await send(operation, components.schemas);
    }
    expect(test.log.length).toBeGreaterThanOrEqual(operations.length);
    expect(test.log.filter((line) => line.includes(PERSONAL))).toEqual([]);
  });

  it('reports that the database is away without the data of the call', async () => {
    const { operations, components } = await readApiDocument(test.app);
    const lock = await lockDatabase(join(test.dataDir, 'wirebench.sqlite'));
    const statuses = await Promise.all(operations.map((operation) => send(operation, components.schemas)));
    lock[Symbol.dispose]();
    expect(statuses).toContain(503);
    expect(test.log.join('')).toContain('database is locked');
    expect(test.log.filter((line) => line.includes(PERSONAL))).toEqual([]);
  });

  it('has the type of an error without its values', async () => {
    const error = Object.assign(new Error('duplicate key'), {
      detail: `Key (name)=(${PERSONAL})`,
      parameters: [PERSONAL],
    });
    test.app.log.error({ err: new Error('outer', { cause: error }) }, 'failed');
    expect(test.log.at(-1)).toContain('duplicate key');
    expect(test.log.at(-1)).not.toContain(PERSONAL);
  });
});

describe('public answers', () => {
  it('contain no e-mail address, subject or name of a publisher, whatever the provider sends', async () => {
    for (const preferred_username of [`${PERSONAL}@wirebench.example`, claims.sub, undefined]) {
      const person = { ...claims, name: undefined, preferred_username, sub: `${claims.sub}-${preferred_username}` };
      const headers = await test.bearer({
        ...person,
        ...(preferred_username === claims.sub ? { sub: claims.sub } : {}),
      });
      const publisher = releaseClient(test.app, headers);
      const project = await publisher.newProject('Weather');
      const version = await publisher.newVersion(project._id);
      await publisher.setProjectPublic(project._id, true);
      await publisher.setVersionPublic(version._id, true);
      const saved = await callApi(test, headers, 'POST', jkitPaths.jkits, {
        name: 'Modem',
        content: '{"fields":["AT"]}',
        shared: true,
      });
      const stranger = await test.bearer({ sub: 'subject-of-tinkerer', preferred_username: 'tinkerer' });
      const answers = await Promise.all(
        [
          ...(['item', 'manifest', 'badge'] as const).flatMap((kind) => [
            sharedFirmwarePaths[kind]('project', project.shareId),
            sharedFirmwarePaths[kind]('version', version.shareId),
          ]),
          sharedFirmwarePaths.file('project', project.shareId, version.files[0]?._id ?? ''),
          releasePath('project', project.shareId),
          jkitPaths.jkit(saved.body.data._id),
          `${jkitPaths.search}?q=modem`,
          `${jkitPaths.search}?q=${PERSONAL}`,
        ].map((url) => test.app.inject({ url, headers: url.startsWith(jkitPaths.search) ? stranger : {} })),
      );
      for (const answer of answers) {
        expect(answer.statusCode).toBe(200);
        expect(JSON.stringify(answer.headers) + answer.body).not.toContain(PERSONAL);
      }
    }
  });
});
