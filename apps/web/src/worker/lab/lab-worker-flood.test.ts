/**
 * Tests boards that print without end: the bench opens them, or reports in one sentence what is wrong and what to do.
 */
import { EspFlood } from '@wirebench/devices';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LabWorkerRig } from './testing/lab-worker-rig.ts';

let rig: LabWorkerRig;
beforeEach(() => {
  rig = new LabWorkerRig();
});
afterEach(() => rig.dispose());

const bus = { sda: 21, scl: 22, clock: 100_000 };

/** Uses the board with a lab, and checks that it runs its own program afterwards. */
async function worksWith({ device }: ReturnType<LabWorkerRig['plugIn']>): Promise<void> {
  await rig.ask(rig.lab.call('openI2c', bus));
  expect(await rig.ask(rig.lab.call('scan'))).toContain(0x76);
  await rig.settle(10_000);
  expect(rig.tick).toMatchObject({ open: true, lost: null });
  await rig.ask(rig.lab.call('leave'));
  await rig.settle(1_000);
  expect(device.state).toBe('running');
  expect(device.flash.erasedBytes + device.flash.programmedBytes).toBe(0);
}

const printing = {
  code: 'printing',
  message: 'The board prints text where its answers should be.',
  remedy: expect.stringMatching(/^Connect again: .* disconnect it\.$/),
  detail: expect.stringMatching(/^It printed: .*temperature/s),
};

describe('a program that prints without an end', () => {
  it.each([115_200, 921_600, 74_880])('at %i baud ends with the reset: the board is taken', async (appBaudRate) => {
    const flood = new EspFlood('program');
    const board = rig.plugIn({ flood, appBaudRate });
    await rig.settle(2_000);
    expect(flood.lines).toBeGreaterThan(100);
    await rig.connect(board.source());
    await worksWith(board);
  });

  it('on a board without reset lines: it is said to hold BOOT and press EN, and then the board is taken', async () => {
    const board = rig.plugIn({ flood: new EspFlood('program'), connection: 'uart-no-reset' });
    await rig.settle(2_000);
    await expect(rig.connect(board.source())).rejects.toMatchObject({
      code: 'no-answer',
      detail: {
        message: 'The board printed something, but did not answer.',
        remedy: 'Hold BOOT, press EN, release BOOT, and try again.',
        detail: expect.stringMatching(/^The board printed: .*temperature/s),
      },
    });
    board.device.holdBoot(true);
    board.device.pressReset();
    board.device.holdBoot(false);
    await rig.settle(100);
    await rig.connect(board.source(), { byHand: true });
    await rig.ask(rig.lab.call('openI2c', bus));
    expect(await rig.ask(rig.lab.call('scan'))).toContain(0x76);
  });
});

describe('something else that prints on the wire of the board', () => {
  it('without an end: it is said, and the board is taken when that has ended', async () => {
    const flood = new EspFlood('wire');
    const board = rig.plugIn({ flood });
    await rig.settle(2_000);
    await expect(rig.connect(board.source())).rejects.toMatchObject({ detail: printing });
    flood.isOn = false;
    await rig.connect(board.source());
    await worksWith(board);
  });

  it('and begins while the board is on the bench: it is said within ten seconds, and the port is closed', async () => {
    const flood = new EspFlood('wire');
    flood.isOn = false;
    const board = rig.plugIn({ flood });
    const { mac } = await rig.connect(board.source());
    flood.isOn = true;
    await rig.settle(10_000);
    expect(rig.tick).toMatchObject({ open: false, lost: printing });
    await rig.settle(2_000);
    expect(board.plugged.port?.readable).toBeNull();
    expect(rig.logged().filter((line) => line.includes('prints text where its answers'))).toHaveLength(1);
    flood.isOn = false;
    expect(await rig.connect({ kind: 'same' }, { mac })).toMatchObject({ mac });
    await worksWith(board);
  });
});
