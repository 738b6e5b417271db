/** The repeated messages, at most one for each port. */
import type { PortNumber } from '@wirebench/serial';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { repeatOnBench } from '../../../workbench/bench-waits.ts';
import { reportingFailure } from '../../../workbench/port-picker/connect-port.ts';

export interface Repeat {
  /** Message as typed. */
  readonly text: string;
  /** Interval in milliseconds. */
  readonly every: number;
  readonly count: number;
  readonly stop: () => void;
}

const repeats = createStore<Readonly<Record<PortNumber, Repeat | null>>>(() => ({
  1: null,
  2: null,
  3: null,
  4: null,
}));

export function useRepeat(port: PortNumber): Repeat | null {
  return useStore(repeats, (running) => running[port]);
}

/**
 * Starts repeating a message and stops the previous repetition on `port`. Ends when the port closes, and the timeline
 * reports why.
 *
 * @param text Message as typed, for display.
 * @param every Interval in milliseconds.
 */
export function startRepeat(port: PortNumber, text: string, bytes: Uint8Array, every: number): void {
  repeats.getState()[port]?.stop();
  const stopped = new AbortController();
  const stop = () => {
    if (!stopped.signal.aborted) {
      stopped.abort();
      repeats.setState({ [port]: null });
    }
  };
  const show = (count: number) => {
    if (!stopped.signal.aborted) {
      repeats.setState({ [port]: { text, every, count, stop } });
    }
  };
  show(0);
  void reportingFailure(port, repeatOnBench(port, bytes, every, stopped.signal, show).finally(stop));
}
