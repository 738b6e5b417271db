/** Remembers when each port of this page was closed, so that the send bar can say it and offer to connect it again. */
import { type PortNumber, portNumbers } from '@wirebench/serial';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { BenchTick } from '../../../protocol/bench-protocol.ts';
import { benchStatus } from '../../../workbench/bench-status.ts';

/** Times of closing in milliseconds since the Unix epoch. Null: the port is open, or was never. */
type ClosedAt = Readonly<Record<PortNumber, number | null>>;

const closedPorts = createStore<ClosedAt>(() => ({ 1: null, 2: null, 3: null, 4: null }));

const wasOpen = new Set<PortNumber>();

/** @param now Milliseconds since the Unix epoch. */
function watchClosing({ status }: Pick<BenchTick, 'status'>, now: number): void {
  for (const port of portNumbers) {
    const { state } = status.ports[port];
    if (state === 'connected') {
      wasOpen.add(port);
      if (closedPorts.getState()[port] !== null) {
        closedPorts.setState({ [port]: null });
      }
    } else if (state === 'disconnected' && wasOpen.delete(port)) {
      closedPorts.setState({ [port]: now });
    }
  }
}

benchStatus.onTick((tick) => watchClosing(tick, Date.now()));

export function useClosedAt(port: PortNumber): number | null {
  return useStore(closedPorts, (closedAt) => closedAt[port]);
}
