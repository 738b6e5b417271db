/** Tests the next connect to a board whose page was closed or crashed, so that its pins are still set. */
import { openLab, outputPin } from '@wirebench/lab';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LabWorkerRig } from './testing/lab-worker-rig.ts';

let rig: LabWorkerRig;
let lab: LabWorkerRig['lab'];
let board: ReturnType<LabWorkerRig['plugIn']>;

beforeEach(() => {
  rig = new LabWorkerRig();
  ({ lab } = rig);
  board = rig.plugIn();
});
afterEach(() => rig.dispose());

describe('a board whose page crashed with pins driven', () => {
  beforeEach(async () => {
    const { port } = board.plugged;
    if (port === null) {
      throw new Error('The board is unplugged.');
    }
    const crashed = await rig.ask(openLab(port, { clock: rig.clock }));
    await rig.ask(crashed.run(outputPin(crashed.chip, 25, { high: true })));
    await rig.ask(crashed.run(outputPin(crashed.chip, 26, { high: false })));
    await rig.ask(crashed.withLink((link) => link.port.close()).catch(() => undefined));
    expect(board.device.state).toBe('download');
  });

  const notices = () => rig.logged().filter((line) => line.includes('GPIO 25'));

  it.each([false, true])(
    'is said to have driven them, and to drive them no more; flash hashed: %s',
    async (checkFlash) => {
      await rig.connect(board.source(), { checkFlash });
      await rig.settle();
      expect(notices()).toEqual([
        expect.stringContaining('GPIO 25, 26 were still outputs when this connect began, before the board was reset.'),
        expect.stringContaining('The reset has released GPIO 25, 26.'),
      ]);
      expect(rig.tick.owned).toEqual([]);
    },
  );

  it('and that no line resets: its pins stand there as outputs, and can be released', async () => {
    await rig.connect(board.source(), { byHand: true });
    await rig.settle();
    expect(notices()).toEqual([expect.stringContaining('GPIO 25, 26 were outputs when this bench opened')]);
    expect(rig.tick.owned).toMatchObject([
      { gpio: 25, label: 'OUT', use: { high: true } },
      { gpio: 26, label: 'OUT', use: { high: false } },
    ]);
    await rig.ask(lab.call('releasePin', 25));
    await rig.settle();
    expect(rig.tick.looks.find(({ gpio: pin }) => pin === 25)?.direction).toBe('in');
  });
});
