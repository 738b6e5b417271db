import { type PortNumber, portNumbers } from '@wirebench/serial';
import { describe, expect, it } from 'vitest';
import { benchStatus } from '../../../../workbench/bench-status.ts';
import type { PortStates } from '../../open-ports-of.ts';
import { type DevicePanel, newPanel, noTarget } from '../model/device-panel.ts';
import { ReturningTargets } from './panels-store.ts';

/** USB product id of the board on each connected port. */
type Boards = Partial<Record<PortNumber, number>>;

function take(targets: ReturningTargets, boards: Boards, panels: readonly DevicePanel[]): readonly DevicePanel[] {
  const { status } = benchStatus.tick;
  const ports = Object.fromEntries(
    portNumbers.map((port) => {
      const info = boards[port] === undefined ? null : { usbVendorId: 0x10c4, usbProductId: boards[port] };
      return [port, { ...status.ports[port], info }];
    }),
  ) as typeof status.ports;
  const states = Object.fromEntries(
    portNumbers.map((port) => [port, boards[port] === undefined ? 'disconnected' : 'connected']),
  ) as PortStates;
  return targets.take({ status: { ...status, ports }, devices: benchStatus.tick.devices }, states, panels);
}

const panel = (target: DevicePanel['pinnedTargetPort']): DevicePanel => ({
  ...newPanel('a', 'Panel 1'),
  pinnedTargetPort: target,
});
const targetsOf = (panels: readonly DevicePanel[]) => panels.map(({ pinnedTargetPort }) => pinnedTargetPort);

describe('targets that return', () => {
  it('gives the only open port to a panel without a target', () => {
    expect(targetsOf(take(new ReturningTargets(), { 2: 1 }, [panel(noTarget)]))).toEqual([2]);
  });

  it('leaves the choice to the person while several ports are open', () => {
    expect(targetsOf(take(new ReturningTargets(), { 1: 1, 2: 2 }, [panel(noTarget)]))).toEqual([noTarget]);
  });

  it('gives a lost target back when the same board returns, and not for another board', () => {
    for (const [returning, target] of [
      [7, 1],
      [8, noTarget],
    ] as const) {
      const targets = new ReturningTargets();
      take(targets, { 1: 7, 2: 2 }, [panel(1)]);
      targets.lose([panel(1)]);
      take(targets, { 2: 2 }, [panel(noTarget)]);
      expect(targetsOf(take(targets, { 1: returning, 2: 2 }, [panel(noTarget)]))).toEqual([target]);
    }
  });

  it('keeps a choice of no target until a port connects', () => {
    const targets = new ReturningTargets();
    take(targets, { 1: 1 }, [panel(1)]);
    const without = [panel(noTarget)];
    expect(take(targets, { 1: 1 }, without)).toBe(without);
  });
});
