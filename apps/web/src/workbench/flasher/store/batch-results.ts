/** What has become of each board of a bench: one line for a board, as it stands now. Outlives the place that the board had. */
import { type PortNumber, portNumbers } from '@wirebench/serial';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { FlashState } from '../state/flash-state.ts';
import { flasherStore } from './flasher-store.ts';

export interface BatchResult {
  /** `ESP32-S3 24:0a:c4:5e:01:7f`; its place when it did not get as far as to tell. */
  readonly board: string;
  /** `unverified`: written, but the board cannot tell whether it arrived. `waiting`: it needs a person. */
  readonly outcome: 'done' | 'unverified' | 'failed' | 'waiting';
  /** What keeps it, in one sentence; null when it is written. */
  readonly why: string | null;
}

const results = createStore<readonly BatchResult[]>(() => []);

/** In the order in which boards came first. */
export function useBatchResults(): readonly BatchResult[] {
  return useStore(results);
}

/** From now on, while bench mode is on. */
export function recordBoards(): void {
  flasherStore().subscribe(({ batchMode, flashes }, before) => {
    for (const port of portNumbers) {
      if (batchMode && flashes[port].phase !== before.flashes[port].phase) {
        results.setState((all) => withResult(all, port, flashes[port]), true);
      }
    }
  });
}

const nameless = (port: PortNumber) => `Board ${port}`;

/** The results with what has become of this board; a board that comes again is one board. */
export function withResult(
  all: readonly BatchResult[],
  port: PortNumber,
  flash: Pick<FlashState, 'phase' | 'source' | 'board' | 'failure' | 'plan' | 'report'>,
): readonly BatchResult[] {
  const { board, source } = flash;
  const name = board === null ? nameless(port) : [board.name, ...(board.id === null ? [] : [board.id])].join(' ');
  const result = resultOf(name, flash);
  if (result === null) {
    return all;
  }
  // Tried again where it was, it is the board that did not tell its name before.
  const names = source?.kind === 'same' ? [name, nameless(port)] : [name];
  const place = all.findIndex((one) => names.includes(one.board));
  return place < 0 ? [...all, result] : all.with(place, result);
}

/** Null while a board is on its way, and when it was stopped by hand. */
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
