import { VirtualClock } from '@wirebench/clock';
import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { IdentityUnavailableError } from '../identity/token-verifier.ts';
import { BlobStoreUnavailableError } from '../storage/blobs/blob-store.ts';
import { DatabaseUnavailableError } from '../storage/database/database-failure.ts';
import { SharedStoreUnavailableError } from '../storage/shared-store.ts';
import { answerErrors } from './errors.ts';

function start() {
  const log: string[] = [];
  const clock = new VirtualClock(0);
  const app = Fastify({ logger: { stream: { write: (line: string) => log.push(line) }, level: 'error' } });
  answerErrors(app, { clock });
  let error: unknown;
  app.get('/', () => Promise.reject(error));
  const lines = () => log.map((line) => JSON.parse(line) as Record<string, unknown>);
  return {
    clock,
    lines,
    async fail(times: number, with_: unknown) {
      error = with_;
      for (let call = 0; call < times; call++) {
        await app.inject('/');
      }
    },
  };
}

const refused = new Error('connect ECONNREFUSED 10.0.0.1:5432');

describe('the log of an outage', () => {
  it.each([
    ['database', new DatabaseUnavailableError({ cause: refused })],
    ['file store', new BlobStoreUnavailableError('away', { cause: refused })],
    ['Redis', new SharedStoreUnavailableError({ cause: refused })],
    ['identity provider', new IdentityUnavailableError({ cause: refused })],
  ])('has one short line a second while the %s is away, without a stack', async (_what, error) => {
    const { clock, lines, fail } = start();
    await fail(100, error);
    expect(lines()).toMatchObject([{ reason: refused.message, calls: 1 }]);
    await clock.advance(1_000);
    expect(lines().map(({ calls }) => calls)).toEqual([1, 99]);
    await fail(50, error);
    await clock.advance(1_000);
    expect(lines().map(({ calls }) => calls)).toEqual([1, 99, 50]);
    for (const line of lines()) {
      expect(JSON.stringify(line)).not.toContain('stack');
      expect(JSON.stringify(line).length).toBeLessThan(400);
    }
  });

  it('distinguishes causes, and begins at once again after a second without any', async () => {
    const { clock, lines, fail } = start();
    await fail(3, new DatabaseUnavailableError({ cause: refused }));
    await fail(3, new DatabaseUnavailableError({ cause: new Error('too many clients') }));
    expect(lines().map(({ reason }) => reason)).toEqual([refused.message, 'too many clients']);
    await clock.advance(3_000);
    expect(lines()).toHaveLength(4);
    await fail(1, new DatabaseUnavailableError({ cause: refused }));
    expect(lines()).toHaveLength(5);
  });

  it('is bounded however many reasons there are and however long they are', async () => {
    const { lines, fail } = start();
    for (let port = 0; port < 500; port++) {
      await fail(1, new DatabaseUnavailableError({ cause: new Error(`${port} ${'x'.repeat(5_000)}`) }));
    }
    expect(lines().length).toBeLessThanOrEqual(21);
    expect(JSON.stringify(lines()).length).toBeLessThan(20_000);
  });

  it('leaves the stack to what is a fault', async () => {
    const { lines, fail } = start();
    await fail(2, new TypeError('wrong'));
    expect(lines()).toHaveLength(2);
    expect(JSON.stringify(lines()[0])).toContain('stack');
  });
});
