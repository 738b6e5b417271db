import { type LabBreadboard, Tca9548a } from '@wirebench/devices';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LabWorkerRig } from './testing/lab-worker-rig.ts';

const bus = { sda: 21, scl: 22, clock: 100_000 };
const idOf = (address: number) => ({ address, write: Uint8Array.of(0xd0), read: 1, delay: 0 });

describe('jobs of described devices', () => {
  let rig: LabWorkerRig;
  let lab: LabWorkerRig['lab'];
  let cycles: LabWorkerRig['cycles'];
  let board: LabBreadboard;

  const ask: LabWorkerRig['ask'] = (call) => rig.ask(call);
  const pass = (milliseconds: number) => rig.settle(milliseconds);

  beforeEach(async () => {
    rig = new LabWorkerRig();
    ({ lab, cycles } = rig);
    const { breadboard, source } = rig.plugIn();
    board = breadboard;
    await rig.connect(source());
    await ask(lab.call('openI2c', bus));
  });
  afterEach(() => rig.dispose());

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

  it('a list does not go on on another bus, where another device may stand at its address', async () => {
    const late = expect(
      lab.call('transferAll', [idOf(0x76), { ...idOf(0x76), delay: 50_000 }, idOf(0x76)]),
    ).rejects.toMatchObject({ code: 'refused', detail: { detail: expect.stringContaining('other pins') } });
    await pass(20);
    await ask(lab.call('openI2c', { ...bus, sda: 13 }));
    const other = expect(lab.call('transferAll', [idOf(0x76)])).rejects.toThrow('0x76: no acknowledge.');
    await ask(Promise.all([late, other]));
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
