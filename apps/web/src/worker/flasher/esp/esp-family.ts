/**
 * Connects the flasher's worker to Espressif's chips: connecting, planning with partitions and stored settings, writing
 * through the stub.
 */
import type { Clock } from '@wirebench/clock';
import type { FlashRange, WriteReport } from '@wirebench/flasher/core';
import {
  type BootRules,
  bootRulesOn,
  carryOutEsp,
  chipFacts,
  connectEsp,
  type EfuseWords,
  type EspBoard,
  EspError,
  type EspPlan,
  needsBootRules,
  type Unfinished,
} from '@wirebench/flasher/espressif';
import type { EspFacts, EspSettings, EspTypes } from '../../../protocol/esp-types.ts';
import type {
  BoardConsole,
  ConnectRequest,
  PlanFacts,
  PlannedPart,
  PlanRequest,
} from '../../../protocol/flash-protocol.ts';
import { FileSets } from '../given-files.ts';
import type { BoardWork, CarryOut, ConnectContext, FamilyParts, WorkerBoard, WorkerFamily } from '../worker-family.ts';
import { EspFiles } from './esp-files.ts';
import { programIn, startingPartition } from './esp-heads.ts';
import { boardLine, efusesLine, noticeLine, stepLine } from './esp-lines.ts';
import { type FlashContents, lookAtFlash, partsOf, preparePlan } from './esp-work.ts';

export function espFamily({ clock }: FamilyParts): WorkerFamily<EspTypes> {
  const files = new FileSets((limit) => new EspFiles(limit));
  /** Unfinished work by the MAC of its board, which may come back through another port. */
  const saved = new Map<string, Unfinished>();
  const savedOf = ({ info: { mac } }: EspBoard) => {
    const own = saved.get(mac ?? '') ?? { contents: new Map(), changes: new Map() };
    saved.set(mac ?? '', own);
    return own;
  };
  return {
    addFiles: (given, set) => files.add(given, set),
    removeFiles: (ids, set) => files.remove(ids, set),
    async connect(request, context) {
      const { device, signal, returned, onStep, say, onText } = context;
      const board = await connectEsp(device, {
        ...connectOptions(request),
        clock,
        signal,
        returned,
        onStep: (step) => onStep(step, stepLine(step)),
        onNotice: (notice) => say(noticeLine(notice)),
        onText,
      });
      say(boardLine(board.info, board.baudRate));
      try {
        const efuses = needsBootRules(board) ? await explainEfuses(board, await board.efuses({ signal })) : null;
        const contents = await lookAtFlash(board, signal);
        return new EspHostBoard({ clock, board, contents, efuses, files, saved: savedOf(board), context });
      } catch (error) {
        await board.close();
        throw error;
      }
    },
  };
}

function connectOptions({ baudRate, byHand, stub, expectedId }: ConnectRequest<EspSettings>) {
  return {
    baudRate,
    ...(byHand && { entry: 'buttons' as const }),
    ...(stub !== undefined && { stub }),
    ...(expectedId !== undefined && { expectedMac: expectedId }),
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

interface EspHostBoardParts {
  readonly clock: Clock;
  readonly board: EspBoard;
  readonly contents: FlashContents;
  /** Null if they were not read on connecting. */
  readonly efuses: ReadEfuses | null;
  readonly files: FileSets<EspFiles>;
  readonly saved: Unfinished;
  readonly context: ConnectContext;
}

/**
 * Both lines are released: DTR alone holds IO0 low, so that a press of EN would start the bootloader (see
 * `reset-board.ts` of the engine).
 */
const bridgeConsole: BoardConsole = { lines: { dtr: false, rts: false }, reset: 'circuit' };
const usbConsole: BoardConsole = { lines: null, reset: null };

class EspHostBoard implements WorkerBoard<EspTypes> {
  readonly vanishes = true;
  readonly readProof = 'MD5 matches';
  readonly hidesActions = true;
  readonly #parts: EspHostBoardParts;
  readonly #board: EspBoard;
  #contents: FlashContents;
  #efuses: ReadEfuses | null;
  /** The latest plan. */
  #plan: EspPlan | null = null;

  constructor(parts: EspHostBoardParts) {
    this.#parts = parts;
    this.#board = parts.board;
    this.#contents = parts.contents;
    this.#efuses = parts.efuses;
  }

  get facts(): EspFacts {
    const { info, baudRate, runsStub, ability } = this.#board;
    const { device, isDemo } = this.#parts.context;
    const { table: found, otaData, crash, heads } = this.#contents;
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
      console: info.link === 'uart' ? bridgeConsole : usbConsole,
      demo: isDemo,
      port: device.getInfo(),
      info,
      runsStub,
      canErase: ability.canErase,
      table,
      crash,
      heads,
      startsFrom: table === null ? null : startingPartition(table, otaData),
      ...(this.#efuses !== null && {
        efuses: this.#efuses.words,
        encrypts: this.#efuses.bootRules.encryptsDownloads,
      }),
    };
  }

  get over(): AbortSignal {
    return this.#board.over;
  }

  async plan(request: PlanRequest<EspSettings>, signal: AbortSignal): Promise<PlanFacts> {
    const { files, context, saved } = this.#parts;
    this.#plan = null;
    const { plan, facts } = await preparePlan({
      board: this.#board,
      isDemo: context.isDemo,
      contents: this.#contents,
      files: files.of(request.fileSet).forPlan(request.files),
      request,
      bootRules: this.#efuses?.bootRules ?? null,
      begun: saved.changes,
      signal,
    });
    this.#plan = plan;
    return facts;
  }

  parts(): PlannedPart[] {
    return this.#plan === null ? [] : partsOf(this.#plan);
  }

  async write(parts: CarryOut): Promise<WriteReport> {
    if (this.#plan === null) {
      throw new EspError('write-failed', { detail: 'There is no plan to carry out.' });
    }
    const report = await carryOutEsp({
      ...parts,
      clock: this.#parts.clock,
      board: this.#board,
      plan: this.#plan,
      saved: this.#parts.saved,
    });
    this.#plan = null;
    return report;
  }

  read(range: FlashRange, work: BoardWork): Promise<Uint8Array> {
    return this.#board.read(range, work);
  }

  async erase(range: FlashRange | null, work: BoardWork): Promise<void> {
    await (range === null ? this.#board.eraseAll(work) : this.#board.erase(range, work));
    this.#contents = await lookAtFlash(this.#board, work.signal);
  }

  /** Reads the eFuses: the only action of this family. */
  async perform(_action: EspTypes['action'], { signal }: BoardWork): Promise<boolean> {
    const words = await this.#board.efuses({ signal });
    this.#efuses = await explainEfuses(this.#board, words);
    this.#parts.context.say(efusesLine(words));
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
