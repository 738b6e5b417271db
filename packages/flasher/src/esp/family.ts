/** The family of Espressif's chips: plans with partitions and stored settings, and writing through the stub. */
import type { Clock } from '@wirebench/clock';
import { BegunChanges } from '../core/begun-changes.ts';
import type { WriteReport } from '../core/board.ts';
import { changedRegions } from '../core/changed-regions.ts';
import { type FlashRange, sectorSize } from '../core/region.ts';
import { filesOfUnrestored, type SavedFile, UnfinishedBoards } from '../core/unrestored.ts';
import type { BoardWork, Family, FamilyBoard, Inspection, PlanRequest, ReleaseFile, WriteOptions } from '../family.ts';
import type { BoardConsole, PlanFacts, PlannedBytes } from '../family-values.ts';
import { FileFault } from '../images/file-fault.ts';
import { startsLikeZip } from '../images/formats/zip.ts';
import { expandFiles } from './build-output/expand-files.ts';
import { placeFiles } from './build-output/place-files.ts';
import { chipFacts, chipNames } from './chips/chip-facts.ts';
import { connectEsp } from './connect/connect-esp.ts';
import { espStepText } from './connect/step-text.ts';
import type { BootRules } from './efuse/boot-rules.ts';
import type { EfuseWords } from './efuse/read-efuses.ts';
import type { EspBoard, EspConnectStep } from './esp-board.ts';
import { EspError, espFailureText } from './esp-failure.ts';
import { type EspBoardFacts, type EspTypes, espSettings, type PartitionHead } from './family-types.ts';
import { bootOrder } from './images/boot-order.ts';
import { appName } from './images/image-part.ts';
import { erasedOtaData } from './images/ota-data.ts';
import type { PartitionTable } from './images/partition-table.ts';
import { isApp } from './images/partition-types.ts';
import { overridableEspRefusals } from './plan/esp-plan-finding.ts';
import { anyEsp, type EspPlan, type EspPlanFile } from './plan/esp-plan-types.ts';
import { bootRulesOn, needsBootRules } from './work/board-boot-rules.ts';
import { type BoardContents, readBoardContents } from './work/board-contents.ts';
import { carryOutEsp, type Unfinished } from './work/carry-out.ts';
import { type ComparedPlan, planComparedEsp } from './work/compared-plan.ts';

const stepText = { ...espStepText, ready: 'Reading the partition table' } satisfies Record<EspConnectStep, string>;

export function createEspFamily(): Family<EspTypes> {
  const boards = new UnfinishedBoards<Unfinished>(() => ({ contents: new Map(), changes: new BegunChanges() }));
  return {
    failures: espFailureText,
    idName: 'MAC',
    startsByHand: true,
    returnLimit: 5_000,
    releaseSettings: (eraseAll) => ({ ...espSettings, erase: eraseAll ? 'all' : 'needed', keepNvs: !eraseAll }),
    readFiles: async (files) => files.flatMap(planFiles),
    async connect(port, options) {
      const { clock, signal, baudRate, byHand, expectedId, isDemo, stub, bringsBack = false, inspection } = options;
      const { place, isSame, returned, onStep, onNotice, onIdentified, onText } = options;
      const board = await connectEsp(port, {
        clock,
        signal,
        returned,
        ...(baudRate !== null && { baudRate }),
        ...(byHand && { entry: 'buttons' }),
        ...(stub !== undefined && { stub }),
        ...(expectedId !== null && { expectedMac: expectedId }),
        bringBack: bringsBack && !byHand,
        onStep: (name) => onStep({ name, text: stepText[name] }),
        ...(onNotice !== undefined && { onNotice }),
        ...(onText !== undefined && { onText }),
      });
      onIdentified?.(board);
      try {
        const efuses = needsBootRules(board) ? await explainEfuses(board, await board.efuses({ signal })) : null;
        const look = (wanted: AbortSignal) => lookAtFlash(board, inspection, wanted);
        const contents = await look(signal);
        const saved = boards.of({ id: board.info.mac, chip: board.info.chip, place, isSame });
        return new EspFamilyBoard({ clock, board, isDemo, efuses, contents, look, saved });
      } catch (error) {
        await board.close();
        throw error;
      }
    },
  };
}

/** eFuses as they were read, and their conditions for a start. */
interface ReadEfuses {
  readonly words: EfuseWords;
  readonly bootRules: BootRules;
}

async function explainEfuses(board: EspBoard, words: EfuseWords): Promise<ReadEfuses> {
  return { words, bootRules: await bootRulesOn(board, words) };
}

/** Contents of a board's flash, as far as they can be read. */
interface FlashContents extends BoardContents, Pick<EspBoardFacts, 'crash' | 'heads'> {}

/** The code for an inspection is fetched when a caller wants one. */
async function lookAtFlash(
  board: EspBoard,
  inspection: Inspection | undefined,
  signal: AbortSignal,
): Promise<FlashContents> {
  const contents = await readBoardContents(board, signal);
  if (inspection === undefined || contents.table === 'not-read') {
    return { ...contents, crash: null, heads: [] };
  }
  const { inspectFlash } = await import('./work/inspect-flash.ts');
  return { ...contents, ...(await inspectFlash(board, contents, inspection, signal)) };
}

interface EspFamilyBoardParts {
  readonly clock: Clock;
  readonly board: EspBoard;
  readonly isDemo: boolean;
  /** Null if they were not read on connecting. */
  readonly efuses: ReadEfuses | null;
  readonly contents: FlashContents;
  readonly look: (signal: AbortSignal) => Promise<FlashContents>;
  readonly saved: Unfinished;
}

/**
 * Both lines are released: DTR alone holds IO0 low, so that a press of EN would start the bootloader (see
 * `restart-board.ts`).
 */
const bridgeConsole: BoardConsole = { lines: { dtr: false, rts: false }, reset: 'circuit' };
const usbConsole: BoardConsole = { lines: null, reset: null };

class EspFamilyBoard implements FamilyBoard<EspTypes> {
  readonly rangeStep = sectorSize;
  readonly hearsProgram = true;
  readonly #parts: EspFamilyBoardParts;
  readonly #board: EspBoard;
  #contents: FlashContents;
  #efuses: ReadEfuses | null;
  /** The latest plan. */
  #plan: EspPlan | null = null;
  /** Hashes in flash of the plan's regions, until flash is changed. */
  #known: ComparedPlan['known'] | undefined;

  constructor(parts: EspFamilyBoardParts) {
    this.#parts = parts;
    this.#board = parts.board;
    this.#contents = parts.contents;
    this.#efuses = parts.efuses;
  }

  get facts(): EspBoardFacts {
    const { info, baudRate, runsStub, ability } = this.#board;
    const { table: found, tableOffset, crash, heads } = this.#contents;
    const table = typeof found === 'string' ? null : found;
    return {
      family: 'esp',
      name: chipFacts[info.chip].label,
      model: info.model,
      id: info.mac,
      flash: { start: 0, size: info.flash?.size ?? null },
      areas: (table?.partitions ?? []).map(({ name, offset, size }) => ({
        name,
        offset,
        length: size,
        ...programIn(heads, offset),
      })),
      baudRate,
      console: this.vanishes ? usbConsole : bridgeConsole,
      info,
      runsStub,
      canErase: ability.canErase,
      table,
      ...(tableOffset !== undefined && { tableOffset }),
      crash,
      ...(heads !== undefined && { heads }),
      startsFrom: table === null ? null : startingPartition(table, this.#contents),
      ...(this.#efuses !== null && {
        efuses: this.#efuses.words,
        encrypts: this.#efuses.bootRules.encryptsDownloads,
      }),
    };
  }

  get canEraseAll(): boolean {
    return this.#board.ability.canErase;
  }

  get over(): AbortSignal {
    return this.#board.over;
  }

  get vanishes(): boolean {
    return this.#board.info.link !== 'uart';
  }

  async plan(request: PlanRequest<EspTypes>, signal: AbortSignal): Promise<PlanFacts> {
    const { files, settings, guard, overrides = [], changes = [] } = request;
    const { flash, erase, keepNvs, encrypt = false } = settings;
    this.#plan = null;
    const { plan, known, ...compared } = await planComparedEsp({
      board: this.#board,
      isDemo: this.#parts.isDemo,
      contents: this.#contents,
      bootRules: this.#efuses?.bootRules ?? null,
      begun: this.#parts.saved.changes,
      files,
      settings: flash,
      erase,
      keepNvs,
      encrypt,
      guard: {
        ...anyEsp,
        // The model of a release counts only if it is a known chip.
        chip: chipNames.find((name) => name === guard?.model) ?? null,
        flashSize: guard?.flashSize ?? null,
        isDemo: guard?.demo ?? false,
      },
      overrides: overridableEspRefusals.filter((code) => overrides.includes(code)),
      changes,
      looksForSettings: guard !== null,
      signal,
    });
    this.#plan = plan;
    this.#known = known;
    const { refusals, overridden, warnings, eraseAll, map, start } = plan;
    return { refusals, overridden, warnings, eraseAll, map, ...compared, start };
  }

  /** Regions of a file that follow each other are one part. Erased sectors are left out. */
  parts(): PlannedBytes[] {
    const { regions, changes } = this.#plan ?? { regions: [], changes: [] };
    const changed = changes.flatMap((change) =>
      changedRegions(change).flatMap(({ offset, bytes }) =>
        bytes === null ? [] : [{ offset, bytes, file: change.name }],
      ),
    );
    const parts: { name: string; offset: number; end: number; bytes: Uint8Array[] }[] = [];
    for (const { offset, bytes, file } of [...regions, ...changed]) {
      const last = parts.at(-1);
      if (last !== undefined && last.name === file && last.end === offset) {
        last.bytes.push(bytes);
        last.end += bytes.length;
      } else {
        parts.push({ name: file, offset, end: offset + bytes.length, bytes: [bytes] });
      }
    }
    return parts;
  }

  savedFiles(): readonly SavedFile[] {
    const regions = [...this.#parts.saved.contents].map(([offset, bytes]) => ({ offset, bytes }));
    return filesOfUnrestored(this.facts, regions);
  }

  async write({ save, ...options }: WriteOptions): Promise<WriteReport> {
    if (this.#plan === null) {
      throw new EspError('write-failed', { detail: 'There is no plan to carry out.' });
    }
    const { clock, board, saved } = this.#parts;
    const known = this.#known;
    this.#known = undefined;
    const report = await carryOutEsp({
      ...options,
      known,
      clock,
      board,
      plan: this.#plan,
      saved,
      ...(save !== undefined && { save: () => save(this.savedFiles()) }),
    });
    this.#plan = null;
    return report;
  }

  async look(signal: AbortSignal): Promise<void> {
    this.#contents = await this.#parts.look(signal);
  }

  async read(range: FlashRange, work: BoardWork): Promise<Uint8Array> {
    const bytes = await this.#board.read(range, work);
    const { table } = this.#contents;
    const places = typeof table === 'string' ? [] : table.partitions.filter((one) => !isApp(one));
    if (places.some(({ offset, size }) => offset === range.offset && size === range.length)) {
      this.#parts.saved.changes.keep(range, bytes);
    }
    return bytes;
  }

  async erase(range: FlashRange | null, work: BoardWork): Promise<void> {
    this.#known = undefined;
    await (range === null ? this.#board.eraseAll(work) : this.#board.erase(range, work));
    await this.look(work.signal);
  }

  /** Reads the eFuses: the only action of this family. */
  async perform(_action: EspTypes['action'], { signal }: BoardWork): Promise<boolean> {
    this.#efuses = await explainEfuses(this.#board, await this.#board.efuses({ signal }));
    return true;
  }

  restart(): Promise<void> {
    // The program may change what the rest of an unfinished change builds on.
    this.#parts.saved.changes.clear();
    return this.#board.restart();
  }

  close(): Promise<void> {
    return this.#board.close();
  }
}

/**
 * Returns the stretches to write. A `.bin` goes to the offset that the release states; other formats and archives have
 * addresses of their own.
 *
 * @throws FileFault
 */
function planFiles({ name: given, offset: stated, bytes }: ReleaseFile): EspPlanFile[] {
  const { files: pieces, unreadable } = expandFiles([{ name: given, bytes }]);
  const [fault] = unreadable;
  if (fault !== undefined) {
    throw new FileFault(`${fault.name}: ${fault.reason} ${fault.remedy}`);
  }
  if (!startsLikeZip(bytes) && pieces.every((piece) => piece.bytes === bytes && piece.address === null)) {
    return [{ name: given, offset: stated, bytes }];
  }
  return placeFiles([...pieces]).files.map(({ name, offset, bytes: own, why }) => {
    if (offset === null) {
      throw new FileFault(`${name}: ${why}`);
    }
    return { name, offset, bytes: own };
  });
}

/** Returns the name of the partition that the bootloader starts next; null without a known app. */
function startingPartition({ partitions }: PartitionTable, { otaData, emptyApps = [] }: BoardContents): string | null {
  const order = bootOrder({ partitions, entries: otaData ?? erasedOtaData });
  return order.find(({ offset }) => !emptyApps.includes(offset))?.name ?? null;
}

/** Returns what is known of the partition that begins at `offset`, as a part of an area: its app, or that it is empty. */
function programIn(
  heads: readonly PartitionHead[] = [],
  offset: number,
): { readonly holds?: string; readonly isEmpty?: true } {
  const { described = null, empty = null } = heads.find((head) => head.offset === offset) ?? {};
  return {
    ...(described !== null && 'project' in described && described.project !== '' && { holds: appName(described) }),
    ...(empty === true && { isEmpty: true as const }),
  };
}
