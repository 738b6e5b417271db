/** Puts the boards of a batch on the network that was asked for once, each after its write. */
import type { PortNumber } from '@wirebench/serial';
import { connectInSeries, type SeriesOutcome } from '../../../workbench/improv/series.ts';
import { failureFrom } from '../state/failure-from.ts';
import { batch, boardLabel } from './batch-results.ts';
import { flashOf, say } from './flasher-store.ts';
import { closeMonitor, watchStart } from './monitor-actions.ts';

/** Returns the outcome of each board, by its name in the list of the batch. */
export function useBatchWifi(): ReadonlyMap<string, SeriesOutcome> {
  return batch.use(({ wifi }) => wifi);
}

/** Opens the monitor of a board that was written, puts the board on the network, and closes the monitor. */
export async function setUpWifiOf(port: PortNumber): Promise<void> {
  const board = boardLabel(port, flashOf(port));
  const outcome = await connectInSeries(port, () => watchStart(port), new AbortController().signal);
  if (outcome !== null) {
    batch.setState(({ wifi }) => ({ wifi: new Map([...wifi, [board, outcome]]) }));
    const { network } = outcome;
    if (outcome.kind === 'connected') {
      say(port, 'success', `The board is on ${network}${outcome.address === '' ? '' : `, ${outcome.address}`}`);
    } else {
      say(port, 'error', `The board is not on ${network}: ${outcome.reason}`);
    }
  }
  try {
    await closeMonitor(port);
  } catch (error) {
    say(port, 'warning', `The monitor could not be closed: ${failureFrom(error).message}`);
  }
}
