/** WebSockets that send forbidden, too many or incomplete frames. */
import { livePaths, liveSubprotocol } from '@wirebench/contract';
import { closeCodes, leftReasons, liveMessageLimit } from '@wirebench/contract/live';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, requestHead, startRawConnection } from '../../testing/hostile-target.ts';
import { type LiveRoom, newLiveRoom, openGuest, openHost, tryLive } from '../../testing/live-client.ts';
import { type LiveServer, startLiveServer } from '../../testing/live-server.ts';

let server: LiveServer;
let room: LiveRoom;
let host: Awaited<ReturnType<typeof openHost>>;

beforeAll(async () => {
  server = await startLiveServer({ RATE_LIMIT_WRITES: '0' });
  room = await newLiveRoom(server.address, await server.test.bearer());
  host = await openHost(server.address, room);
});

afterAll(() => server[Symbol.asyncDispose]());

const upgrade = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
  'sec-websocket-protocol': liveSubprotocol,
};

const head = (headers: Readonly<Record<string, string>> = {}, id = room.id) =>
  requestHead(livePaths.socket(id), { host: `localhost:${server.port}`, ...upgrade, ...headers }, 'GET');

describe('a guest', () => {
  it('is disconnected for text, for an invalid envelope, and for more than 64 KiB', async () => {
    const sent: readonly (readonly [number, string | Uint8Array<ArrayBuffer>])[] = [
      [1003, 'text'],
      [1002, Uint8Array.of()],
      [1002, Uint8Array.of(1, 0, 0, 0)],
      [1002, Uint8Array.of(77, 0, 0, 0, 0)],
      [1009, new Uint8Array(liveMessageLimit + 1)],
    ];
    for (const [code, data] of sent) {
      const guest = await openGuest(server.address, room, host);
      guest.socket.send(data);
      expect([data.length, (await guest.closed).code]).toEqual([data.length, code]);
    }
    expect(host.socket.readyState).toBe(WebSocket.OPEN);
  });

  it('may send and receive the longest message', async () => {
    const guest = await openGuest(server.address, room, host);
    const longest = new Uint8Array(liveMessageLimit - 5).fill(7);
    guest.send('data', 0, longest);
    expect((await host.next('data')).bytes).toEqual(longest);
    host.send('data', guest.welcome.you, longest);
    expect((await guest.next('data')).bytes).toEqual(longest);
  });

  it('has to offer the current protocol', async () => {
    const socket = new WebSocket(`${server.address.replace('http', 'ws')}${livePaths.socket(room.id)}`);
    const closed = new Promise<number>((resolve) => socket.addEventListener('close', ({ code }) => resolve(code)));
    expect(await closed).toBe(closeCodes.notAllowed);
  });

  it('is disconnected when half a frame is pending and it answers no ping', async () => {
    const raw = await startRawConnection(server.port);
    raw.socket.write(head());
    await until(() => raw.received().includes('101 Switching Protocols'));
    const { guest: number } = await host.next('joined');
    host.send('admit', number);
    host.send('data', number, 'admitted');
    await until(() => raw.received().includes('admitted'));
    // The head of a masked frame of at least 126 bytes, without its payload.
    raw.socket.write(Buffer.of(0x82, 0xfe, 0x40, 0x00));
    await server.pass(45_000);
    await raw.closed;
    let left = await host.next('left');
    while (left.guest < number) {
      // Skips a guest of an earlier test.
      left = await host.next('left');
    }
    expect(left).toMatchObject({ guest: number, bytes: Uint8Array.of(leftReasons.idle) });
  });
});

describe('small frames', () => {
  /** Returns a masked frame of a client (RFC 6455 section 5.2) with an empty mask. */
  const frame = (first: number, payload: Uint8Array = Uint8Array.of()) =>
    Buffer.concat([Buffer.of(first, 0x80 | payload.length, 0, 0, 0, 0), payload]);

  async function admitted() {
    const raw = await startRawConnection(server.port);
    raw.socket.write(head());
    await until(() => raw.received().includes('101 Switching Protocols'));
    const { guest: number } = await host.next('joined');
    host.send('admit', number);
    host.send('data', number, 'admitted');
    await until(() => raw.received().includes('admitted'));
    return { ...raw, number };
  }

  it.each([
    [
      'a message of one byte in hundreds of fragments',
      [frame(0x02, Uint8Array.of(1)), ...Array(500).fill(frame(0x00))],
    ],
    ['an endless message of fragments of one byte', [frame(0x02), ...Array(500).fill(frame(0x00, Uint8Array.of(7)))]],
  ])('end their connection: %s', async (_what, frames) => {
    const { socket, closed } = await admitted();
    socket.write(Buffer.concat(frames));
    await closed;
    expect(host.socket.readyState).toBe(WebSocket.OPEN);
  });

  it('are slowed down as messages of one byte, pings and unsolicited pongs', async () => {
    for (const first of [0x82, 0x89, 0x8a]) {
      const payload = first === 0x82 ? Buffer.of(1, 0, 0, 0, 0, 9) : Buffer.of(9);
      const { socket, closed } = await admitted();
      const flood = Buffer.concat(Array(8_192).fill(frame(first, payload)));
      let sent = 0;
      const more = () => {
        while (socket.writable && sent < 200_000_000) {
          sent += flood.length;
          if (!socket.write(flood)) {
            return;
          }
        }
      };
      socket.on('drain', more);
      more();
      // The clock stands still: after the budget of one second, nothing more is read.
      for (let count = 0; count < 50; count++) {
        await fetch(`${server.address}/api/health`);
      }
      expect(socket.bytesWritten - socket.writableLength).toBeLessThan(30_000_000);
      socket.destroy();
      await closed;
    }
  });

  it('end the connection of a guest that sends pings and never reads the answers', async () => {
    const { socket, closed } = await admitted();
    socket.pause();
    const pings = Buffer.concat(Array(2_048).fill(frame(0x89, Buffer.alloc(125))));
    let isClosed = false;
    void closed.then(() => {
      isClosed = true;
    });
    // The system's buffer per connection varies. The relay's limit applies after it.
    for (let count = 0; !isClosed && count < 2_000; count++) {
      socket.write(pings);
      await server.test.clock.advance(1_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    socket.resume();
    await closed;
    expect(host.socket.readyState).toBe(WebSocket.OPEN);
  });
});

describe('an upgrade', () => {
  it('is refused from a page of another origin, and accepted from ours', async () => {
    for (const [origin, status] of [
      ['https://evil.example', '403'],
      ['null', '403'],
      [server.address, '101'],
    ] as const) {
      const raw = await startRawConnection(server.port);
      raw.socket.write(head({ origin }));
      await until(() => raw.received().includes('\r\n\r\n'));
      expect([origin, raw.received().split(' ')[1]]).toEqual([origin, status]);
      raw.socket.destroy();
    }
  });

  it('is refused with 400 and closed if its headers are invalid', async () => {
    for (const [headers, status] of [
      [{ 'sec-websocket-key': 'short' }, '400'],
      [{ 'sec-websocket-version': '7' }, '400'],
      [{ 'content-length': '5' }, '400'],
    ] as const) {
      const raw = await startRawConnection(server.port);
      raw.socket.write(head(headers));
      await raw.closed;
      expect([headers, raw.received().split(' ')[1]]).toEqual([headers, status]);
    }
  });

  it('is an ordinary request with another protocol or address', async () => {
    const path = livePaths.socket(room.id);
    const h2c = await ask(`${server.address}${path}`, { headers: { connection: 'Upgrade', upgrade: 'h2c' } });
    expect([h2c.status, JSON.parse(h2c.body).code]).toEqual([426, 'upgrade-required']);
    const elsewhere = await ask(`${server.address}/api/health`, { headers: upgrade });
    expect([elsewhere.status, elsewhere.body]).toEqual([200, '{"status":"ok"}']);
  });

  it('is refused with a close code for an invalid room', async () => {
    for (const id of ['..', 'x', '%00', 'a'.repeat(3_000)]) {
      expect(await tryLive(server.address, encodeURIComponent(id))).toMatchObject({
        code: id === '..' ? 1006 : closeCodes.noSuchRoom,
      });
    }
  });
});

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}
