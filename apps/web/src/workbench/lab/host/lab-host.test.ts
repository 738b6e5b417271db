// @vitest-environment node
import { VirtualClock } from '@wirebench/clock';
import { lineText } from '@wirebench/serial';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CallClient } from '../../calls/call-client.ts';
import { askOn } from '../../flasher/testing/ask-on.ts';
import { BenchHost } from '../../host/bench-host.ts';
import { type LabApi, type LabTick, labPort } from '../lab-protocol.ts';
import { LabHost } from './lab-host.ts';

const demo = { kind: 'demo', model: 'esp32-lab' } as const;
const bus = { sda: 21, scl: 22, clock: 100_000 };

describe('lab host', () => {
  let clock: VirtualClock;
  let host: BenchHost;
  let lab: CallClient<LabApi, LabTick>;
  let tick: LabTick;
  const ports: MessagePort[] = [];

  function line(): { page: MessagePort; host: MessagePort } {
    const { port1, port2 } = new MessageChannel();
    ports.push(port1, port2);
    port1.start();
    port2.start();
    return { page: port1, host: port2 };
  }

  beforeEach(() => {
    clock = new VirtualClock(1_000_000);
    const [benchLine, labLine] = [line(), line()];
    host = new BenchHost(benchLine.host, { clock, openRecordingFile: () => Promise.reject(new Error('not here')) });
    new LabHost(labLine.host, { clock, devices: host.devices, bench: host.bench });
    lab = new CallClient((next) => {
      tick = next;
    });
    lab.attach(labLine.page);
  });
  afterEach(async () => {
    await ask(lab.call('leave'));
    for (const port of ports.splice(0)) {
      port.close();
    }
    await host.bench.dispose();
  });

  const ask = <Answer>(call: Promise<Answer>) => askOn(clock, call, { stride: 5 });
  const connect = () => ask(lab.call('connect', demo, { baudRate: 921_600, byHand: false }));
  const logged = () =>
    host.bench
      .rows({ layout: 'text', anchor: { position: 0 }, count: 200 })
      .rows.map(({ direction, bytes }) => `${direction} ${lineText(bytes)}`);
  /** Lets the next ticks come. */
  const settle = () => askOn(clock, clock.sleep(200), { stride: 5 });

  it('puts a board on the bench, finds its devices, reads a register of one, and leaves', async () => {
    const board = await connect();
    expect(board).toMatchObject({ chip: 'esp32', demo: true });
    expect(board.pins.find(({ gpio }) => gpio === 6)?.rule).toBe('locked');
    await ask(lab.call('openI2c', bus));
    expect(await ask(lab.call('scan'))).toEqual([0x3c, 0x48, 0x50, 0x68, 0x76]);
    expect(await ask(lab.call('transfer', 0x76, Uint8Array.of(0xd0), 1))).toEqual(Uint8Array.of(0x60));
    await settle();
    expect(tick.owned.map(({ gpio, label }) => `${label} ${gpio}`)).toEqual(['SDA 21', 'SCL 22']);
    await ask(lab.call('leave'));
    await settle();
    expect(tick).toMatchObject({ open: false, lost: null, owned: [] });
    expect(logged()).toContain('received I2C 0x76 W D0 · R 60');
    expect(logged()).toContain('sent I2C0 on SDA 21 SCL 22, 100 kHz, pull-ups on');
  });

  it('shows what the display of the demo board shows', async () => {
    await connect();
    const points = async () => (await ask(lab.call('display')))?.points.reduce((sum, point) => sum + point, 0);
    expect(await points()).toBe(0);
    await ask(lab.call('openI2c', bus));
    const send = (...bytes: number[]) => ({ address: 0x3c, write: Uint8Array.from(bytes), read: 0, delay: 0 });
    await ask(lab.call('transferAll', [send(0, 0x8d, 0x14, 0xaf), send(0x40, 0xff, 0x01)]));
    expect(await points()).toBe(9);
  });

  it('refuses a pin that is locked, and one that another instrument has', async () => {
    await connect();
    await ask(lab.call('openI2c', bus));
    const output = { kind: 'output', high: true, openDrain: false, pull: 'none' } as const;
    await expect(ask(lab.call('setPin', 6, output))).rejects.toMatchObject({ code: 'refused' });
    await expect(ask(lab.call('setPin', 21, output))).rejects.toMatchObject({
      code: 'refused',
      detail: { detail: 'GPIO 21 is used by I2C. Release it there first.' },
    });
    await settle();
    expect(tick.owned).toHaveLength(2);
  });

  it('drives an output and shows its level', async () => {
    await connect();
    await ask(lab.call('setPin', 26, { kind: 'output', high: true, openDrain: false, pull: 'none' }));
    await settle();
    expect(((tick.levels?.[0] ?? 0) >>> 26) & 1).toBe(1);
    expect(tick.looks.find(({ gpio }) => gpio === 26)?.direction).toBe('out');
    await ask(lab.call('releasePin', 26));
    await settle();
    expect(tick.owned).toEqual([]);
  });

  it('leaves while the UART bridge is open, and stops polling it', async () => {
    await connect();
    await ask(lab.call('openUart', { tx: 17, rx: 16, baudRate: 9_600 }));
    await settle();
    await ask(lab.call('leave'));
    await settle();
    expect(tick.open).toBe(false);
    expect(logged().at(-1)).toContain('its pins were released');
  });

  it('takes away what one use leaves at a pin before the next', async () => {
    await connect();
    await ask(lab.call('setPin', 25, { kind: 'pwm', frequency: 100, duty: 0.5 }));
    await ask(lab.call('setPin', 25, { kind: 'input', pull: 'down' }));
    const levels: number[] = [];
    for (let look = 0; look < 20; look++) {
      await askOn(clock, clock.sleep(53), { stride: 5 });
      levels.push(((tick.levels?.[0] ?? 0) >>> 25) & 1);
    }
    expect(new Set(levels)).toEqual(new Set([0]));
  });

  it('says that a board is lost whose plug is pulled, and takes no call for it afterwards', async () => {
    await connect();
    host.devices.plugDemo(labPort, false);
    await askOn(clock, clock.sleep(3_000), { stride: 10 });
    expect(tick.open).toBe(false);
    expect(tick.lost?.code).toBe('unplugged');
    await expect(ask(lab.call('scan'))).rejects.toMatchObject({ code: 'left' });
  });
});
