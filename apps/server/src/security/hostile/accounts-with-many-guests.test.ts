/** Accounts whose guests would use all connections of a process, which has a hundred here. */
import type { Socket } from 'node:net';
import websocket from '@fastify/websocket';
import { VirtualClock } from '@wirebench/clock';
import { closeCodes } from '@wirebench/contract/live';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { hashOf } from '../../features/live/live-tokens.ts';
import { LiveTraffic } from '../../features/live/live-traffic.ts';
import { MemoryDirectory } from '../../features/live/memory-directory.ts';
import { Relay } from '../../features/live/relay.ts';
import { soloBus } from '../../features/live/room-bus.ts';

const limits = { rooms: 4, guests: 1_000, connections: 1_000, rate: 1_048_576, fanout: 67_108_864 };

let relay: Relay;
let directory: MemoryDirectory;
let server: FastifyInstance;
let address: string;
const clock = new VirtualClock(Date.UTC(2026, 10, 25));

beforeEach(async () => {
  directory = new MemoryDirectory(clock);
  relay = new Relay({
    clock,
    directory,
    bus: soloBus,
    process: 'this',
    limits,
    traffic: new LiveTraffic(),
    capacity: 100,
    onFailure: (error) => expect.fail(String(error)),
  });
  server = Fastify();
  await server.register(websocket);
  server.get('/:key/:token', { websocket: true }, (socket, request) => {
    const { key, token } = request.params as { key: string; token: string };
    const wire: Socket = request.raw.socket;
    const caller = token === 'guest' ? null : { host: token };
    void relay.connect({ socket, wire, key, caller, address: 'one address' });
  });
  address = (await server.listen({ port: 0, host: '127.0.0.1' })).replace('http', 'ws');
});

afterEach(async () => {
  await relay[Symbol.asyncDispose]();
  await server.close();
});

/** Connects. `code` is the code of the close; null if the connection is accepted. */
async function connect(path: string): Promise<{ socket: WebSocket; code: number | null; closed: Promise<number> }> {
  const socket = new WebSocket(`${address}/${path}`);
  const closed = new Promise<number>((resolve) => {
    socket.addEventListener('close', ({ code }) => resolve(code));
  });
  const welcomed = new Promise<null>((resolve) => {
    socket.addEventListener('message', () => resolve(null), { once: true });
  });
  return { socket, code: await Promise.race([welcomed, closed]), closed };
}

let rooms = 0;

async function openRoom(owner: string): Promise<string> {
  const key = `room-${++rooms}`;
  await directory.add({ key, owner, token: hashOf('token'), expiresAt: clock.now() + 3_600_000 }, limits.rooms);
  expect((await connect(`${key}/token`)).code).toBeNull();
  return key;
}

it('leave others their benches: each has a quarter of what is free', async () => {
  const welcomed: number[] = [];
  for (const owner of ['one', 'two', 'three']) {
    let guests = 0;
    for (let room = 0; room < limits.rooms; room++) {
      const key = await openRoom(owner);
      for (let count = 0; count < 12; count++) {
        const { code } = await connect(`${key}/guest`);
        expect([null, closeCodes.tooMany]).toContain(code);
        guests += code === null ? 1 : 0;
      }
    }
    welcomed.push(guests);
  }
  expect(welcomed[0]).toBeLessThanOrEqual(25);
  expect(welcomed[2]).toBeGreaterThanOrEqual(8);
  const late = await openRoom('late');
  expect((await connect(`${late}/guest`)).code).toBeNull();
});

it('have their places again when their guests have gone', async () => {
  const key = await openRoom('one');
  const fill = async () => {
    const guests: { readonly socket: WebSocket; readonly closed: Promise<number> }[] = [];
    for (;;) {
      const { socket, code, closed } = await connect(`${key}/guest`);
      if (code !== null) {
        return guests;
      }
      guests.push({ socket, closed });
    }
  };
  const first = await fill();
  await Promise.all(
    first.map(({ socket, closed }) => {
      socket.close(1000);
      return closed;
    }),
  );
  await expect.poll(async () => (await fill()).length).toBeGreaterThan(0);
});
