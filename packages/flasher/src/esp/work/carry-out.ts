/** Carries out a plan at a connected board. Every step can be cancelled, and is safe to repeat. */
import type { Clock } from '@wirebench/clock';
import type { BegunChanges } from '../../core/begun-changes.ts';
import type { WriteEvent, WriteReport, WriteStage } from '../../core/board.ts';
import type { FlashRegion } from '../../core/region.ts';
import { type ChangeProgress, changeKey, joinReports, splitProgress, writeChanges } from '../../core/write-changes.ts';
import type { EspBoard } from '../esp-board.ts';
import { EspError } from '../esp-failure.ts';
import type { EspPlan } from '../plan/esp-plan-types.ts';
import { changedBoard } from '../write/changed-board.ts';

/** Work at a board that an interrupted write has left, until the next one finishes it. */
export interface Unfinished {
  /** Data read before an erase and not written back yet, by offset. */
  readonly contents: Map<number, Uint8Array>;
  readonly changes: BegunChanges;
}

type OnEvent = (event: WriteEvent) => void;

export interface CarryOutParts {
  readonly clock: Clock;
  readonly board: EspBoard;
  readonly plan: EspPlan;
  readonly saved: Unfinished;
  /** Hashes of the plan's regions (`ComparedPlan.known`). Left out: the board is asked. */
  readonly known?: ReadonlyMap<FlashRegion, string> | undefined;
  readonly signal: AbortSignal;
  /** Performs a part whose bytes may contain passwords. Left out: like every other part. */
  readonly unseen?: <Result>(act: () => Promise<Result>) => Promise<Result>;
  /** Saves what `saved.contents` holds, before it is erased. Left out: it is in memory only. */
  readonly save?: () => Promise<void>;
  readonly onStage: (stage: WriteStage) => void;
  readonly onEvent: OnEvent;
}

/**
 * Reads the data to keep, erases, writes and verifies the files, then carries out the changes.
 *
 * @throws EspError. `saved` then contains data that must not be lost.
 */
export async function carryOutEsp(parts: CarryOutParts): Promise<WriteReport> {
  const { board, plan, saved, signal, unseen = (act) => act(), onStage, onEvent } = parts;
  const { contents } = saved;
  if (plan.refusals.length > 0) {
    throw new EspError('write-failed', { detail: 'The plan was refused.' });
  }
  for (const { offset, length } of plan.restore.filter((range) => !contents.has(range.offset))) {
    onStage('saving');
    contents.set(offset, await unseen(() => board.read({ offset, length }, { signal })));
  }
  if (contents.size > 0) {
    await parts.save?.();
  }
  if (plan.eraseAll) {
    onStage('erasing');
    await board.eraseAll({ signal });
  }
  for (const { offset, length } of plan.erase) {
    onStage('erasing');
    await board.erase({ offset, length }, { signal });
  }
  const restored = [...contents]
    .map(([offset, bytes]): FlashRegion => ({ offset, bytes }))
    .filter(({ offset, bytes }) =>
      plan.regions.every(
        (region) => offset + bytes.length <= region.offset || region.offset + region.bytes.length <= offset,
      ),
    );
  const files = [...plan.regions, ...restored];
  const listeners = splitProgress(files, plan.changes, onEvent);
  const write = () => writeFiles(parts, files, listeners.files);
  const written = files.length === 0 ? null : await (restored.length === 0 ? write() : unseen(write));
  contents.clear();
  if (plan.changes.length === 0 && written !== null) {
    return written;
  }
  saved.changes.begin(plan.changes);
  const progress = changesLeft(plan, saved.changes.progress);
  const begun = written !== null && written.written > 0;
  const changed = await unseen(() =>
    writeChanges(changedBoard(board, signal), plan.changes, {
      clock: parts.clock,
      signal,
      onStage,
      onEvent: listeners.changes,
      begun,
      progress,
    }),
  );
  saved.changes.clear();
  return written === null ? changed : joinReports(written, changed);
}

function writeFiles(
  { board, plan, known, signal, onStage }: CarryOutParts,
  regions: readonly FlashRegion[],
  onEvent: OnEvent,
): Promise<WriteReport> {
  onStage('writing');
  return board.write(regions, {
    signal,
    onEvent,
    compare: !plan.eraseAll,
    // An erase has changed flash since.
    ...(known !== undefined && plan.erase.length === 0 && { known }),
    // The plan has checked the files against the keys and the encryption of the board, or a person has insisted.
    secured: true,
  });
}

/** Returns the steps that are done. An erase of everything undid those of changes that it does not spare. */
function changesLeft({ eraseAll, changes }: EspPlan, progress: ChangeProgress): ChangeProgress {
  for (const change of changes.filter(({ basis }) => eraseAll && basis === null)) {
    progress.delete(changeKey(change));
  }
  return progress;
}
