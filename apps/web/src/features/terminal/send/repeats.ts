/** The messages that are being repeated, at most one for each port. */
import type { PortNumber } from '@wirebench/serial';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { repeatOnBench } from '../../../workbench/bench-waits.ts';
import { reportingFailure } from '../../../workbench/port-picker/connect-port.ts';

export interface Repeat {
  /** As it was typed. */
  readonly text: string;
  /** In milliseconds. */
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

/** Takes the place of what was repeated to `port`. Ends by itself when the port takes no more; the timeline says why. */
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
