/** A thousand guests, a guest that reads nothing, and many guests that wait for admission. */
import { livePaths, liveProtocols } from '@wirebench/contract';
import { closeCodes, everyone, leftReasons } from '@wirebench/contract/live';
import { describe, expect, it } from 'vitest';
import { requestHead, startRawConnection } from '../../testing/hostile-target.ts';
import { type LiveClient, newLiveRoom, openGuest, openHost, tryLive } from '../../testing/live-client.ts';
import { startLiveServer } from '../../testing/live-server.ts';

describe('a crowd in a shared bench', () => {
  it('gets every byte in order with a thousand guests, and the next guest is refused', async () => {
    await using server = await startLiveServer({ LIMIT_LIVE_CONNECTIONS: '2000', LIMIT_LIVE_GUESTS: '1000' });
    const room = await newLiveRoom(server.address, await server.test.bearer());
    const host = await openHost(server.address, room);
    const guests: LiveClient[] = [];
    for (let count = 0; count < 1_000; count++) {
      guests.push(await openGuest(server.address, room, host));
    }
    expect(await tryLive(server.address, room.id)).toMatchObject({ code: closeCodes.tooMany });
    const lines = Array.from({ length: 20 }, (_, number) => `line ${number}`);
    for (const line of lines) {
      host.send('data', everyone, line);
    }
    for (const guest of guests) {
      const received: string[] = [];
      for (const _ of lines) {
        received.push((await guest.next('data')).text);
      }
      expect(received).toEqual(lines);
    }
  }, 120_000);

  it('loses only the guest that reads nothing, and no other guest waits', async () => {
    await using server = await startLiveServer();
    const room = await newLiveRoom(server.address, await server.test.bearer());
    const host = await openHost(server.address, room);
    const reader = await openGuest(server.address, room, host);
    const raw = await startRawConnection(server.port);
    raw.socket.write(
      requestHead(
        livePaths.socket(room.id),
        {
          host: `localhost:${server.port}`,
          connection: 'Upgrade',
          upgrade: 'websocket',
          'sec-websocket-version': '13',
          'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
          'sec-websocket-protocol': liveProtocols(null).join(', '),
        },
        'GET',
      ),
    );
    let slow = (await host.next('joined')).guest;
    while (slow === reader.welcome.you) {
      slow = (await host.next('joined')).guest;
    }
    raw.socket.pause();
    host.send('admit', slow);
    const piece = new Uint8Array(32_768);
    let left: Awaited<ReturnType<LiveClient['next']>> | null = null;
    void host.next('left').then((message) => {
      left = message;
    });
    // The system's buffer per connection varies. The relay's limit applies after it.
    let sent = 0;
    for (; left === null && sent < 4_000; sent++) {
      host.send('data', everyone, piece);
      await reader.next('data');
      // Refills the host's budget, because the clock otherwise stands still.
      await server.test.clock.advance(100);
    }
    expect(left).toMatchObject({ guest: slow, bytes: Uint8Array.of(leftReasons.tooSlow) });
    expect(reader.socket.readyState).toBe(WebSocket.OPEN);
    raw.socket.destroy();
  }, 60_000);

  it('is limited while it waits for admission, and does not slow the guests', async () => {
    await using server = await startLiveServer({ RATE_LIMIT_READS: '100' });
    const room = await newLiveRoom(server.address, await server.test.bearer());
    const host = await openHost(server.address, room);
    const guest = await openGuest(server.address, room, host);
    const crowd = await Promise.all(Array.from({ length: 200 }, () => tryLive(server.address, room.id)));
    const refused = crowd.filter((client) => 'code' in client && client.code === closeCodes.tooMany);
    expect(refused.length).toBe(102);
    host.send('data', everyone, 'all the same');
    expect((await guest.next('data')).text).toBe('all the same');
    // The host admits none of them.
    await server.pass(15_000);
    expect(crowd.every((client) => 'code' in client || client.socket.readyState !== WebSocket.OPEN)).toBe(true);
    expect(guest.socket.readyState).toBe(WebSocket.OPEN);
  }, 60_000);
});
