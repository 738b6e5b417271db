/** Makes a plan for a connected board, and compares it with the contents of its flash. */
import type { BegunChanges } from '../../core/begun-changes.ts';
import type { BoardChange } from '../../core/board-change.ts';
import { changedParts } from '../../core/changed-regions.ts';
import type { StoredSettings } from '../../core/findings.ts';
import { endOf } from '../../core/ranges.ts';
import type { FlashRange, FlashRegion } from '../../core/region.ts';
import type { EspBoard } from '../esp-board.ts';
import type { PartitionTable } from '../images/partition-table.ts';
import { isNvs } from '../images/partition-types.ts';
import { liveEntries, readNvs } from '../nvs/read-nvs.ts';
import { keepsKeys } from '../plan/check-table.ts';
import type { EspPlan, EspPlanInput } from '../plan/esp-plan-types.ts';
import { estimateEspTime, sampleCompression } from '../plan/esp-time.ts';
import { planEsp } from '../plan/plan-esp.ts';
import { compareWithDevice } from '../plan/region-progress.ts';
import { comparedBoard } from '../write/changed-board.ts';
import type { BoardContents } from './board-contents.ts';

export interface ComparedInput extends Omit<EspPlanInput, 'board' | 'outdated'> {
  readonly board: EspBoard;
  readonly isDemo: boolean;
  readonly contents: BoardContents;
  /** Conditions in the eFuses; null if they were not read. */
  readonly bootRules: NonNullable<EspPlanInput['board']>['bootRules'];
  /** Changes that an earlier write has begun. The board no longer holds the contents that they were made from. */
  readonly begun: BegunChanges;
  /** True: reads what the board has stored, for the question that a visitor of a release is asked. */
  readonly looksForSettings?: boolean;
  readonly signal: AbortSignal;
}

export interface ComparedPlan {
  readonly plan: EspPlan;
  /** Stretches that files and changes write. `same`: true if flash already contains these bytes; null if it was not compared. */
  readonly regions: readonly (FlashRange & { readonly file: string; readonly same: boolean | null })[];
  /** MD5 of the regions of files that were compared, as the board returned them. */
  readonly known: ReadonlyMap<FlashRegion, string>;
  /** Bytes to write, and bytes that flash already contains. */
  readonly toWrite: number;
  readonly same: number;
  /** Estimated time for erasing, writing and verifying, in milliseconds. */
  readonly duration: number;
  /** Settings on the board; null if it has stored none. Missing: not looked for. */
  readonly stored?: StoredSettings | null;
}

/**
 * Makes a plan, and compares it with the board by hashes. A refused plan is not compared.
 *
 * @throws EspError
 */
export async function planComparedEsp(input: ComparedInput): Promise<ComparedPlan> {
  const { board, isDemo, contents, bootRules = null, begun, looksForSettings = false, signal, ...choices } = input;
  const { info, ability } = board;
  const { canErase, canHash } = ability;
  const plan = await planEsp({
    ...choices,
    outdated: await outdatedChanges(board, choices.changes ?? [], begun, signal),
    board: { info, isDemo, canErase, canHash, bootRules, ...contents },
  });
  const isSound = plan.refusals.every(({ code }) => code !== 'change-not-in-sectors');
  const regions = [...plan.regions, ...changedParts(isSound ? plan.changes : [])];
  const hashes = new Map<number, string>();
  const known = new Map<FlashRegion, string>();
  if (plan.refusals.length === 0 && !plan.eraseAll && canHash && ability.readsSectors) {
    // The hash of encrypted flash says nothing about plain bytes.
    for (const region of regions.filter((one) => !('encrypted' in one) || one.encrypted !== true)) {
      const { offset, bytes } = region;
      const hash = await board.md5({ offset, length: bytes.length }, { signal });
      hashes.set(offset, hash);
      known.set(region, hash);
    }
  }
  const { same, different, unknown, sameBytes, otherBytes } = compareWithDevice({ regions }, hashes);
  const written = [...different, ...unknown];
  return {
    plan,
    known,
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
    ...(looksForSettings && { stored: await storedSettings(board, contents, plan.table, signal) }),
  };
}

/** Most bytes of NVS that are read to count values: more than a second at 460,800 baud otherwise. */
const MAX_COUNTED = 0x10000;

/** Numbers of stored values by the contents that a board had when it was connected or last written. */
const counts = new WeakMap<BoardContents, number | null>();

/** @param after Table in flash after the write; null if it is not known. */
async function storedSettings(
  board: EspBoard,
  contents: BoardContents,
  after: PartitionTable | null,
  signal: AbortSignal,
): Promise<StoredSettings | null> {
  const { table } = contents;
  if (table === 'none' || table === 'not-read') {
    return table === 'none' && contents.isBlank === true ? null : { values: null, canBeKept: true };
  }
  const places = table.partitions.filter(isNvs);
  const known = counts.get(contents);
  const values = known === undefined ? await countValues(board, places, signal) : known;
  counts.set(contents, values);
  const canBeKept =
    after === null ||
    (keepsKeys(table, after) &&
      places.every((old) =>
        after.partitions.some((now) => isNvs(now) && now.offset === old.offset && now.size >= old.size),
      ));
  return values === 0 ? null : { values, canBeKept };
}

/** Returns null if the values cannot be read, or not in a short time. */
async function countValues(
  board: EspBoard,
  places: PartitionTable['partitions'],
  signal: AbortSignal,
): Promise<number | null> {
  const total = places.reduce((sum, { size }) => sum + size, 0);
  if (!board.runsStub || places.some(({ encrypted }) => encrypted) || total > MAX_COUNTED) {
    return null;
  }
  let count = 0;
  for (const { offset, size } of places) {
    count += liveEntries(readNvs(await board.read({ offset, length: size }, { signal }))).length;
  }
  return count;
}

/** Returns the names of the changes that do not fit what the board holds. */
async function outdatedChanges(
  board: EspBoard,
  changes: readonly BoardChange[],
  begun: BegunChanges,
  signal: AbortSignal,
): Promise<string[]> {
  const outdated: string[] = [];
  const size = board.info.flash?.size ?? null;
  for (const change of changes) {
    const isReadable = board.ability.canHash && (size === null || endOf(change.range) <= size);
    if (isReadable && (await begun.isOutdated(change, comparedBoard(board), signal))) {
      outdated.push(change.name);
    }
  }
  return outdated;
}
