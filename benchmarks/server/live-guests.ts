/**
 * One shared bench with a thousand guests, each at 11.5 kB a second, the rate of a port at 115,200 baud. The host
 * sends a frame every 20 ms, like its page. The guests are plain sockets that count bytes, because a client library
 * would need more processor time than the server.
 */
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { livePaths, liveProtocols, NewLiveRoomAnswer } from '@wirebench/contract';
import { encodeLive, everyone } from '@wirebench/contract/live';
import type { Result } from '../serial/measure.ts';
import { orShortest } from '../shortest.ts';
import type { Place } from './places.ts';
import { startProduct } from './processes.ts';
import { signInAsMaker } from './releases.ts';

const GUESTS = orShortest(1_000, 10);
/** Bytes a second for each guest: 115,200 baud with ten bits for each byte. */
const RATE = 11_520;
/** Milliseconds between frames. */
const FRAME_INTERVAL = 20;
/** Target: one core. The memory must not grow. */
const CORES = 1;
const MEGABYTES = 32;

export async function measureLiveGuests(place: Place, milliseconds: number): Promise<readonly Result[]> {
  await using server = await startProduct(place.folder, {
    ...place.environment,
    LIMIT_LIVE_CONNECTIONS: String(GUESTS + 10),
  });
  const maker = await signInAsMaker(server.address);
  const answer = await fetch(`${server.address}${livePaths.rooms}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${maker.token}` },
  });
  const { room, hostToken } = NewLiveRoomAnswer.parse(await answer.json());
  const host = new WebSocket(
    `${server.address.replace(/^http/, 'ws')}${livePaths.socket(room.id)}`,
    liveProtocols({ host: hostToken }),
  );
  host.binaryType = 'arraybuffer';
  host.addEventListener('message', ({ data }) => {
    const bytes = new DataView(data);
    // Admits each guest that joins.
    if (bytes.getUint8(0) === 2) {
      host.send(encodeLive('admit', bytes.getUint32(1, true)));
    }
  });
  const received = new Array<number>(GUESTS).fill(0);
  const sockets: Socket[] = [];
  try {
    for (let guest = 0; guest < GUESTS; guest++) {
      sockets.push(
        await joinAsGuest(server.port, room.id, (bytes) => (received[guest] = (received[guest] ?? 0) + bytes)),
      );
    }
    await sleep(1_000);
    received.fill(0);
    const frame = encodeLive('data', everyone, new Uint8Array((RATE * FRAME_INTERVAL) / 1_000));
    await sendFor(host, frame, milliseconds / 2);
    const [memory, processor] = [server.residentBytes(), server.processorSeconds()];
    received.fill(0);
    const sent = await sendFor(host, frame, milliseconds * 2);
    // Waits until messages in flight have arrived.
    await sleep(500);
    const cores = difference(processor, server.processorSeconds(), (milliseconds * 2) / 1_000);
    const grown = difference(memory, server.residentBytes(), 1_000_000);
    const least = Math.min(...received) / sent;
    return [
      {
        what: `${GUESTS.toLocaleString('en')} guests at 11.5 kB/s, ${place.name}`,
        measured: `${cores?.toFixed(2) ?? '–'} cores, ${grown?.toFixed(1) ?? '–'} MB more memory, the slowest guest got ${(least * 100).toFixed(1)} %`,
        target: `≤ ${CORES} core, < ${MEGABYTES} MB, every byte`,
        reached: cores === null || grown === null ? null : cores <= CORES && grown < MEGABYTES && least >= 1,
      },
    ];
  } finally {
    host.close();
    for (const socket of sockets) {
      socket.destroy();
    }
  }
}

/**
 * Sends frames for some time.
 *
 * @returns Bytes of the sent messages on the wire.
 */
async function sendFor(host: WebSocket, frame: Uint8Array<ArrayBuffer>, milliseconds: number): Promise<number> {
  const start = performance.now();
  let frames = 0;
  for (let elapsed = 0; elapsed < milliseconds; elapsed = performance.now() - start) {
    // Sends all frames that are due, also those that a late timer missed.
    for (; frames * FRAME_INTERVAL <= elapsed; frames++) {
      host.send(frame);
    }
    await sleep(FRAME_INTERVAL);
  }
  /** Header bytes of a server's frame with at least 126 bytes (RFC 6455 section 5.2). */
  const header = 4;
  return frames * (frame.length + header);
}

/** Resolves when the relay has accepted the connection. */
function joinAsGuest(port: number, id: string, onBytes: (bytes: number) => void): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  const lines = [
    `GET ${livePaths.socket(id)} HTTP/1.1`,
    `host: localhost:${port}`,
    'connection: Upgrade',
    'upgrade: websocket',
    'sec-websocket-version: 13',
    'sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==',
    `sec-websocket-protocol: ${liveProtocols(null).join(', ')}`,
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once('data', (head) => {
      if (head.toString('latin1').startsWith('HTTP/1.1 101')) {
        socket.on('data', (chunk) => onBytes(chunk.length));
        resolve(socket);
      } else {
        reject(new Error(`Not taken: ${head.toString('latin1').split('\r\n', 1)[0]}`));
      }
    });
  });
}

function difference(before: number | undefined, after: number | undefined, unit: number): number | null {
  return before === undefined || after === undefined ? null : (after - before) / unit;
}
