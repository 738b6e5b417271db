/**
 * Detects ports that were connected and no longer are. A port that is closed and reopened at once with other settings
 * is not lost. A port that a guest of the shared bench uses is not lost either.
 */
import { type PortNumber, portNumbers } from '@wirebench/serial';
import type { BenchTick } from '../../../../protocol/bench-protocol.ts';
import type { PortStates } from '../../open-ports-of.ts';

export class LostPorts {
  readonly #connected = new Set<PortNumber>();

  /**
   * Compares the states with those of the last call.
   *
   * @param states Newest states.
   * @param users Guest that uses each port, or null.
   * @returns The ports lost since the last call.
   */
  take(states: PortStates, users: BenchTick['users']): ReadonlySet<PortNumber> {
    const lost = new Set<PortNumber>();
    for (const port of portNumbers) {
      const state = states[port];
      if (state === 'connected') {
        this.#connected.add(port);
      } else if (users[port] === null && (state === 'disconnected' || state === 'reconnecting')) {
        if (this.#connected.delete(port)) {
          lost.add(port);
        }
      }
    }
    return lost;
  }
}
