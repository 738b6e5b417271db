import { ErrorAnswer, type ErrorCode, errorStatus, errorText } from '@wirebench/contract';
import Fastify from 'fastify';
import { validatorCompiler } from 'fastify-type-provider-zod';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { ApiError } from '../api-error.ts';
import { IdentityUnavailableError } from '../identity/token-verifier.ts';
import { BlobStoreUnavailableError } from '../storage/blobs/blob-store.ts';
import { DatabaseUnavailableError } from '../storage/database/database-failure.ts';
import { buildTestApp } from '../testing/test-app.ts';
import { answerErrors } from './errors.ts';

/** Returns the answer of a route that fails with `error`, and the log. */
async function answerTo(error: unknown) {
  const log: string[] = [];
  const app = Fastify({ logger: { stream: { write: (line: string) => log.push(line) }, level: 'error' } });
  answerErrors(app);
  app.get('/', () => Promise.reject(error));
  const answer = await app.inject('/');
  return { answer, log: log.join('') };
}

describe('error answer', () => {
  it.each(Object.keys(errorText) as ErrorCode[])(
    'has its status and the same sentence in error and message: %s',
    async (code) => {
      const { answer } = await answerTo(new ApiError(code));
      expect(answer.statusCode).toBe(errorStatus[code]);
      expect(answer.json()).toEqual({ error: errorText[code], message: errorText[code], code });
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
      expect(answer.headers['www-authenticate']).toBe(errorStatus[code] === 401 ? 'Bearer' : undefined);
    },
  );

  it('leaves the connection open to a body that is too large', async () => {
    const app = Fastify({ bodyLimit: 1 });
    answerErrors(app);
    app.post('/', () => null);
    const answer = await app.inject({ method: 'POST', url: '/', payload: { more: 'than one byte' } });
    expect([answer.statusCode, answer.json().code]).toEqual([413, 'body-too-large']);
    expect(answer.headers['connection']).not.toBe('close');
  });

  it('carries fields, another sentence and the time to wait when there are any', async () => {
    const issues = [{ path: 'message', message: 'Too short' }];
    const { answer } = await answerTo(new ApiError('invalid-request', { message: 'Too short', issues, retryAfter: 7 }));
    expect(ErrorAnswer.parse(answer.json())).toEqual({
      error: 'Too short',
      message: 'Too short',
      code: 'invalid-request',
      issues,
    });
    expect(answer.headers['retry-after']).toBe('7');
  });

  it.each([
    ['no-bucket', 'The bucket of the file store does not exist. Please tell whoever runs this server.'],
    [
      'wrong-clock',
      'The clocks of this server and of its file store differ too much. Please tell whoever runs this server.',
    ],
    ['keys-refused', 'The file store refuses the keys of this server. Please tell whoever runs this server.'],
  ] as const)('has a sentence of its own for a file store with the fault %s', async (fault, message) => {
    const cause = new Error('The S3 store answered 404 NoSuchBucket');
    const { answer, log } = await answerTo(new BlobStoreUnavailableError('away', { fault, cause }));
    expect([answer.statusCode, answer.json()]).toEqual([503, { error: message, message, code: 'store-unavailable' }]);
    expect(log).toContain(cause.message);
  });

  it.each<[string, Error, ErrorCode]>([
    ['database', new DatabaseUnavailableError({ cause: new Error('disk I/O error') }), 'database-unavailable'],
    ['identity provider', new IdentityUnavailableError({ cause: new Error('ECONNREFUSED') }), 'identity-unavailable'],
  ])('says when to ask again while the %s is away, and why only in the log', async (_name, error, code) => {
    const { answer, log } = await answerTo(error);
    expect([answer.statusCode, answer.headers['retry-after'], answer.json().code]).toEqual([503, '5', code]);
    expect(answer.body).not.toContain((error.cause as Error).message);
    expect(log).toContain((error.cause as Error).message);
  });

  it.each([new Error('secret detail'), new TypeError('secret detail'), 'secret detail', { statusCode: 200 }, null])(
    'reveals nothing about %s',
    async (error) => {
      const { answer } = await answerTo(error);
      expect(answer.statusCode).toBe(500);
      expect(answer.json()).toEqual({
        error: 'Something went wrong on the server. Please try again.',
        message: 'Something went wrong on the server. Please try again.',
        code: 'internal-error',
      });
    },
  );

  it('lists every field of an invalid body and starts with the first', async () => {
    const app = Fastify();
    answerErrors(app);
    app.setValidatorCompiler(validatorCompiler);
    const body = z.object({
      name: z.string('Name is required'),
      file: z.object({ offset: z.string('Offset is required') }),
    });
    app.post('/', { schema: { body } }, async () => 'stored');
    const answer = await app.inject({ method: 'POST', url: '/', payload: { file: {} } });
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      {
        error: 'Name is required',
        message: 'Name is required',
        code: 'invalid-request',
        issues: [
          { path: 'name', message: 'Name is required' },
          { path: 'file.offset', message: 'Offset is required' },
        ],
      },
    ]);
  });
});

describe('calls to unknown addresses', () => {
  it.each(['/api', '/api/', '/api/nowhere', '/api/feedback/nowhere'])(
    'get 404 in JSON from %s, even for a browser',
    async (url) => {
      await using test = await buildTestApp();
      const answer = await test.app.inject({ url, headers: { accept: 'text/html', host: 'localhost:4173' } });
      expect(answer.statusCode).toBe(404);
      expect(ErrorAnswer.parse(answer.json())).toEqual({
        error: 'There is nothing at this address.',
        message: 'There is nothing at this address.',
        code: 'not-found',
      });
    },
  );

  it('get 404 with an id of any length', async () => {
    await using test = await buildTestApp();
    for (const length of [101, 4_000]) {
      const answer = await test.app.inject(`/api/firmware/shared/version/${'a'.repeat(length)}`);
      expect([answer.statusCode, answer.json().code]).toEqual([404, 'not-found']);
      expect(answer.headers['access-control-allow-origin']).toBe('*');
    }
  });

  it('get 400 with our error if the address cannot be decoded', async () => {
    await using test = await buildTestApp();
    const answer = await test.app.inject('/api/%zz');
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'invalid-request']);
    expect(answer.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cache-control': 'no-store',
    });
  });
});
