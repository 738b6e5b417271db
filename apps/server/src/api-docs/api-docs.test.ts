import { Validator } from '@seriousme/openapi-schema-validator';
import { ErrorAnswer, errorStatus } from '@wirebench/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiDocument, readApiDocument, refusalCodes } from '../testing/api-document.ts';
import { buildTestApp, type TestApp } from '../testing/test-app.ts';

let test: TestApp;
let document: ApiDocument;

beforeAll(async () => {
  test = await buildTestApp();
  document = await readApiDocument(test.app);
});

afterAll(() => test[Symbol.asyncDispose]());

/** Returns method and pattern of every route of the app, read from the router's printed tree. */
function realRoutes(): string[] {
  const routes: string[] = [];
  const above: string[] = [];
  for (const line of test.app.printRoutes({ commonPrefix: false }).split('\n')) {
    const [, indent = '', part = '', methods = ''] = /^(.*)[├└]── (\S+)(?: \((.+)\))?$/.exec(line) ?? [];
    const depth = indent.length / 4;
    above.splice(depth, above.length, part);
    const pattern = above
      .slice(0, depth + 1)
      .join('')
      .replace(/:(\w+)/g, '{$1}')
      .replace(/^\/+/, '/');
    routes.push(
      ...methods
        .split(', ')
        .filter(Boolean)
        .map((method) => `${method} ${pattern}`),
    );
  }
  return routes;
}

describe('documentation of the API', () => {
  it('is valid OpenAPI 3.1', async () => {
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(await new Validator().validate({ ...document.json })).toEqual({ valid: true });
  });

  it('has every call that there is, and no other', () => {
    const calls = realRoutes().filter((route) => /^(?!HEAD)\w+ \/api\/(?!docs)/.test(route));
    expect(calls.length).toBeGreaterThan(5);
    expect(document.operations.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(
      [...calls, 'GET /config.json'].sort(),
    );
  });

  it('says of each call in one sentence what it does, and where it belongs', () => {
    for (const { method, path, summary, tags } of document.operations) {
      expect(summary, `${method} ${path}`).toMatch(/^[A-Z].+\.$/);
      expect(tags.map((tag) => document.tags.find(({ name }) => name === tag)?.description)).toEqual([
        expect.stringMatching(/\.$/),
      ]);
    }
  });

  it('names each group of calls once, and none without calls', () => {
    const used = new Set(document.operations.flatMap(({ tags }) => tags));
    expect(document.tags.map(({ name }) => name).toSorted()).toEqual([...used].toSorted());
  });

  it('says of each call what it answers when all is well, and how it refuses', () => {
    for (const { method, path, responses } of document.operations) {
      const statuses = Object.keys(responses).map(Number);
      expect(statuses.filter((status) => status < 300).length, `${method} ${path}`).toBeGreaterThan(0);
      expect(statuses).toContain(500);
    }
  });

  it('writes every refusal as the server does', () => {
    for (const operation of document.operations) {
      for (const [status, { content }] of Object.entries(operation.responses).filter(([status]) => status >= '4')) {
        const examples = Object.entries(content?.['application/json']?.examples ?? {}) as [
          string,
          { value: unknown },
        ][];
        expect(examples.length).toBeGreaterThan(0);
        for (const [, { value }] of examples) {
          expect(errorStatus[ErrorAnswer.parse(value).code]).toBe(Number(status));
        }
      }
    }
  });

  it('reports which bodies may be left out', () => {
    const optional = document.operations.filter(
      ({ requestBody, needsBody }) => 'application/json' in requestBody && !needsBody,
    );
    expect(optional.map(({ path }) => path)).toEqual([
      '/api/firmware/project/{id}/toggle-sharing',
      '/api/firmware/version/{id}/toggle-sharing',
      '/api/firmware/shared/version/{id}/flashes',
    ]);
  });

  it('reports which calls need a token', async () => {
    for (const operation of document.operations) {
      const url = operation.path.replace(/\{\w+\}/g, 'x');
      const answer = await test.app.inject({ method: operation.method, url });
      const refused = operation.security.length > 0 && operation.security.every((scheme) => 'bearer' in scheme);
      expect([url, answer.statusCode === 401]).toEqual([url, refused]);
      expect(refusalCodes(operation, 401).includes(answer.json().code)).toBe(refused);
    }
  });

  it('leads nowhere else and runs no code but its own', async () => {
    for (const url of ['/api/docs', '/api/docs/', '/api/docs/static/swagger-initializer.js', '/api/docs/yaml']) {
      const { statusCode, headers, body } = await test.app.inject(url);
      expect(statusCode).toBe(200);
      expect(headers['content-security-policy']).toMatch(/^default-src 'none'; .*frame-ancestors 'none'$/);
      expect(headers['content-security-policy']).not.toMatch(/unsafe|https:/);
      expect(body).not.toMatch(/<script>|(src|href)="https?:/);
    }
  });

  it('refuses in the same words as the rest where there is nothing', async () => {
    for (const url of ['/api/docs/nothing', '/api/docs/static/..%2f..%2fpackage.json']) {
      const answer = await test.app.inject(url);
      expect([url, answer.statusCode, answer.json().code]).toEqual([url, 404, 'not-found']);
    }
  });
});
