/**
 * Latest outcome of each board in batch mode, one entry for each board. An entry outlives the place of its board. A
 * board without a unique id cannot be recognised: it counts as another board each time it is plugged in.
 */
import { type PortNumber, portNumbers } from '@wirebench/serial';
import type { FlashSource } from '../../../protocol/usb-source.ts';
import { pageStore } from '../../../shared/page-store.ts';
import type { SeriesOutcome } from '../../../workbench/improv/series.ts';
import type { FlashState } from '../state/flash-state.ts';
import { flasherStore } from './flasher-store.ts';

export interface BatchResult {
  /**
   * Chip and id: `ESP32-S3 24:0a:c4:5e:01:7f`. The chip alone for a board without an id; the place if the board was not
   * identified.
   */
  readonly board: string;
  /**
   * `unverified`: written, but the board cannot confirm that the bytes arrived. `waiting`: the board needs the user.
   */
  readonly outcome: 'done' | 'unverified' | 'failed' | 'waiting';
  /** Reason in one sentence why the board is unfinished; null if it is written. */
  readonly why: string | null;
  /** Connection of a board that was not recognised by an id; null for a board with an id. */
  readonly visit: { readonly port: PortNumber; readonly source: FlashSource | null } | null;
}

interface Batch {
  /** In the order in which the boards first came. */
  readonly results: readonly BatchResult[];
  /** Outcome of the set-up of Wi-Fi, by the name of the board in the results. */
  readonly wifi: ReadonlyMap<string, SeriesOutcome>;
}

export const batch = pageStore<Batch>({ results: [], wifi: new Map() });

export function useBatchResults(): readonly BatchResult[] {
  return batch.use(({ results }) => results);
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
      const [now, last] = [flashes[port], before.flashes[port]];
      if (batchMode && (now.phase !== last.phase || now.held !== last.held)) {
        batch.setState(({ results }) => ({ results: withResult(results, port, now) }));
      }
    }
  });
}

const nameless = (port: PortNumber) => `Board ${port}`;

/** Returns the name of a board in the results: chip and id. */
export function boardLabel(port: PortNumber, { board }: Pick<FlashState, 'board'>): string {
  return board === null ? nameless(port) : [board.name, ...(board.id === null ? [] : [board.id])].join(' ');
}

/** Returns the results with the outcome of this board added. A board with an id that comes again keeps its entry. */
export function withResult(
  all: readonly BatchResult[],
  port: PortNumber,
  flash: Pick<FlashState, 'phase' | 'source' | 'board' | 'failure' | 'plan' | 'report'> &
    Partial<Pick<FlashState, 'held' | 'heldText'>>,
): readonly BatchResult[] {
  const { board, source } = flash;
  const outcome = outcomeOf(flash);
  if (outcome === null) {
    return all;
  }
  const hasId = board !== null && board.id !== null;
  const result = { board: boardLabel(port, flash), ...outcome, visit: hasId ? null : { port, source } };
  const known = all.findIndex((one) => one.visit === null && hasId && one.board === result.board);
  const place = known >= 0 ? known : all.findLastIndex(({ visit }) => continues(visit, port, source));
  return place < 0 ? [...all, result] : all.with(place, result);
}

/**
 * Returns true if an outcome at `port` belongs to the board of `visit`. It is still connected from the same source, or
 * is connected again at its place. A retry may reveal the id of a board that was listed without it.
 */
function continues(visit: BatchResult['visit'], port: PortNumber, source: FlashSource | null): boolean {
  return visit?.port === port && (source?.kind === 'same' || source === visit.source);
}

const changedText = 'The files have changed, and their plan needs a decision.';

/** Returns null for a board in progress, and for one that was stopped by hand. */
function outcomeOf({
  phase,
  failure,
  plan,
  report,
  held = false,
  heldText,
}: Pick<FlashState, 'phase' | 'failure' | 'plan' | 'report'> & Partial<Pick<FlashState, 'held' | 'heldText'>>): Pick<
  BatchResult,
  'outcome' | 'why'
> | null {
  const refusal = plan?.refusals[0];
  switch (phase) {
    case 'done':
      return { outcome: report?.state === 'unverified' ? 'unverified' : 'done', why: null };
    case 'failed':
      return { outcome: 'failed', why: failure?.message ?? null };
    case 'planned':
      return refusal !== undefined
        ? { outcome: 'waiting', why: refusal.what }
        : held
          ? { outcome: 'waiting', why: heldText ?? changedText }
          : null;
    default:
      return null;
  }
}
