/**
 * Rules common to every call, checked for each call in the document. Rules of single features are tested with the
 * feature.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiDocument, type ApiOperation, readApiDocument, refusalCodes } from '../testing/api-document.ts';
import { buildTestApp, type TestApp, testStart } from '../testing/test-app.ts';
import { startTokenIssuer, type TokenIssuer } from '../testing/token-issuer.ts';

let test: TestApp;
let impostor: TokenIssuer;
let document: ApiDocument;

beforeAll(async () => {
  test = await buildTestApp({ RATE_LIMIT_WRITES: '0' });
  impostor = await startTokenIssuer();
  document = await readApiDocument(test.app);
});

afterAll(async () => {
  await test[Symbol.asyncDispose]();
  await impostor[Symbol.asyncDispose]();
});

const id = '01990000-0000-7000-8000-000000000000';
const admin = { sub: 'subject-of-admin', realm_access: { roles: ['user', 'admin'] } };

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly payload?: string;
}

async function send({ method, path }: ApiOperation, { headers = {}, payload }: Sent) {
  const url = path.replace(/\{\w+\}/g, id);
  return test.app.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) });
}

function operations(which: (operation: ApiOperation) => boolean): readonly ApiOperation[] {
  const found = document.operations.filter(which);
  expect(found.length).toBeGreaterThan(0);
  return found;
}

const needsUser = ({ security }: ApiOperation) => security.length > 0 && security.every((scheme) => 'bearer' in scheme);
const takesJson = ({ requestBody }: ApiOperation) => 'application/json' in requestBody;
const needsJson = (operation: ApiOperation) => takesJson(operation) && operation.needsBody;
const takesBody = ({ requestBody }: ApiOperation) => Object.keys(requestBody).length > 0;

describe('a call that needs a user', () => {
  it.each<[string, () => Promise<Readonly<Record<string, string>>>]>([
    ['no token', async () => ({})],
    ['a token that expired', () => test.bearer({ ...admin, exp: testStart / 1_000 - 31 })],
    ['a token for another client', () => test.bearer({ ...admin, azp: 'another-client' })],
    ['a token of another issuer', () => test.bearer({ ...admin, iss: 'https://id.example.org/realms/wirebench' })],
    [
      'a forged token',
      async () => {
        const claims = { iss: test.issuer.issuer, azp: 'wirebench-web', exp: testStart / 1_000 + 300, ...admin };
        return { authorization: `Bearer ${await impostor.sign(claims)}` };
      },
    ],
    ['an ID token', () => test.bearer({ ...admin, typ: 'ID' })],
    ['a token in a cookie', async () => ({ cookie: `access_token=${await test.token(admin)}` })],
    ['no token, and a body of the wrong type', async () => ({ 'content-type': 'text/plain' })],
  ])('is refused with %s, whatever else it carries', async (_name, headersFor) => {
    for (const operation of operations(needsUser)) {
      const answer = await send(operation, { headers: await headersFor() });
      const call = `${operation.method} ${operation.path}`;
      expect([call, answer.statusCode, answer.headers['www-authenticate']]).toEqual([call, 401, 'Bearer']);
      expect(refusalCodes(operation, 401)).toContain(answer.json().code);
    }
  });
});

describe('a call with a body', () => {
  it('gets 413 with more than a megabyte of JSON', async () => {
    for (const operation of operations(takesJson)) {
      const headers = { ...(await test.bearer(admin)), 'content-type': 'application/json' };
      const answer = await send(operation, { headers, payload: JSON.stringify({ padding: 'x'.repeat(1_048_577) }) });
      expect([operation.path, answer.statusCode, answer.json().code]).toEqual([operation.path, 413, 'body-too-large']);
    }
  });

  it.each(['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'image/png'])(
    'gets 415 with the type %s',
    async (type) => {
      for (const operation of operations(takesBody)) {
        const headers = { ...(await test.bearer(admin)), 'content-type': type };
        const answer = await send(operation, { headers, payload: 'a=b' });
        const call = [operation.path, answer.statusCode, answer.json().code];
        expect(call).toEqual([operation.path, 415, 'unsupported-media-type']);
      }
    },
  );

  it.each([
    ['no JSON', '{"a":'],
    ['a list', '[]'],
    ['a number', '1'],
    ['text', '"text"'],
    ['an attempt on the prototype', '{"__proto__":{"admin":true}}'],
  ])('gets 400 and a sentence with %s', async (_name, payload) => {
    for (const operation of operations(takesJson)) {
      const headers = { ...(await test.bearer(admin)), 'content-type': 'application/json' };
      const answer = await send(operation, { headers, payload });
      expect([operation.path, answer.statusCode, answer.json().code]).toEqual([operation.path, 400, 'invalid-request']);
      expect(answer.json().error).toMatch(/^[A-Z][^{}]+$/);
    }
  });
});

describe('a call without the body that it needs', () => {
  it.each<[string, Readonly<Record<string, string>>]>([
    ['with', { 'content-type': 'application/json' }],
    ['without', {}],
  ])('is refused in a sentence, %s a type', async (_name, type) => {
    for (const operation of operations(needsJson)) {
      const answer = await send(operation, { headers: { ...(await test.bearer(admin)), ...type } });
      expect([operation.path, answer.statusCode, answer.json().code]).toEqual([operation.path, 400, 'invalid-request']);
      expect(answer.json().error).toMatch(/^[A-Z][^{}]+$/);
    }
  });
});

describe('any answer', () => {
  it('allows no other origin, unless it is a public share, and forbids type guessing', async () => {
    for (const operation of document.operations) {
      const answer = await send(operation, { headers: { origin: 'https://elsewhere.example' } });
      const shared = operation.path.startsWith('/api/firmware/shared/');
      expect([operation.path, answer.headers['access-control-allow-origin']]).toEqual([
        operation.path,
        shared ? '*' : undefined,
      ]);
      expect(answer.headers['cross-origin-resource-policy']).toBe(shared ? 'cross-origin' : 'same-origin');
      expect(answer.headers['x-content-type-options']).toBe('nosniff');
    }
  });

  it('sets no cookie and does not name its software', async () => {
    for (const operation of document.operations) {
      const { headers } = await send(operation, { headers: await test.bearer(admin) });
      expect(headers).not.toHaveProperty('set-cookie');
      expect(headers).not.toHaveProperty('server');
      expect(headers).not.toHaveProperty('x-powered-by');
    }
  });
});
