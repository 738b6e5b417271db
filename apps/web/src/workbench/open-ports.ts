/** Counts open ports, for questions before the document is left. Loads nothing until there is a bench. */
import { portNumbers } from '@wirebench/serial';
import { benchStatus } from './bench-status.ts';

function count(): number {
  const { ports } = benchStatus.tick.status;
  return portNumbers.filter((port) => ports[port].state !== 'disconnected').length;
}

export const openPorts = {
  /** Ports that are open, opening, closing, or waiting for their board to come back. */
  count,
  /** Calls `listener` after each change of the count. Returns a function that ends it. */
  subscribe(listener: () => void): () => void {
    let last = count();
    return benchStatus.onTick(() => {
      if (count() !== last) {
        last = count();
        listener();
      }
    });
  },
};
