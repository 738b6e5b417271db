import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { labPort } from '../../protocol/lab-protocol.ts';
import { LabWorkerRig } from './testing/lab-worker-rig.ts';

const demo = { kind: 'demo', model: 'esp32-lab' } as const;
const bus = { sda: 21, scl: 22, clock: 100_000 };

describe('lab host', () => {
  let rig: LabWorkerRig;
  let lab: LabWorkerRig['lab'];

  beforeEach(() => {
    rig = new LabWorkerRig();
    ({ lab } = rig);
  });
  afterEach(() => rig.dispose());

  const ask: LabWorkerRig['ask'] = (call) => rig.ask(call);
  const connect = () => rig.connect(demo);
  const logged = () => rig.logged();
  const settle = () => rig.settle();

  it('puts a board on the bench, finds its devices, reads a register of one, and leaves', async () => {
    const board = await connect();
    expect(board).toMatchObject({ chip: 'esp32', demo: true });
    expect(board.pins.find(({ gpio }) => gpio === 6)?.rule).toBe('locked');
    await ask(lab.call('openI2c', bus));
    expect(await ask(lab.call('scan'))).toEqual([0x3c, 0x48, 0x50, 0x68, 0x76]);
    expect(await ask(lab.call('transfer', 0x76, Uint8Array.of(0xd0), 1))).toEqual(Uint8Array.of(0x60));
    await settle();
    expect(rig.tick.owned.map(({ gpio, label }) => `${label} ${gpio}`)).toEqual(['SDA 21', 'SCL 22']);
    await ask(lab.call('leave'));
    await settle();
    expect(rig.tick).toMatchObject({ open: false, lost: null, owned: [] });
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
    expect(rig.tick.owned).toHaveLength(2);
  });

  it('drives an output and shows its level', async () => {
    await connect();
    await ask(lab.call('setPin', 26, { kind: 'output', high: true, openDrain: false, pull: 'none' }));
    await settle();
    expect(((rig.tick.levels?.[0] ?? 0) >>> 26) & 1).toBe(1);
    expect(rig.tick.looks.find(({ gpio }) => gpio === 26)?.direction).toBe('out');
    await ask(lab.call('releasePin', 26));
    await settle();
    expect(rig.tick.owned).toEqual([]);
  });

  it('leaves while the UART bridge is open, and stops polling it', async () => {
    await connect();
    await ask(lab.call('openUart', { tx: 17, rx: 16, baudRate: 9_600 }));
    await settle();
    await ask(lab.call('leave'));
    await settle();
    expect(rig.tick.open).toBe(false);
    expect(logged().at(-1)).toContain('its pins were released');
  });

  it('takes away what one use leaves at a pin before the next', async () => {
    await connect();
    await ask(lab.call('setPin', 25, { kind: 'pwm', frequency: 100, duty: 0.5 }));
    await ask(lab.call('setPin', 25, { kind: 'input', pull: 'down' }));
    const levels: number[] = [];
    for (let look = 0; look < 20; look++) {
      await rig.settle(53);
      levels.push(((rig.tick.levels?.[0] ?? 0) >>> 25) & 1);
    }
    expect(new Set(levels)).toEqual(new Set([0]));
  });

  it('says that a board is lost whose plug is pulled, and takes no call for it afterwards', async () => {
    await connect();
    rig.worker.devices.plugDemo(labPort, false);
    await rig.settle(3_000);
    expect(rig.tick.open).toBe(false);
    expect(rig.tick.lost?.code).toBe('unplugged');
    await expect(ask(lab.call('scan'))).rejects.toMatchObject({ code: 'left' });
  });
});
