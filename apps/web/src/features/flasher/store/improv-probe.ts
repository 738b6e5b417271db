/**
 * Requests device information by Improv once after a write, when the program has started, so that the answer can offer
 * to set up the board's Wi-Fi. A program that does not know Improv gets twelve bytes that it did not ask for.
 */
import type { PortNumber } from '@wirebench/serial';
import { benchStatus } from '../../../workbench/bench-status.ts';
import { flashOf } from './flasher-store.ts';

/** Silence of the board after which its program counts as started, in milliseconds. */
const QUIET = 1_000;
/** Wait for the first output, and longest wait for silence, in milliseconds. */
const FIRST_WAIT = 2_500;
const MAX_WAIT = 8_000;

/** Functions that end a wait, by port. */
const waiting = new Map<PortNumber, () => void>();

/** Waits until the board's program has started, and requests its information if the monitor is open then. */
export function probeAfterStart(port: PortNumber): void {
  waiting.get(port)?.();
  const stop = new AbortController();
  let received = -1;
  const ask = async () => {
    end();
    if (flashOf(port).phase === 'done') {
      const { probeImprov } = await import('../../../workbench/improv/improv-offer.ts');
      await probeImprov(port, stop.signal);
    }
  };
  // Only a part of the page is missing if its code cannot be fetched.
  const askNow = () => void ask().catch((error: unknown) => console.warn('Improv could not be asked for.', error));
  let quiet = setTimeout(askNow, FIRST_WAIT);
  const limit = setTimeout(askNow, MAX_WAIT);
  const unwatch = benchStatus.onTick(({ status }) => {
    const now = status.ports[port];
    if (now.state !== 'connected') {
      end();
    } else if (now.received !== received) {
      clearTimeout(quiet);
      quiet = setTimeout(askNow, received === -1 ? FIRST_WAIT : QUIET);
      received = now.received;
    }
  });
  const end = () => {
    unwatch();
    clearTimeout(quiet);
    clearTimeout(limit);
    waiting.delete(port);
  };
  waiting.set(port, end);
}
