/** A shared bench whose host and guests are connected to different servers. */
import { livePaths } from '@wirebench/contract';
import { closeCodes, everyone, leftReasons } from '@wirebench/contract/live';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newLiveRoom, openGuest, openHost, openLive, tryLive } from './testing/live-client.ts';
import { type LivePair, startLivePair } from './testing/live-pair.ts';
import { findRedis } from './testing/redis.ts';
import { startTestServer } from './testing/test-server.ts';
import { startTokenIssuer } from './testing/token-issuer.ts';

const hasRedis = findRedis() !== null;
if (!hasRedis) {
  console.warn('No Redis here: the suite of several processes that share benches is skipped. Install redis-server.');
}

describe.skipIf(!hasRedis)('two servers that share a Redis', () => {
  let pair: LivePair;
  let one = '';
  let other = '';

  beforeAll(async () => {
    pair = await startLivePair({ LIMIT_LIVE_ROOMS: '2', LIMIT_LIVE_GUESTS: '3' });
    [one, other] = [pair.servers[0].address, pair.servers[1].address];
  }, 60_000);

  afterAll(() => pair?.[Symbol.asyncDispose]());

  it('bring a host and its guests together, wherever each of them is', async () => {
    const room = await pair.newRoom();
    const host = await openHost(one, room);
    const near = await openGuest(one, room, host);
    const far = await openGuest(other, room, host);
    expect(far.welcome.you).not.toBe(near.welcome.you);
    far.send('data', 0, 'from afar');
    expect(await host.next('data')).toMatchObject({ guest: far.welcome.you, text: 'from afar' });
    host.send('data', everyone, 'for all');
    expect([(await near.next('data')).text, (await far.next('data')).text]).toEqual(['for all', 'for all']);
    far.socket.close(1000);
    expect(await host.next('left')).toMatchObject({ guest: far.welcome.you, bytes: Uint8Array.of(leftReasons.closed) });
  });

  it('keep the order of what passes between them', async () => {
    const room = await pair.newRoom();
    const host = await openHost(one, room);
    const far = await openGuest(other, room, host);
    const sent = Array.from({ length: 500 }, (_, number) => `line ${number}`);
    for (const line of sent) {
      host.send('data', everyone, line);
      far.send('data', 0, line);
    }
    const received: string[] = [];
    const returned: string[] = [];
    for (const _ of sent) {
      received.push((await far.next('data')).text);
      returned.push((await host.next('data')).text);
    }
    expect(received).toEqual(sent);
    expect(returned).toEqual(sent);
  });

  it('expel a guest of the other one at once: nothing of it or for it passes any more', async () => {
    const room = await pair.newRoom();
    const host = await openHost(one, room);
    const far = await openGuest(other, room, host);
    const { you } = far.welcome;
    host.send('expel', you, 'Enough.');
    host.send('data', you, 'after the end');
    host.send('data', everyone, 'after the end');
    far.send('data', 0, 'after the end');
    expect(await far.closed).toEqual({ code: closeCodes.expelled, reason: 'Enough.' });
    expect(await host.next('left')).toMatchObject({ guest: you, bytes: Uint8Array.of(leftReasons.expelled) });
    // Messages of a later guest arrive after everything that the first guest could have sent.
    const later = await openGuest(other, room, host);
    later.send('data', 0, 'later');
    let last = '';
    while (last !== 'later') {
      last = (await host.next('data')).text;
    }
    // Messages in flight before the end may arrive. None may follow the server's `left`.
    const left = host.arrived.findIndex(({ kind, guest }) => kind === 'left' && guest === you);
    const after = host.arrived.slice(left).filter(({ kind, guest }) => kind === 'data' && guest === you);
    expect(after).toEqual([]);
    expect(far.arrived.filter(({ text }) => text === 'after the end')).toEqual([]);
  });

  it('let a guest come back at the other one, and a host', async () => {
    const room = await pair.newRoom();
    const host = await openHost(one, room);
    const guest = await openGuest(one, room, host);
    const moved = await openLive(other, room.id, { resume: guest.welcome.resume });
    expect(moved.welcome.you).toBe(guest.welcome.you);
    expect((await guest.closed).code).toBe(closeCodes.replaced);
    expect((await host.next('joined')).guest).toBe(guest.welcome.you);
    host.send('admit', moved.welcome.you);
    host.send('data', everyone, 'hello again');
    expect((await moved.next('data')).text).toBe('hello again');

    const movedHost = await openHost(other, room);
    expect((await host.closed).code).toBe(closeCodes.replaced);
    expect((await movedHost.next('joined')).guest).toBe(guest.welcome.you);
    moved.send('data', 0, 'to the new one');
    expect((await movedHost.next('data')).text).toBe('to the new one');
    expect(moved.socket.readyState).toBe(WebSocket.OPEN);
  });

  it('hold limits together: rooms of a user, guests of a room', async () => {
    const headers = await pair.bearer('greedy');
    const rooms = await Promise.all([newLiveRoom(one, headers), newLiveRoom(other, headers)]);
    const third = await fetch(`${other}${livePaths.rooms}`, { method: 'POST', headers });
    expect([third.status, await third.json()]).toEqual([422, expect.objectContaining({ code: 'live-room-limit' })]);
    const [room] = rooms;
    const host = await openHost(one, room);
    for (const address of [one, other, one]) {
      await openGuest(address, room, host);
    }
    expect(await tryLive(other, room.id)).toMatchObject({ code: closeCodes.tooMany });
  });

  it('end a room everywhere when one of them is asked to', async () => {
    const headers = await pair.bearer('ender');
    const room = await newLiveRoom(one, headers);
    const host = await openHost(one, room);
    const far = await openGuest(other, room, host);
    const answer = await fetch(`${other}${livePaths.room(room.id)}`, { method: 'DELETE', headers });
    expect(answer.status).toBe(204);
    expect([(await host.closed).code, (await far.closed).code]).toEqual([closeCodes.ended, closeCodes.ended]);
    expect((await fetch(`${one}${livePaths.room(room.id)}`)).status).toBe(404);
    for (const address of [one, other]) {
      expect(await tryLive(address, room.id)).toMatchObject({ code: closeCodes.noSuchRoom });
    }
  });

  it('keep nothing in Redis that lets anybody in, and nothing of what passes', async () => {
    const room = await pair.newRoom();
    const host = await openHost(one, room);
    const far = await openGuest(other, room, host);
    host.send('data', far.welcome.you, 'a secret');
    await far.next('data');
    const keys = (await pair.redis.keys()).join('\n');
    expect(keys).toContain('wirebench:live:');
    for (const secret of [room.id, room.hostToken, far.welcome.resume, 'a secret', 'host-']) {
      expect(keys).not.toContain(secret);
    }
  });

  it('go on without Redis as far as each of them can, say so, and find together again', async () => {
    const room = await pair.newRoom();
    const host = await openHost(one, room);
    const near = await openGuest(one, room, host);
    const far = await openGuest(other, room, host);
    await pair.redis.kill();
    expect((await far.closed).code).toBe(closeCodes.restart);
    expect(await host.next('left')).toMatchObject({ guest: far.welcome.you, bytes: Uint8Array.of(leftReasons.lost) });
    host.send('data', everyone, 'still here');
    expect((await near.next('data')).text).toBe('still here');
    await pair.untilReady(false);
    const ready = await fetch(`${one}/api/ready`);
    expect([ready.status, await ready.json()]).toEqual([503, expect.objectContaining({ code: 'live-unavailable' })]);
    expect((await fetch(`${one}/api/health`)).status).toBe(200);
    const search = await fetch(`${one}/api/jkits/search?q=AT`, { headers: await pair.bearer('searcher') });
    expect(search.status).toBe(200);
    expect(await tryLive(one, room.id)).toMatchObject({ code: closeCodes.restart });

    // Redis is empty, as after a power cut: the host's process writes its room back.
    await pair.redis.start();
    await pair.untilReady(true);
    const again = await openLive(other, room.id);
    expect((await host.next('joined')).guest).not.toBe(near.welcome.you);
    host.send('admit', again.welcome.you);
    host.send('data', everyone, 'together again');
    expect((await again.next('data')).text).toBe('together again');
  }, 60_000);

  it('take a Redis that hangs for one that is away', async () => {
    const room = await pair.newRoom();
    const host = await openHost(one, room);
    const far = await openGuest(other, room, host);
    pair.redis.hang();
    expect((await far.closed).code).toBe(closeCodes.restart);
    await pair.untilReady(false);
    pair.redis.wake();
    await pair.untilReady(true);
    const again = await openLive(other, room.id);
    expect((await host.next('joined')).guest).toBe(again.welcome.you);
  }, 60_000);

  it('say so to the guests when the process of the host is gone, and wait for the host', async () => {
    // The last test of this pair.
    const room = await pair.newRoom();
    const host = await openHost(one, room);
    const far = await openGuest(other, room, host);
    await pair.servers[0].kill();
    await far.next('gone');
    const again = await openHost(other, room);
    await far.next('back');
    expect((await again.next('joined')).guest).toBe(far.welcome.you);
  }, 60_000);
});

describe('two servers without a Redis', () => {
  it('say that the room may be at another server', async () => {
    await using issuer = await startTokenIssuer();
    await using one = await startTestServer({ ...issuer.environment });
    await using other = await startTestServer({ ...issuer.environment });
    const token = await issuer.sign({
      iss: issuer.issuer,
      sub: 'somebody',
      azp: 'wirebench-web',
      exp: Math.floor(Date.now() / 1_000) + 300,
    });
    const room = await newLiveRoom(one.address, { authorization: `Bearer ${token}` });
    const answer = await fetch(`${other.address}${livePaths.room(room.id)}`);
    expect([answer.status, await answer.json()]).toEqual([404, expect.objectContaining({ code: 'live-not-here' })]);
    expect(await tryLive(other.address, room.id, { host: room.hostToken })).toMatchObject({
      code: closeCodes.noSuchRoom,
    });
  });
});
