/** Clients that may not enter a room. */
import { randomBytes } from 'node:crypto';
import { livePaths } from '@wirebench/contract';
import { closeCodes, encodeLive, everyone, leftReasons } from '@wirebench/contract/live';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LiveRoom, newLiveRoom, openGuest, openHost, openLive, tryLive } from '../../testing/live-client.ts';
import { type LiveServer, startLiveServer } from '../../testing/live-server.ts';

let server: LiveServer;
let users = 0;

beforeAll(async () => {
  server = await startLiveServer({ RATE_LIMIT_WRITES: '0', RATE_LIMIT_READS: '50' });
});

afterAll(() => server[Symbol.asyncDispose]());

async function newRoom(of = server): Promise<LiveRoom> {
  const name = `host-${++users}`;
  return newLiveRoom(of.address, await of.test.bearer({ sub: name, preferred_username: name }));
}

describe('a stranger', () => {
  it('cannot be the host without its token', async () => {
    const room = await newRoom();
    const host = await openHost(server.address, room);
    const elsewhere = await newRoom();
    for (const token of [elsewhere.hostToken, '', room.id, `${room.hostToken}A`]) {
      expect(await tryLive(server.address, room.id, { host: token })).toMatchObject({ code: closeCodes.notAllowed });
    }
    expect(host.socket.readyState).toBe(WebSocket.OPEN);
  });

  it('reaches no guest in another room, whatever number it sends', async () => {
    const [room, other] = [await newRoom(), await newRoom()];
    const host = await openHost(server.address, room);
    const guest = await openGuest(server.address, room, host);
    const otherHost = await openHost(server.address, other);
    const spy = await openGuest(server.address, other, otherHost);
    const otherGuest = await openGuest(server.address, other, otherHost);
    for (const number of [otherGuest.welcome.you, everyone]) {
      const liar = await openGuest(server.address, other, otherHost);
      liar.socket.send(encodeLive('data', number, new Uint8Array(3)));
      expect((await liar.closed).code).toBe(1002);
    }
    otherHost.send('data', everyone, 'of the other room');
    expect((await spy.next('data')).text).toBe('of the other room');
    host.send('data', everyone, 'of this room');
    expect((await guest.next('data')).text).toBe('of this room');
    expect(spy.arrived.some(({ text }) => text === 'of this room')).toBe(false);
    expect(otherHost.arrived.some(({ kind }) => kind === 'data')).toBe(false);
  });

  it('cannot use the messages of a host', async () => {
    const room = await newRoom();
    const host = await openHost(server.address, room);
    const victim = await openGuest(server.address, room, host);
    for (const kind of ['admit', 'expel', 'end', 'joined', 'left', 'welcome', 'gone', 'back'] as const) {
      const guest = await openGuest(server.address, room, host);
      guest.send(kind, victim.welcome.you);
      expect([kind, (await guest.closed).code]).toEqual([kind, 1002]);
    }
    expect([host.socket.readyState, victim.socket.readyState]).toEqual([WebSocket.OPEN, WebSocket.OPEN]);
  });

  it('cannot flood the host before it is admitted', async () => {
    const room = await newRoom();
    const host = await openHost(server.address, room);
    const stranger = await openLive(server.address, room.id);
    stranger.send('data', 0, new Uint8Array(5_000));
    expect((await stranger.closed).code).toBe(closeCodes.notAllowed);
    expect((await host.next('left')).bytes).toEqual(Uint8Array.of(leftReasons.lost));
    expect(host.arrived.some(({ kind }) => kind === 'data')).toBe(false);
  });

  it('finds no room by guessing, and is soon stopped', async () => {
    await using guarded = await startLiveServer({ RATE_LIMIT_READS: '20' });
    const codes: number[] = [];
    for (let guess = 0; guess < 30; guess++) {
      const client = await tryLive(guarded.address, randomBytes(20).toString('base64url'));
      codes.push('code' in client ? client.code : 0);
    }
    expect(new Set(codes.slice(0, 20))).toEqual(new Set([closeCodes.noSuchRoom]));
    expect(new Set(codes.slice(20))).toEqual(new Set([closeCodes.tooMany]));
    expect((await fetch(`${guarded.address}${livePaths.room('x')}`)).status).toBe(429);
  });

  it('opens no more connections from one address than the limit', async () => {
    await using guarded = await startLiveServer({ LIMIT_LIVE_CONNECTIONS: '3' });
    const room = await newRoom(guarded);
    const host = await openHost(guarded.address, room);
    await openGuest(guarded.address, room, host);
    const last = await openGuest(guarded.address, room, host);
    expect(await tryLive(guarded.address, room.id)).toMatchObject({ code: closeCodes.tooMany });
    last.socket.close();
    await host.next('left');
    await openGuest(guarded.address, room, host);
  });

  it('finds nothing in a room that is deleted while it joins', async () => {
    await using busy = await startLiveServer({ RATE_LIMIT_WRITES: '0' });
    const headers = await busy.test.bearer();
    const room = await newLiveRoom(busy.address, headers);
    const host = await openHost(busy.address, room);
    const guest = await openGuest(busy.address, room, host);
    const joining = Array.from({ length: 20 }, () => tryLive(busy.address, room.id));
    await fetch(`${busy.address}${livePaths.room(room.id)}`, { method: 'DELETE', headers });
    const codes = await Promise.all(
      joining.map(async (joined) => {
        const client = await joined;
        return 'welcome' in client ? (await client.closed).code : client.code;
      }),
    );
    expect(codes.every((code) => code === closeCodes.ended || code === closeCodes.noSuchRoom)).toBe(true);
    expect([(await host.closed).code, (await guest.closed).code]).toEqual([closeCodes.ended, closeCodes.ended]);
  });
});
