/**
 * Shared benches that send far more than others can receive, at servers that share a Redis with other users' benches.
 */
import { setImmediate } from 'node:timers/promises';
import { everyone } from '@wirebench/contract/live';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LiveClient, newLiveRoom, openGuest, openHost } from '../../testing/live-client.ts';
import { type LivePair, startLivePair } from '../../testing/live-pair.ts';
import { startLiveServer } from '../../testing/live-server.ts';
import { findRedis, startRedis } from '../../testing/redis.ts';

const hasRedis = findRedis() !== null;
const PIECE = new Uint8Array(32_768);
/**
 * Milliseconds for which Redis may hang. Other servers count as gone after six seconds without a pulse, so a busy machine,
 * where guests send for long, must not make the test about an outage.
 */
const LONGEST_HANG = 1_000;

describe.skipIf(!hasRedis)('a noisy bench of servers that share a Redis', () => {
  let pair: LivePair;
  let one = '';
  let other = '';

  beforeAll(async () => {
    pair = await startLivePair({ LIMIT_LIVE_RATE: '100000', REDIS_TIMEOUT: '60000' });
    [one, other] = [pair.servers[0].address, pair.servers[1].address];
  }, 60_000);

  afterAll(() => pair?.[Symbol.asyncDispose]());

  /** Returns the number of messages that Redis was asked to publish. */
  async function published(): Promise<number> {
    const stats = (await pair.redis.command('INFO commandstats')).join('\n');
    return Number(/cmdstat_publish:calls=(\d+)/.exec(stats)?.[1] ?? 0);
  }

  it('sends nothing through Redis while all its guests are at the server of its host', async () => {
    const room = await pair.newRoom();
    const host = await openHost(one, room);
    const near = await openGuest(one, room, host);
    const before = await published();
    for (let count = 0; count < 500; count++) {
      host.send('data', everyone, `line ${count}`);
      near.send('data', 0, `answer ${count}`);
    }
    let last = '';
    while (last !== 'answer 499') {
      last = (await host.next('data')).text;
    }
    // Apart from the pulse that both processes send every two seconds.
    expect((await published()) - before).toBeLessThan(100);
  });

  it('reaches a guest at another server that was there when its host came back', async () => {
    const room = await pair.newRoom();
    const host = await openHost(one, room);
    const far = await openGuest(other, room, host);
    host.socket.close(1000);
    await far.next('gone');
    const again = await openHost(one, room);
    again.send('data', everyone, 'back again');
    expect((await far.next('data')).text).toBe('back again');
  });

  it('is slowed down while Redis takes nothing, and no bench loses its other server', async () => {
    const [noisy, quiet] = [await pair.newRoom(), await pair.newRoom()];
    const host = await openHost(one, noisy);
    const guests: LiveClient[] = [];
    while (guests.length < 8) {
      guests.push(await openGuest(other, noisy, host));
    }
    const quietHost = await openHost(one, quiet);
    const quietGuest = await openGuest(other, quiet, quietHost);
    pair.redis.hang();
    const wake = setTimeout(() => pair.redis.wake(), LONGEST_HANG);
    // Three times the bytes of all rooms that may wait.
    const each = 192;
    for (const guest of guests) {
      for (let count = 0; count < each; count++) {
        guest.send('data', 0, PIECE);
      }
      // Lets the timer run.
      await setImmediate();
    }
    // Lets the server read on as far as it does.
    for (let count = 0; count < 5; count++) {
      await fetch(`${other}/api/health`);
    }
    clearTimeout(wake);
    pair.redis.wake();
    quietHost.send('data', everyone, 'still here');
    expect((await quietGuest.next('data')).text).toBe('still here');
    await expect.poll(() => host.arrived.length).toBeGreaterThan(guests.length);
    expect([quietHost, quietGuest, ...guests].map(({ socket }) => socket.readyState)).toEqual(
      Array(2 + guests.length).fill(WebSocket.OPEN),
    );
  }, 120_000);
});

describe.skipIf(!hasRedis)('a host with guests at another server', () => {
  it('is slowed down to what that server may send to all of them, and not cut off', async () => {
    await using redis = await startRedis();
    const environment = { REDIS_URL: redis.url, LIMIT_LIVE_FANOUT: '16', RATE_LIMIT_WRITES: '0' };
    await using one = await startLiveServer(environment);
    await using other = await startLiveServer(environment);
    const room = await newLiveRoom(one.address, await one.test.bearer());
    const host = await openHost(one.address, room);
    const guests = [await openGuest(other.address, room, host), await openGuest(other.address, room, host)];
    const messages = 40;
    for (let count = 0; count < messages; count++) {
      host.send('data', everyone, new Uint8Array(8_192).fill(count));
    }
    const received = () => guests.map(({ arrived }) => arrived.filter(({ bytes }) => bytes.length === 8_192).length);
    await expect.poll(() => received()[0]).toBeGreaterThan(1);
    for (let count = 0; count < 50; count++) {
      await Promise.all([one, other].map(({ address }) => fetch(`${address}/api/health`)));
    }
    // The clock stands still: more than the budget of one second was sent, plus one read of the host's socket.
    expect(received()[0]).toBeLessThan(messages / 2);
    while ((received()[0] ?? 0) < messages) {
      // Advances both clocks, because each server expects the other one's pulse.
      await Promise.all([one, other].map(({ test }) => test.clock.advance(500)));
      await Promise.all([one, other].map(({ address }) => fetch(`${address}/api/health`)));
    }
    await expect.poll(received).toEqual([messages, messages]);
    expect(host.socket.readyState).toBe(WebSocket.OPEN);
  }, 60_000);
});
