import { livePaths } from '@wirebench/contract';
import { closeCodes, decodeGone, everyone, leftReasons } from '@wirebench/contract/live';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LiveRoom, newLiveRoom, openGuest, openHost, openLive, tryLive } from '../../testing/live-client.ts';
import { type LiveServer, startLiveServer } from '../../testing/live-server.ts';

let server: LiveServer;
let users = 0;

beforeAll(async () => {
  server = await startLiveServer({ RATE_LIMIT_WRITES: '0' });
});

afterAll(() => server[Symbol.asyncDispose]());

async function newRoom(): Promise<LiveRoom> {
  const name = `host-${++users}`;
  return newLiveRoom(server.address, await server.test.bearer({ sub: name, preferred_username: name }));
}

async function statusOf({ id }: LiveRoom): Promise<number> {
  return (await fetch(`${server.address}${livePaths.room(id)}`)).status;
}

describe('the relay of a shared bench', () => {
  it('passes on what host and guest send each other, with the number of the guest', async () => {
    const room = await newRoom();
    const host = await openHost(server.address, room);
    const guest = await openGuest(server.address, room, host);
    guest.send('data', 0, 'from the guest');
    expect(await host.next('data')).toMatchObject({ guest: guest.welcome.you, text: 'from the guest' });
    host.send('data', guest.welcome.you, 'to the guest');
    expect(await guest.next('data')).toMatchObject({ text: 'to the guest' });
    expect(host.welcome).toMatchObject({ protocol: 1, you: 0 });
  });

  it('sends broadcasts to every admitted guest and to no other', async () => {
    const room = await newRoom();
    const host = await openHost(server.address, room);
    const one = await openGuest(server.address, room, host);
    const other = await openGuest(server.address, room, host);
    const stranger = await openLive(server.address, room.id);
    host.send('data', everyone, 'for all');
    expect((await one.next('data')).text).toBe('for all');
    expect((await other.next('data')).text).toBe('for all');
    host.send('data', stranger.welcome.you, 'prove it');
    expect((await stranger.next('data')).text).toBe('prove it');
  });

  it('tells the host which guest came or left, and the reason', async () => {
    const room = await newRoom();
    const host = await openHost(server.address, room);
    const guest = await openGuest(server.address, room, host);
    guest.socket.close(1000);
    expect(await host.next('left')).toMatchObject({
      guest: guest.welcome.you,
      bytes: Uint8Array.of(leftReasons.closed),
    });
  });

  it('gives a guest that comes back its number', async () => {
    const room = await newRoom();
    const host = await openHost(server.address, room);
    const guest = await openGuest(server.address, room, host);
    guest.socket.close();
    await host.next('left');
    const again = await openLive(server.address, room.id, { resume: guest.welcome.resume });
    expect(again.welcome.you).toBe(guest.welcome.you);
    expect((await host.next('joined')).guest).toBe(guest.welcome.you);
    await server.pass(9_000);
    const twice = await openLive(server.address, room.id, { resume: guest.welcome.resume });
    expect(twice.welcome.you).toBe(guest.welcome.you);
    // The first connection belongs to the same guest and is replaced.
    expect((await again.closed).code).toBe(closeCodes.replaced);
  });

  it('gives a new number to a guest with an expired or invalid resume token', async () => {
    const room = await newRoom();
    const host = await openHost(server.address, room);
    const guest = await openGuest(server.address, room, host);
    guest.socket.close();
    await host.next('left');
    const resume = `${guest.welcome.resume.slice(0, -1)}${guest.welcome.resume.endsWith('A') ? 'B' : 'A'}`;
    expect((await openLive(server.address, room.id, { resume })).welcome.you).not.toBe(guest.welcome.you);
    await server.pass(61_000);
    const late = await openLive(server.address, room.id, { resume: guest.welcome.resume });
    expect(late.welcome.you).not.toBe(guest.welcome.you);
  });

  it('tells an expelled guest why, and lets nothing of it through any more', async () => {
    const room = await newRoom();
    const host = await openHost(server.address, room);
    const guest = await openGuest(server.address, room, host);
    host.send('expel', guest.welcome.you, 'Thank you, that is all.');
    guest.send('data', 0, 'too late');
    expect(await guest.closed).toEqual({ code: closeCodes.expelled, reason: 'Thank you, that is all.' });
    expect(await host.next('left')).toMatchObject({ bytes: Uint8Array.of(leftReasons.expelled) });
    expect(host.arrived.filter(({ kind }) => kind === 'data')).toEqual([]);
    const again = await openLive(server.address, room.id, { resume: guest.welcome.resume });
    expect(again.welcome.you).not.toBe(guest.welcome.you);
  });

  it('disconnects a guest that is not admitted within ten seconds', async () => {
    const room = await newRoom();
    await openHost(server.address, room);
    const stranger = await openLive(server.address, room.id);
    await server.pass(10_000);
    expect((await stranger.closed).code).toBe(closeCodes.notAdmitted);
  });

  it('keeps guests while the host is away, and tells them that it is back', async () => {
    const room = await newRoom();
    const host = await openHost(server.address, room);
    const guest = await openGuest(server.address, room, host);
    host.socket.close();
    expect(decodeGone((await guest.next('gone')).bytes)).toBe(60_000);
    await server.pass(50_000);
    const waiting = await openLive(server.address, room.id);
    expect(decodeGone((await waiting.next('gone')).bytes)).toBe(10_000);
    const again = await openHost(server.address, room);
    expect(new Set([(await again.next('joined')).guest, (await again.next('joined')).guest])).toEqual(
      new Set([guest.welcome.you, waiting.welcome.you]),
    );
    await guest.next('back');
    await waiting.next('back');
    guest.send('data', 0, 'still here');
    expect((await again.next('data')).text).toBe('still here');
  });

  it('ends a room whose host does not come back in a minute', async () => {
    const room = await newRoom();
    const host = await openHost(server.address, room);
    const guest = await openGuest(server.address, room, host);
    host.socket.close();
    await guest.next('gone');
    await server.pass(60_000);
    expect((await guest.closed).code).toBe(closeCodes.ended);
    expect(await statusOf(room)).toBe(404);
    expect(await tryLive(server.address, room.id, { host: room.hostToken })).toMatchObject({
      code: closeCodes.noSuchRoom,
    });
  });

  it('ends a room whose host never comes', async () => {
    const room = await newRoom();
    expect(await statusOf(room)).toBe(200);
    await server.pass(60_000);
    expect(await statusOf(room)).toBe(404);
  });

  it('ends a room that its host ends, and says so to the guests', async () => {
    const room = await newRoom();
    const host = await openHost(server.address, room);
    const guest = await openGuest(server.address, room, host);
    host.send('end', 0);
    await guest.next('end');
    expect((await guest.closed).code).toBe(closeCodes.ended);
    expect((await host.closed).code).toBe(closeCodes.ended);
    expect(await statusOf(room)).toBe(404);
  });

  it('ends a room half an hour after its last guest went', async () => {
    const room = await newRoom();
    const host = await openHost(server.address, room);
    const guest = await openGuest(server.address, room, host);
    guest.socket.close();
    await host.next('left');
    await server.pass(1_700_000);
    // The time starts again with the last guest.
    (await openGuest(server.address, room, host)).socket.close();
    await host.next('left');
    await server.pass(1_790_000);
    expect(host.socket.readyState).toBe(WebSocket.OPEN);
    await server.pass(20_000);
    expect((await host.closed).code).toBe(closeCodes.ended);
  });

  it('ends every room after eight hours', async () => {
    const room = await newRoom();
    const host = await openHost(server.address, room);
    await server.pass(8 * 3_600_000 - 5_000);
    expect(host.socket.readyState).toBe(WebSocket.OPEN);
    await server.pass(5_000);
    expect((await host.closed).code).toBe(closeCodes.ended);
  }, 120_000);

  it('makes the newest connection of a host the host', async () => {
    const room = await newRoom();
    const host = await openHost(server.address, room);
    const guest = await openGuest(server.address, room, host);
    const again = await openHost(server.address, room);
    expect((await host.closed).code).toBe(closeCodes.replaced);
    expect((await again.next('joined')).guest).toBe(guest.welcome.you);
    guest.send('data', 0, 'to the new one');
    expect((await again.next('data')).text).toBe('to the new one');
    expect(guest.arrived.some(({ kind }) => kind === 'gone')).toBe(false);
  });

  it('closes every connection with code 1012 when the server stops', async () => {
    await using other = await startLiveServer();
    const room = await newLiveRoom(other.address, await other.test.bearer());
    const host = await openHost(other.address, room);
    const guest = await openGuest(other.address, room, host);
    await other.test.app.closeLiveConnections();
    expect([(await host.closed).code, (await guest.closed).code]).toEqual([1012, 1012]);
  });
});
