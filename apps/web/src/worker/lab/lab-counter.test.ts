import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { labPort } from '../../protocol/lab-protocol.ts';
import { LabWorkerRig } from './testing/lab-worker-rig.ts';

const demo = { kind: 'demo', model: 'esp32-lab' } as const;
/** Pins without a connected part. */
const [pin, other] = [25, 32];

describe('the counter of the lab host', () => {
  let rig: LabWorkerRig;
  let lab: LabWorkerRig['lab'];

  beforeEach(() => {
    rig = new LabWorkerRig();
    ({ lab } = rig);
  });
  afterEach(() => rig.dispose());

  const ask: LabWorkerRig['ask'] = (call) => rig.ask(call);
  const pwm = (gpio: number, frequency: number) => ask(lab.call('setPin', gpio, { kind: 'pwm', frequency, duty: 0.5 }));
  const open = (gpio: number, edges: 'rising' | 'falling' | 'both' = 'rising') =>
    ask(lab.call('openCounter', { pin: gpio, edges }));
  const counter = () => rig.tick.counter;
  const owners = () => rig.tick.owned.map(({ gpio, owner }) => `${owner} ${gpio}`);

  it('counts what PWM drives, which goes on driving it, and knows its period', async () => {
    await rig.connect(demo);
    await pwm(pin, 1_000);
    await open(pin, 'both');
    const [from, before] = [rig.clock.now(), counter()?.count ?? 0];
    await rig.settle(2_000);
    expect(Math.abs((counter()?.count ?? 0) - before - (rig.clock.now() - from) * 2)).toBeLessThan(400);
    expect(counter()?.period?.mean).toBeCloseTo(1_000_000, -2);
    expect(owners()).toEqual([`pwm ${pin}`]);
    await ask(lab.call('closeCounter'));
    await rig.settle();
    expect(counter()).toBeNull();
    expect(owners()).toEqual([`pwm ${pin}`]);
    expect(rig.logged().join('\n')).toMatch(/received COUNT 25 · \d+ edges, closed/);
  });

  it('takes an unused pin, gives it back for another, and starts at 0 after a reset', async () => {
    await rig.connect(demo);
    await open(pin);
    await rig.settle();
    expect(owners()).toEqual([`counter ${pin}`]);
    await expect(pwm(pin, 1_000)).rejects.toMatchObject({
      detail: { detail: 'GPIO 25 is counted. Release it there first.' },
    });
    await open(other, 'falling');
    await rig.settle();
    expect(owners()).toEqual([`counter ${other}`]);
    await pwm(pin, 1_000);
    await open(pin);
    await rig.settle(500);
    expect(owners()).toEqual([`pwm ${pin}`]);
    const before = counter()?.count ?? 0;
    expect(before).toBeGreaterThan(300);
    await ask(lab.call('resetCounter'));
    await rig.settle();
    expect(counter()?.count).toBeLessThan(before);
    expect(rig.logged().join('\n')).toMatch(/sent COUNT 25 reset at \d+ rising edges/);
  });

  it('says that a count is too small where edges come too fast to be read in time', async () => {
    await rig.connect(demo);
    await pwm(pin, 2_000_000);
    await open(pin);
    await rig.settle(1_000);
    expect(counter()?.isPartial).toBe(true);
    expect(1e9 / (counter()?.period?.mean ?? 1)).toBeCloseTo(2_000_000, -4);
    await pwm(pin, 1_000);
    await rig.settle(2_000);
    await ask(lab.call('resetCounter'));
    await rig.settle();
    expect(counter()?.isPartial).toBe(false);
  });

  it('has no period any more when the signal ends', async () => {
    await rig.connect(demo);
    await pwm(pin, 100);
    await open(pin);
    await rig.settle(2_000);
    expect(counter()?.period?.mean).toBeCloseTo(10_000_000, -3);
    await ask(lab.call('releasePin', pin));
    await rig.settle(5_000);
    expect(counter()).toMatchObject({ period: null, isTimed: true });
  });

  it('refuses a locked pin, one that is sampled, and sampling one that is counted; what was counted before goes on', async () => {
    await rig.connect(demo);
    await pwm(pin, 1_000);
    await open(pin);
    await ask(lab.call('setPin', 34, { kind: 'adc' }));
    await expect(open(6)).rejects.toMatchObject({ code: 'refused' });
    await expect(open(34)).rejects.toMatchObject({
      detail: { detail: 'GPIO 34 is sampled. Release it there first.' },
    });
    await open(other);
    await expect(ask(lab.call('setPin', other, { kind: 'adc' }))).rejects.toMatchObject({
      detail: { detail: 'GPIO 32 is counted. Close the counter first.' },
    });
    await open(pin);
    await rig.settle();
    const before = counter()?.count ?? 0;
    await expect(open(6)).rejects.toMatchObject({ code: 'refused' });
    await rig.settle(500);
    expect(counter()?.count).toBeGreaterThan(before + 300);
  });

  it('is refused by the ESP32-C3, which leaves no pin taken', async () => {
    await rig.ask(lab.call('connect', { kind: 'demo', model: 'esp32c3-lab' }, { baudRate: 921_600, byHand: false }));
    await expect(open(1)).rejects.toMatchObject({ detail: { detail: 'The ESP32-C3 has no pulse counter.' } });
    await expect(ask(lab.call('resetCounter'))).rejects.toMatchObject({ code: 'refused' });
    await ask(lab.call('closeCounter'));
    await rig.settle();
    expect(owners()).toEqual([]);
  });

  it('goes on while the program runs in RAM', async () => {
    await rig.connect(demo);
    await pwm(pin, 1_000);
    await open(pin);
    await ask(lab.call('loadProgram'));
    await rig.settle();
    const before = counter()?.count ?? 0;
    await rig.settle(500);
    expect(counter()?.count).toBeGreaterThan(before + 300);
    expect(counter()?.period?.mean).toBeCloseTo(1_000_000, -2);
  });

  it('ends with a board that is lost, and with one that is left', async () => {
    await rig.connect(demo);
    await open(pin);
    rig.worker.devices.plugDemo(labPort, false);
    await rig.settle(3_000);
    expect(rig.tick).toMatchObject({ open: false, counter: null, owned: [] });
    await rig.connect(demo);
    await open(pin);
    await ask(lab.call('leave'));
    await rig.settle(3_000);
    expect(rig.tick).toMatchObject({ open: false, counter: null, lost: null });
  });
});
