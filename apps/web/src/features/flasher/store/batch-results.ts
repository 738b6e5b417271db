/** Latest outcome of each board in batch mode, one entry for each board. An entry outlives the place of its board. */
import { type PortNumber, portNumbers } from '@wirebench/serial';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { FlashState } from '../state/flash-state.ts';
import { flasherStore } from './flasher-store.ts';

export interface BatchResult {
  /** Chip and id: `ESP32-S3 24:0a:c4:5e:01:7f`; the place if the board was not identified. */
  readonly board: string;
  /**
   * `unverified`: written, but the board cannot confirm that the bytes arrived. `waiting`: the board needs the user.
   */
  readonly outcome: 'done' | 'unverified' | 'failed' | 'waiting';
  /** Reason in one sentence why the board is unfinished; null if it is written. */
  readonly why: string | null;
}

const results = createStore<readonly BatchResult[]>(() => []);

/** Returns the results in the order in which the boards first came. */
export function useBatchResults(): readonly BatchResult[] {
  return useStore(results);
}

/** States whose outcomes are recorded. */
const recorded = new WeakSet<object>();

/** Records the outcomes of the shown family from now on. Only outcomes in batch mode are recorded. */
export function recordBoards(): void {
  if (recorded.has(flasherStore())) {
    return;
  }
  recorded.add(flasherStore());
  flasherStore().subscribe(({ batchMode, flashes }, before) => {
    for (const port of portNumbers) {
      if (batchMode && flashes[port].phase !== before.flashes[port].phase) {
        results.setState((all) => withResult(all, port, flashes[port]), true);
      }
    }
  });
}

const nameless = (port: PortNumber) => `Board ${port}`;

/** Returns the name of a board in the results: chip and id. */
export function boardLabel(port: PortNumber, { board }: Pick<FlashState, 'board'>): string {
  return board === null ? nameless(port) : [board.name, ...(board.id === null ? [] : [board.id])].join(' ');
}

/** Returns the results with the outcome of this board added. A board that comes again keeps its entry. */
export function withResult(
  all: readonly BatchResult[],
  port: PortNumber,
  flash: Pick<FlashState, 'phase' | 'source' | 'board' | 'failure' | 'plan' | 'report'>,
): readonly BatchResult[] {
  const { source } = flash;
  const name = boardLabel(port, flash);
  const result = resultOf(name, flash);
  if (result === null) {
    return all;
  }
  // A retry at the same place: the board may be listed without its name.
  const names = source?.kind === 'same' ? [name, nameless(port)] : [name];
  const place = all.findIndex((one) => names.includes(one.board));
  return place < 0 ? [...all, result] : all.with(place, result);
}

/** Returns null for a board in progress, and for one that was stopped by hand. */
function resultOf(
  board: string,
  { phase, failure, plan, report }: Pick<FlashState, 'phase' | 'failure' | 'plan' | 'report'>,
): BatchResult | null {
  const refusal = plan?.refusals[0];
  switch (phase) {
    case 'done':
      return { board, outcome: report?.state === 'unverified' ? 'unverified' : 'done', why: null };
    case 'failed':
      return { board, outcome: 'failed', why: failure?.message ?? null };
    case 'planned':
      return refusal === undefined ? null : { board, outcome: 'waiting', why: refusal.what };
    default:
      return null;
  }
}
