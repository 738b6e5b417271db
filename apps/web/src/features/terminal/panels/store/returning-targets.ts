/**
 * Gives panels without a target the port that they mean: the port to which the same board returns, else the only
 * connected port. Works when ports connect, so that a choice of no target lasts until then.
 */
import { type PortNumber, portNumbers } from '@wirebench/serial';
import type { BenchTick } from '../../../../protocol/bench-protocol.ts';
import type { PortStates } from '../../open-ports-of.ts';
import { type DevicePanel, noTarget } from '../model/device-panel.ts';
import type { Panels } from '../model/panels.ts';

interface LostTarget {
  readonly port: PortNumber;
  readonly board: string;
}

type Boards = Pick<BenchTick, 'status' | 'devices'>;

export class ReturningTargets {
  /** Board of each port that was connected last, as text. */
  readonly #boards = new Map<PortNumber, string>();
  readonly #connected = new Set<PortNumber>();
  /** Lost targets by panel id. */
  readonly #lost = new Map<DevicePanel['id'], LostTarget>();

  /** Remembers the targets of panels that lose them because their port disconnects. */
  lose(panels: Panels): void {
    for (const { id, pinnedTargetPort: port } of panels) {
      const board = port === noTarget ? undefined : this.#boards.get(port);
      if (port !== noTarget && board !== undefined) {
        this.#lost.set(id, { port, board });
      }
    }
  }

  /**
   * Compares the ports with those of the last call.
   *
   * @returns The panels with their new targets. The same object if no port has connected since, or no panel changes.
   */
  take(tick: Boards, states: PortStates, panels: Panels): Panels {
    const connected = portNumbers.filter((port) => states[port] === 'connected');
    const fresh = connected.filter((port) => !this.#connected.has(port));
    this.#connected.clear();
    for (const port of connected) {
      this.#connected.add(port);
      this.#boards.set(port, boardOf(tick, port));
    }
    if (fresh.length === 0) {
      return panels;
    }
    const changed = panels.map((panel) => this.#aimed(panel, fresh, connected));
    return changed.some((panel, index) => panel !== panels[index]) ? changed : panels;
  }

  #aimed(panel: DevicePanel, fresh: readonly PortNumber[], connected: readonly PortNumber[]): DevicePanel {
    if (panel.pinnedTargetPort !== noTarget) {
      this.#lost.delete(panel.id);
      return panel;
    }
    const lost = this.#lost.get(panel.id);
    const returned = lost !== undefined && fresh.includes(lost.port) && this.#boards.get(lost.port) === lost.board;
    const [only] = connected;
    const target = returned ? lost.port : connected.length === 1 ? only : undefined;
    if (target === undefined) {
      return panel;
    }
    this.#lost.delete(panel.id);
    return { ...panel, pinnedTargetPort: target };
  }
}

/** Identity of a board as far as the browser tells it: its kind and USB ids. */
function boardOf({ status, devices }: Boards, port: PortNumber): string {
  return JSON.stringify([devices[port]?.kind ?? null, status.ports[port].info]);
}
