/**
 * Which ports have gone: they were connected and are so no more. A port that is closed and opened again at once, with other
 * settings, has not gone, nor has one that a guest of the shared bench uses.
 */
import { type PortNumber, portNumbers } from '@wirebench/serial';
import type { BenchTick } from '../../../../workbench/bench-protocol.ts';
import type { PortStates } from '../../open-ports-of.ts';

export class LostPorts {
  readonly #connected = new Set<PortNumber>();

  /** @param states the newest ones. @returns the ports that have gone since the last call. */
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
