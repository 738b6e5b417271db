/**
 * The network of a series of boards: asked for once, and kept in memory until it is changed or the page is closed. Each
 * board has an outcome of its own.
 */
import type { PortNumber } from '@wirebench/serial';
import { pageStore } from '../../shared/page-store.ts';
import { improvJob } from '../bench-waits.ts';
import type { ChosenNetwork } from './setup-steps.ts';

/** @property address As the board sent it; empty for none. */
export type SeriesOutcome =
  | { readonly kind: 'connected'; readonly network: string; readonly address: string }
  | { readonly kind: 'failed'; readonly network: string; readonly reason: string };

interface SeriesState {
  readonly network: ChosenNetwork | null;
  /** Ports whose board is being set up. */
  readonly running: ReadonlySet<PortNumber>;
}

/** Number of times that a starting board is asked. Each takes up to 6 s. */
const ASKS = 3;

const store = pageStore<SeriesState>({ network: null, running: new Set() });

/** Sets the network of all later boards; null for none. */
export function setSeriesNetwork(network: ChosenNetwork | null): void {
  store.setState({ network });
}

/** Returns the name of the series' network; null without one. */
export function useSeriesNetwork(): string | null {
  return store.use(({ network }) => network?.label ?? null);
}

export function hasSeriesNetwork(): boolean {
  return store.getState().network !== null;
}

/** Returns true while the board of a port is put on the network. */
export function isInSeries(port: PortNumber): boolean {
  return store.getState().running.has(port);
}

export function useInSeries(port: PortNumber): boolean {
  return store.use(({ running }) => running.has(port));
}

/**
 * Puts the board of a port on the series' network. The board may still be starting.
 *
 * @param open Opens the port.
 * @returns Null without a network.
 */
export async function connectInSeries(
  port: PortNumber,
  open: () => Promise<void>,
  signal: AbortSignal,
): Promise<SeriesOutcome | null> {
  const { network } = store.getState();
  if (network === null) {
    return null;
  }
  const { name, password, label } = network;
  const failed = (reason: string): SeriesOutcome => ({ kind: 'failed', network: label, reason });
  mark(port, true);
  try {
    await open();
    for (let ask = 1; ; ask++) {
      const { failure } = await improvJob(port, { kind: 'ask' }, signal);
      if (failure === null) {
        break;
      }
      if (failure.code !== 'no-answer' || ask === ASKS) {
        return failed(failure.message);
      }
    }
    const { failure, address } = await improvJob(port, { kind: 'connect', name, password }, signal);
    return failure === null ? { kind: 'connected', network: label, address } : failed(failure.message);
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  } finally {
    mark(port, false);
  }
}

function mark(port: PortNumber, isRunning: boolean): void {
  const running = new Set(store.getState().running);
  if (isRunning) {
    running.add(port);
  } else {
    running.delete(port);
  }
  store.setState({ running });
}
