/** Remembers when each port of this page was closed, so that the send bar can say it and offer to connect it again. */
import { type PortNumber, portNumbers } from '@wirebench/serial';
import type { BenchTick } from '../../../protocol/bench/bench-tick.ts';
import { benchStatus } from '../../../workbench/bench-status.ts';
import { changeTerminalPort, terminalPortNow, useTerminalPort } from '../terminal-session.ts';

const wasOpen = new Set<PortNumber>();

/** @param now Milliseconds since the Unix epoch. */
function watchClosing({ status }: Pick<BenchTick, 'status'>, now: number): void {
  for (const port of portNumbers) {
    const { state } = status.ports[port];
    if (state === 'connected') {
      wasOpen.add(port);
      if (terminalPortNow(port).closedAt !== null) {
        changeTerminalPort(port, { closedAt: null });
      }
    } else if (state === 'disconnected' && wasOpen.delete(port)) {
      changeTerminalPort(port, { closedAt: now });
    }
  }
}

benchStatus.onTick((tick) => watchClosing(tick, Date.now()));

export function useClosedAt(port: PortNumber): number | null {
  return useTerminalPort(port, ({ closedAt }) => closedAt);
}
