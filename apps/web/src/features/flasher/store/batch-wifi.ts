/** Puts the boards of a batch on the network that was asked for once, each after its write. */
import type { PortNumber } from '@wirebench/serial';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { connectInSeries, type SeriesOutcome } from '../../../workbench/improv/series.ts';
import { failureFrom } from '../state/failure-from.ts';
import { boardLabel } from './batch-results.ts';
import { flashOf, say } from './flasher-store.ts';
import { closeMonitor, watchStart } from './monitor-actions.ts';

type Outcomes = ReadonlyMap<string, SeriesOutcome>;

const outcomes = createStore<{ readonly byBoard: Outcomes }>(() => ({ byBoard: new Map() }));

/** Returns the outcome of each board, by its name in the list of the batch. */
export function useBatchWifi(): Outcomes {
  return useStore(outcomes, ({ byBoard }) => byBoard);
}

/** Opens the monitor of a board that was written, puts the board on the network, and closes the monitor. */
export async function setUpWifiOf(port: PortNumber): Promise<void> {
  const board = boardLabel(port, flashOf(port));
  const outcome = await connectInSeries(port, () => watchStart(port), new AbortController().signal);
  if (outcome !== null) {
    outcomes.setState(({ byBoard }) => ({ byBoard: new Map([...byBoard, [board, outcome]]) }));
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
