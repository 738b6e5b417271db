/** Looks at the flash of a connected Espressif board, and plans a write as the page requests it. */
import { changedRegions } from '@wirebench/flasher/core';
import {
  anyEsp,
  type BoardContents,
  type BootRules,
  type ChangeProgress,
  chipNames,
  type EspBoard,
  type EspPlan,
  type EspPlanFile,
  overridableEspRefusals,
  type PartitionTable,
  planComparedEsp,
  readBoardContents,
  subtypeName,
} from '@wirebench/flasher/espressif';
import { beginsCoreDump, CORE_HEAD_SIZE } from '@wirebench/symbols';
import type { EspSettings, PartitionHead, StoredCrash } from '../../../protocol/esp-types.ts';
import type { PlanFacts, PlannedPart, PlanRequest } from '../../../protocol/flash-protocol.ts';
import { readHeads } from './esp-heads.ts';

/** Contents of a board's flash, as far as they can be read. */
export interface FlashContents extends BoardContents {
  readonly crash: StoredCrash | null;
  readonly heads: readonly PartitionHead[];
}

export async function lookAtFlash(board: EspBoard, signal: AbortSignal): Promise<FlashContents> {
  const contents = await readBoardContents(board, signal);
  const { table } = contents;
  if (table === 'not-read') {
    return { ...contents, crash: null, heads: [] };
  }
  return table === 'none'
    ? { ...contents, crash: null, heads: await readHeads(board, [], signal) }
    : {
        ...contents,
        crash: await findCrash(board, table, signal),
        heads: await readHeads(board, table.partitions, signal),
      };
}

/** Reads only the first words of the first `coredump` partition: the whole dump may take long. */
async function findCrash(board: EspBoard, table: PartitionTable, signal: AbortSignal): Promise<StoredCrash | null> {
  const place = table.partitions.find((partition) => subtypeName(partition) === 'coredump' && !partition.encrypted);
  if (place === undefined) {
    return null;
  }
  const { name, offset, size } = place;
  const head = await board.read({ offset, length: CORE_HEAD_SIZE }, { signal });
  return beginsCoreDump(head, size) ? { name, offset, length: size } : null;
}

export interface PreparedPlan {
  readonly plan: EspPlan;
  readonly facts: PlanFacts;
}

export interface PlanParts {
  readonly board: EspBoard;
  readonly isDemo: boolean;
  readonly contents: FlashContents;
  readonly files: readonly EspPlanFile[];
  readonly request: PlanRequest<EspSettings>;
  /** Conditions in the eFuses; null if they were not read. */
  readonly bootRules: BootRules | null;
  /** Changes that an earlier write has begun. The board no longer holds the contents that they were made from. */
  readonly begun: ChangeProgress;
  readonly signal: AbortSignal;
}

/** Makes a plan, and compares it with the board. */
export async function preparePlan({ request, ...parts }: PlanParts): Promise<PreparedPlan> {
  const { plan, ...compared } = await planComparedEsp({
    ...planChoices(request),
    ...parts,
    changes: request.changes ?? [],
  });
  const { refusals, overridden, warnings, eraseAll, map, start } = plan;
  return { plan, facts: { refusals, overridden, warnings, eraseAll, map, ...compared, start } };
}

/** Returns what a plan leaves in flash. Regions of a file that follow each other are one part. Erased sectors are left out. */
export function partsOf(plan: EspPlan): PlannedPart[] {
  const changed = plan.changes.flatMap((change) =>
    changedRegions(change).flatMap(({ offset, bytes }) =>
      bytes === null ? [] : [{ offset, bytes, file: change.name }],
    ),
  );
  const parts: { name: string; offset: number; end: number; bytes: Uint8Array[] }[] = [];
  for (const { offset, bytes, file } of [...plan.regions, ...changed]) {
    const last = parts.at(-1);
    if (last !== undefined && last.name === file && last.end === offset) {
      last.bytes.push(bytes);
      last.end += bytes.length;
    } else {
      parts.push({ name: file, offset, end: offset + bytes.length, bytes: [bytes] });
    }
  }
  return parts.map(({ name, offset, bytes }) => ({
    name,
    offset,
    content: new Blob(bytes.map((part) => Uint8Array.from(part))),
  }));
}

/** Translates a request into the plan's options. The model of a release counts only if it is a known chip. */
function planChoices({ settings, guard, overrides }: PlanRequest<EspSettings>) {
  const { flash, erase, keepNvs, encrypt = false } = settings;
  const chip = chipNames.find((name) => name === guard?.model) ?? null;
  return {
    settings: flash,
    erase,
    keepNvs,
    encrypt,
    guard: { ...anyEsp, chip, isDemo: guard?.demo ?? false },
    overrides: overridableEspRefusals.filter((code) => overrides.includes(code)),
  };
}
