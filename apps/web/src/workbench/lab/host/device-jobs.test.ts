// @vitest-environment node
import { VirtualClock } from '@wirebench/clock';
import {
  createEspPort,
  EspDevice,
  type EspPort,
  type LabBreadboard,
  labBreadboard,
  Tca9548a,
} from '@wirebench/devices';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CallClient } from '../../calls/call-client.ts';
import { askOn } from '../../flasher/testing/ask-on.ts';
import { BenchHost } from '../../host/bench-host.ts';
import type { PortDevices } from '../../host/port-devices.ts';
import type { DeviceCycle, LabApi, LabTick } from '../lab-protocol.ts';
import { LabHost } from './lab-host.ts';

const bus = { sda: 21, scl: 22, clock: 100_000 };
const idOf = (address: number) => ({ address, write: Uint8Array.of(0xd0), read: 1, delay: 0 });

describe('jobs of described devices', () => {
  let clock: VirtualClock;
  let host: BenchHost;
  let board: LabBreadboard;
  let port: EspPort;
  let lab: CallClient<LabApi, LabTick>;
  const cycles: DeviceCycle[] = [];
  const ports: MessagePort[] = [];

  function line(): { page: MessagePort; host: MessagePort } {
    const { port1, port2 } = new MessageChannel();
    ports.push(port1, port2);
    port1.start();
    port2.start();
    return { page: port1, host: port2 };
  }

  const ask = <Answer>(call: Promise<Answer>) => askOn(clock, call, { stride: 5 });
  const pass = (milliseconds: number) => askOn(clock, clock.sleep(milliseconds), { stride: 10 });

  beforeEach(async () => {
    clock = new VirtualClock(1_000_000);
    board = labBreadboard('esp32');
    port = createEspPort(new EspDevice({ chip: 'esp32', breadboard: board, flash: { content: 'factory' } }), { clock });
    const devices = {
      take: async () => port.port,
      returned: (_: number, signal: AbortSignal) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      facts: () => ({ kind: 'demo', plugged: true }),
      simulatedDisplay: () => null,
    } as unknown as PortDevices;
    const [benchLine, labLine] = [line(), line()];
    host = new BenchHost(benchLine.host, { clock, openRecordingFile: () => Promise.reject(new Error('not here')) });
    new LabHost(labLine.host, { clock, devices, bench: host.bench });
    lab = new CallClient((tick) => cycles.push(...tick.cycles));
    lab.attach(labLine.page);
    await ask(lab.call('connect', { kind: 'demo', model: 'esp32-lab' }, { baudRate: 921_600, byHand: false }));
    await ask(lab.call('openI2c', bus));
  });
  afterEach(async () => {
    await ask(lab.call('leave'));
    cycles.length = 0;
    for (const one of ports.splice(0)) {
      one.close();
    }
    await host.bench.dispose();
  });

  it('reads again and again, and stops when told', async () => {
    await ask(lab.call('repeat', { address: 0x76, transfers: [idOf(0x76)], interval: 100 }));
    await pass(1_050);
    const { length } = cycles;
    expect(length).toBeGreaterThanOrEqual(9);
    expect(cycles.every(({ answers }) => answers?.[0]?.[0] === 0x60)).toBe(true);
    await ask(lab.call('endRepeat', 0x76));
    await pass(500);
    expect(cycles.length - length).toBeLessThanOrEqual(1);
  });

  it('a device that vanishes ends its readings after three that fail, and says why', async () => {
    await ask(lab.call('repeat', { address: 0x22, transfers: [idOf(0x22)], interval: 100 }));
    await pass(1_000);
    expect(cycles.map(({ ended }) => ended)).toEqual([false, false, false, true]);
    expect(cycles.at(-1)?.failure).toBe('0x22: no acknowledge.');
  });

  it('a bus that is closed while a device is read ends its readings', async () => {
    await ask(lab.call('repeat', { address: 0x76, transfers: [idOf(0x76)], interval: 100 }));
    await pass(250);
    await ask(lab.call('closeI2c'));
    await pass(500);
    expect(cycles.at(-1)).toMatchObject({ ended: true, failure: 'The bus was closed, or opened on other pins.' });
    const { length } = cycles;
    await pass(500);
    expect(cycles).toHaveLength(length);
  });

  it('a refusal in the middle of a list ends the list, and what is behind it is not sent', async () => {
    const tca = new Tca9548a(0x70);
    board.addI2c(board.pins.sda, board.pins.scl, [tca]);
    const list = [idOf(0x76), idOf(0x22), { address: 0x70, write: Uint8Array.of(0xff), read: 0, delay: 0 }];
    await expect(ask(lab.call('transferAll', list))).rejects.toThrow('0x22: no acknowledge.');
    expect(tca.written).toEqual([]);
  });

  it('lists do not interleave: a measurement is fetched by the list that has started it', async () => {
    const tca = new Tca9548a(0x70);
    board.addI2c(board.pins.sda, board.pins.scl, [tca]);
    const measured = (value: number) => [
      { address: 0x70, write: Uint8Array.of(value), read: 0, delay: 0 },
      { address: 0x70, write: new Uint8Array(), read: 1, delay: 20_000 },
    ];
    const both = Promise.all([lab.call('transferAll', measured(1)), lab.call('transferAll', measured(2))]);
    expect((await ask(both)).map((answers) => answers[1]?.[0])).toEqual([1, 2]);
  });

  it('an adversarial JKit reaches no reserved address, holds nothing up for ever and sends no endless list', async () => {
    const hostile = [
      [idOf(0x03)],
      [idOf(0x78)],
      [idOf(Number.NaN)],
      [{ ...idOf(0x76), delay: -1 }],
      [{ ...idOf(0x76), delay: Number.NaN }],
      [{ ...idOf(0x76), delay: 1e12 }],
      Array.from({ length: 401 }, () => idOf(0x76)),
      [{ ...idOf(0x76), write: new Uint8Array(32) }],
      [{ ...idOf(0x76), read: 32 }],
    ];
    for (const list of hostile) {
      await expect(ask(lab.call('transferAll', list))).rejects.toMatchObject({ code: 'refused' });
    }
    for (const interval of [0, -1, Number.NaN, 1e9]) {
      const job = { address: 0x76, transfers: [idOf(0x76)], interval };
      await expect(ask(lab.call('repeat', job))).rejects.toMatchObject({ code: 'refused' });
    }
  });
});
