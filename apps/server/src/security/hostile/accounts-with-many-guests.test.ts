/** Accounts whose guests would take all connections of a process, which has room for a hundred here. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { VirtualClock } from '@wirebench/clock';
import { closeCodes } from '@wirebench/contract/live';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { hashOf } from '../../features/live/live-tokens.ts';
import { LiveTraffic } from '../../features/live/live-traffic.ts';
import { MemoryDirectory } from '../../features/live/memory-directory.ts';
import { Relay } from '../../features/live/relay.ts';
import { soloBus } from '../../features/live/room-bus.ts';

const limits = { rooms: 4, guests: 1_000, connections: 1_000, rate: 1_048_576, fanout: 67_108_864 };

let relay: Relay;
let directory: MemoryDirectory;
let server: WebSocketServer;
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
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  server.on('connection', (socket, request) => {
    const [, key = '', token = ''] = (request.url ?? '').split('/');
    void relay.connect({
      socket,
      wire: request.socket,
      key,
      caller: token === '' ? null : { host: token },
      address: 'one address',
    });
  });
  await once(server, 'listening');
});

afterEach(async () => {
  await relay[Symbol.asyncDispose]();
  server.close();
});

/** Null when it is welcomed, else what it was closed with. */
async function connect(path: string): Promise<{ socket: WebSocket; code: number | null }> {
  const socket = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/${path}`);
  const closed = once(socket, 'close').then(([code]) => Number(code));
  const code = await Promise.race([once(socket, 'message').then(() => null), closed]);
  return { socket, code };
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
        const { code } = await connect(key);
        expect([null, closeCodes.tooMany]).toContain(code);
        guests += code === null ? 1 : 0;
      }
    }
    welcomed.push(guests);
  }
  expect(welcomed[0]).toBeLessThanOrEqual(25);
  expect(welcomed[2]).toBeGreaterThanOrEqual(8);
  const late = await openRoom('late');
  expect((await connect(late)).code).toBeNull();
});

it('have their places again when their guests have gone', async () => {
  const key = await openRoom('one');
  const fill = async () => {
    const guests: WebSocket[] = [];
    for (;;) {
      const { socket, code } = await connect(key);
      if (code !== null) {
        return guests;
      }
      guests.push(socket);
    }
  };
  const first = await fill();
  await Promise.all(
    first.map((socket) => {
      socket.close(1000);
      return once(socket, 'close');
    }),
  );
  await expect.poll(async () => (await fill()).length).toBeGreaterThan(0);
});
