/** More work than the event loop can do in time: a part of it is refused at once, and operators can see that. */
import { setImmediate, setTimeout } from 'node:timers/promises';
import { apiPaths, ErrorAnswer } from '@wirebench/contract';
import { isLong } from '@wirebench/test-input';
import { describe, expect, it } from 'vitest';
import { ask, startHostileTarget } from '../../testing/hostile-target.ts';

/** Milliseconds that count as late. Half of it is more than other programs of a busy machine delay the event loop. */
const DELAY = 80;

/** Blocks the event loop for so many milliseconds. */
function block(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end) {
    // Busy wait.
  }
}

/** Milliseconds between two blocks, in which a request can make several steps. A sample comes every 100 ms. */
const PAUSE = 20;

/** Blocks the event loop repeatedly. */
function overload(): Disposable {
  let isOver = false;
  const blockOn = async () => {
    while (!isOver) {
      block(3 * DELAY);
      // A timer set in the turn of the block would count the block as its pause.
      await setImmediate();
      await setTimeout(PAUSE);
    }
  };
  void blockOn();
  return {
    [Symbol.dispose]: () => {
      isOver = true;
    },
  };
}

describe('an event loop that is late all the time', () => {
  it('turns requests away before they are work, answers operators, and recovers by itself', async () => {
    await using target = await startHostileTarget({
      OVERLOAD_DELAY: String(DELAY),
      LOG_LEVEL: 'warn',
      APP_ORIGINS: 'https://app.example.org',
    });
    const { server } = target;
    const get = (path: string) => ask(`${server.address}${path}`);
    {
      using _busy = overload();
      await expect.poll(async () => (await get(apiPaths.config)).status, { interval: 1, timeout: 20_000 }).toBe(503);
      // Together, because each turn of the blocked loop takes its time.
      const [ready, health, metrics] = await Promise.all([
        get(apiPaths.ready),
        get(apiPaths.health),
        get(apiPaths.metrics),
      ]);
      expect([ready.status, ErrorAnswer.parse(JSON.parse(ready.body)).code]).toEqual([503, 'overloaded']);
      expect(health.status).toBe(200);
      expect(metrics.body).toMatch(/\nwirebench_load_shed_share (0\.\d+|1)\n/);

      // All of them in time: a page, an upload, a call that would be refused, one from another origin.
      await expect
        .poll(async () => (await get(apiPaths.metrics)).body, { timeout: 20_000 })
        .toContain('wirebench_load_shed_share 1\n');
      const [page, post, shared, app] = await Promise.all([
        get('/'),
        ask(
          `${server.address}${apiPaths.feedback}`,
          { method: 'POST', headers: { 'content-type': 'application/json' } },
          '{}',
        ),
        get('/api/firmware/shared/project/ottltAqAKuQpVJjwwSQxWw'),
        ask(`${server.address}${apiPaths.feedback}`, { headers: { origin: 'https://app.example.org' } }),
      ]);
      for (const answer of [page, post, shared, app]) {
        expect([answer.status, answer.headers['retry-after']]).toEqual([503, '2']);
        expect(ErrorAnswer.parse(JSON.parse(answer.body)).code).toBe('overloaded');
      }
      expect(shared.headers['access-control-allow-origin']).toBe('*');
      expect(post.headers['access-control-allow-origin']).toBeUndefined();
      expect(app.headers['access-control-allow-origin']).toBe('https://app.example.org');
      expect([app.headers.vary, post.headers.vary]).toEqual(['origin', 'origin']);
    }
    await expect.poll(async () => (await get(apiPaths.ready)).status, { timeout: 25_000 }).toBe(200);
    expect((await get(apiPaths.config)).status).toBe(200);
    const said = server.log.map((line) => JSON.parse(line).msg).filter((text) => /overloaded/.test(text));
    expect(said).toEqual([
      'the server is overloaded and refuses a share of the requests',
      'the server is no longer overloaded',
    ]);
  }, 60_000);
});

describe('an event loop that was late once', () => {
  it('turns nothing away, however long it took', async () => {
    await using target = await startHostileTarget({ OVERLOAD_DELAY: '200' });
    block(isLong ? 2_000 : 600);
    for (let number = 0; number < 5; number++) {
      expect((await ask(`${target.server.address}${apiPaths.config}`)).status).toBe(200);
    }
    expect((await ask(`${target.server.address}${apiPaths.ready}`)).status).toBe(200);
  });
});
