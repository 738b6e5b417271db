import { once } from 'node:events';
import { connect } from 'node:net';
import { systemClock } from '@wirebench/clock';
import { afterEach, describe, expect, it } from 'vitest';
import { pattern } from '../testing/contract-rig.ts';
import { SilentDevice } from '../testing/port-fixture.ts';
import { uartLink } from '../wire/link.ts';
import type { Pace } from '../wire/wire.ts';
import type { TcpService } from './listen.ts';
import { serveOverTcp } from './tcp-server.ts';

const services: TcpService[] = [];

afterEach(async () => {
  await Promise.all(services.splice(0).map((service) => service.close()));
});

async function served(device: SilentDevice, pace: Pace) {
  const service = await serveOverTcp({ device, clock: systemClock, pace, port: 0 });
  services.push(service);
  return connect(service.port, '127.0.0.1');
}

describe('a device over TCP', () => {
  it('is held back by a client that does not read, and loses nothing', async () => {
    const megabyte = 1_048_576;
    const device = new SilentDevice();
    const waiting = new Promise<number>((resolve) => {
      Object.assign(device, {
        hostOpened: () => {
          for (let count = 0; count < 32; count++) {
            device.line?.write(new Uint8Array(megabyte).fill(count));
          }
          resolve(device.line?.pending ?? 0);
        },
      });
    });
    const client = await served(device, 'none');
    expect(await waiting).toBeGreaterThan(24 * megabyte);
    let received = 0;
    let wrong = 0;
    client.on('data', (bytes: Buffer) => {
      wrong += bytes.filter((byte, at) => byte !== Math.floor((received + at) / megabyte)).length;
      received += bytes.length;
      if (received === 32 * megabyte) {
        client.end();
      }
    });
    await once(client, 'close');
    expect({ received, wrong }).toEqual({ received: 32 * megabyte, wrong: 0 });
  });

  it('gets all that a client sends faster than the wire carries it', async () => {
    const device = new SilentDevice(uartLink(40_000_000));
    const sent = pattern(300_000);
    const client = await served(device, 'wire');
    const all = new Promise<void>((resolve) => {
      Object.assign(device, {
        receive: (bytes: Uint8Array) => {
          device.got.push(...bytes);
          if (device.got.length >= sent.length) {
            resolve();
          }
        },
      });
    });
    client.write(sent);
    await all;
    expect(Buffer.from(device.got).equals(sent)).toBe(true);
  });
});
