/** Makes a plan for a connected board, and compares it with the contents of its flash. */
import type { BoardChange } from '../../core/board-change.ts';
import { changedRegions, erasedBytes } from '../../core/changed-regions.ts';
import type { FlashRange, FlashRegion } from '../../core/region.ts';
import type { EspBoard } from '../esp-board.ts';
import type { EspPlan, EspPlanInput } from '../plan/esp-plan-types.ts';
import { estimateEspTime, sampleCompression } from '../plan/esp-time.ts';
import { planEsp } from '../plan/plan-esp.ts';
import { compareWithDevice } from '../plan/region-progress.ts';
import { type ChangeProgress, changeKey } from '../write/write-changes.ts';
import type { BoardContents } from './board-contents.ts';

export interface ComparedInput extends Omit<EspPlanInput, 'board' | 'outdated'> {
  readonly board: EspBoard;
  readonly isDemo: boolean;
  readonly contents: BoardContents;
  /** Conditions in the eFuses; null if they were not read. */
  readonly bootRules: NonNullable<EspPlanInput['board']>['bootRules'];
  /** Changes that an earlier write has begun. The board no longer holds the contents that they were made from. */
  readonly begun: ChangeProgress;
  readonly signal: AbortSignal;
}

export interface ComparedPlan {
  readonly plan: EspPlan;
  /** Stretches that files and changes write. `same`: true if flash already contains these bytes; null if it was not compared. */
  readonly regions: readonly (FlashRange & { readonly file: string; readonly same: boolean | null })[];
  /** Bytes to write, and bytes that flash already contains. */
  readonly toWrite: number;
  readonly same: number;
  /** Estimated time for erasing, writing and verifying, in milliseconds. */
  readonly duration: number;
}

/**
 * Makes a plan, and compares it with the board by hashes. A refused plan is not compared.
 *
 * @throws EspError
 */
export async function planComparedEsp(input: ComparedInput): Promise<ComparedPlan> {
  const { board, isDemo, contents, bootRules = null, begun, signal, ...choices } = input;
  const { info, ability } = board;
  const { canErase, canHash } = ability;
  const plan = await planEsp({
    ...choices,
    outdated: await outdatedChanges(board, choices.changes ?? [], begun, signal),
    board: { info, isDemo, canErase, canHash, bootRules, table: contents.table, otaData: contents.otaData },
  });
  const regions = [...plan.regions, ...changedParts(plan)];
  const hashes = new Map<number, string>();
  if (plan.refusals.length === 0 && !plan.eraseAll && canHash && ability.readsSectors) {
    // The hash of encrypted flash says nothing about plain bytes.
    for (const { offset, bytes } of regions.filter((region) => !('encrypted' in region) || region.encrypted !== true)) {
      hashes.set(offset, await board.md5({ offset, length: bytes.length }, { signal }));
    }
  }
  const { same, different, unknown, sameBytes, otherBytes } = compareWithDevice({ regions }, hashes);
  const written = [...different, ...unknown];
  return {
    plan,
    regions: regions.map((region) => ({
      offset: region.offset,
      length: region.bytes.length,
      file: region.file,
      same: same.includes(region) ? true : unknown.includes(region) ? null : false,
    })),
    toWrite: otherBytes,
    same: sameBytes,
    duration: estimateEspTime({
      regions: written,
      baudRate: info.link === 'uart' ? board.baudRate : null,
      compression: board.runsStub ? sampleCompression(written) : 1,
      eraseAll: plan.eraseAll,
      flashSize: info.flash?.size ?? null,
    }),
  };
}

/** Returns the regions of the changes under their names. Erased sectors are regions of 0xFF. */
function changedParts({ refusals, changes }: EspPlan): (FlashRegion & { readonly file: string })[] {
  const isSound = refusals.every(({ code }) => code !== 'change-not-in-sectors');
  return (isSound ? changes : []).flatMap((change) =>
    changedRegions(change).map(({ offset, length, bytes }) => ({
      offset,
      bytes: bytes ?? erasedBytes(length),
      file: change.name,
    })),
  );
}

/** Returns the names of the changes whose contents on the board differ from those that they were made from. */
async function outdatedChanges(
  board: EspBoard,
  changes: readonly BoardChange[],
  begun: ChangeProgress,
  signal: AbortSignal,
): Promise<string[]> {
  const outdated: string[] = [];
  const size = board.info.flash?.size ?? null;
  for (const change of changes) {
    const { name, range, basis } = change;
    const isReadable = board.ability.canHash && (size === null || range.offset + range.length <= size);
    if (basis !== null && isReadable && !begun.has(changeKey(change))) {
      const found = await board.md5(range, { signal });
      if (found !== basis) {
        outdated.push(name);
      }
    }
  }
  return outdated;
}
