/** The repeated messages, at most one for each port. */
import type { PortNumber } from '@wirebench/serial';
import { repeatOnBench } from '../../../workbench/bench-waits.ts';
import { reportingFailure } from '../../../workbench/port-picker/connect-port.ts';
import { changeTerminalPort, type Repeat, terminalPortNow, useTerminalPort } from '../terminal-session.ts';

export function useRepeat(port: PortNumber): Repeat | null {
  return useTerminalPort(port, ({ repeat }) => repeat);
}

/**
 * Starts repeating a message and stops the previous repetition on `port`. Ends when the port closes, and the timeline
 * reports why.
 *
 * @param text Message as typed, for display.
 * @param every Interval in milliseconds.
 */
export function startRepeat(port: PortNumber, text: string, bytes: Uint8Array, every: number): void {
  terminalPortNow(port).repeat?.stop();
  const stopped = new AbortController();
  const stop = () => {
    if (!stopped.signal.aborted) {
      stopped.abort();
      changeTerminalPort(port, { repeat: null });
    }
  };
  const show = (count: number) => {
    if (!stopped.signal.aborted) {
      changeTerminalPort(port, { repeat: { text, every, count, stop } });
    }
  };
  show(0);
  void reportingFailure(port, repeatOnBench(port, bytes, every, stopped.signal, show).finally(stop));
}
