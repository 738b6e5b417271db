/**
 * Looks for the devices on a Modbus RTU line: asks one unit after the other at each of the chosen settings, then reads
 * the identification and the registers of those that answered. Sends nothing but requests for reading.
 */
import type { Clock } from '@wirebench/clock';
import { isAnswerFor, receivedFrames } from '@wirebench/frames/modbus';
import type { PortSettings } from '@wirebench/port';
import { readDevice, unitRequest } from './device-reading.ts';
import type {
  ChangingDevice,
  DamagedUnit,
  HeardTraffic,
  ModbusFindings,
  ModbusSearchReport,
  SearchEnd,
} from './findings.ts';
import { type Answer, LineQuestions, type OpenLine, type Question } from './line-questions.ts';
import {
  countOf,
  LISTEN,
  longLimit,
  MAX_REPEATS,
  type ModbusSearchOptions,
  planModbusSearch,
  TRIES,
  UNIT_ANSWER,
} from './search-plan.ts';

export interface SearchProgress {
  readonly step: 'listening' | 'units' | 'registers';
  readonly line: PortSettings;
  /** Index of the settings from 0, and their number. */
  readonly index: number;
  readonly count: number;
  /** Unit that is asked. */
  readonly unit: number;
  readonly findings: ModbusFindings;
}

export interface ModbusSearchParts {
  readonly clock: Clock;
  /** Stops the search at once. */
  readonly signal: AbortSignal;
  /**
   * Opens the line with other settings. The caller restores its own settings after the search.
   *
   * @param received Takes what the line receives from now on.
   */
  readonly open: (settings: PortSettings, received: (bytes: Uint8Array) => void) => Promise<OpenLine>;
  readonly onProgress?: (progress: SearchProgress) => void;
}

/**
 * Searches, and returns what was found in any case: to the end, until it was stopped, or until the line failed.
 *
 * @throws RangeError for options out of range.
 */
export async function searchModbus(
  parts: ModbusSearchParts,
  options: ModbusSearchOptions,
): Promise<ModbusSearchReport> {
  planModbusSearch(options);
  const search = new Search(parts, options);
  try {
    const end = await search.run();
    return { ...search.findings, end, failure: '' };
  } catch (error) {
    if (parts.signal.aborted) {
      return { ...search.findings, end: 'stopped', failure: '' };
    }
    const failure = error instanceof Error || error instanceof DOMException ? error.message : String(error);
    return { ...search.findings, end: 'failed', failure };
  }
}

/** Exceptions of a gateway that has no such unit behind it (V1.1b3, section 7). */
const ofGateways: ReadonlySet<number> = new Set([10, 11]);

/** Damaged answers of one line up to which each unit may be two devices. More are the fault of the line. */
const MAX_DAMAGED = 8;

class Search {
  readonly #parts: ModbusSearchParts;
  readonly #options: ModbusSearchOptions;
  readonly #devices: ChangingDevice[] = [];
  readonly #damaged: DamagedUnit[] = [];
  readonly #noisy: PortSettings[] = [];
  #traffic: HeardTraffic | null = null;
  #foreign = 0;
  /** Requests and echoes of the lines before the present one. */
  #requestsBefore = 0;
  #hadEcho = false;
  #questions: LineQuestions | null = null;
  /** Newest request of each unit on the present line, and true if it was answered. */
  readonly #asked = new Map<number, { readonly request: Uint8Array; isAnswered: boolean }>();
  /** Units whose answer came after the limit. */
  readonly #late = new Set<number>();
  #index = 0;

  constructor(parts: ModbusSearchParts, options: ModbusSearchOptions) {
    this.#parts = parts;
    this.#options = options;
  }

  get findings(): ModbusFindings {
    return {
      devices: this.#devices.map((device) => ({ ...device })),
      damaged: [...this.#damaged],
      noisy: [...this.#noisy],
      requests: this.#requestsBefore + (this.#questions?.requests ?? 0),
      traffic: this.#traffic,
      foreign: this.#foreign,
      hasEcho: this.#hadEcho || this.#questions?.hasEcho === true,
    };
  }

  async run(): Promise<SearchEnd> {
    for (const [index, settings] of this.#options.lines.entries()) {
      this.#index = index;
      const questions = await this.#open(settings);
      if (index === 0 && !(await this.#isQuiet(questions, settings))) {
        return 'traffic';
      }
      await this.#searchLine(questions, settings);
    }
    return 'complete';
  }

  async #open(settings: PortSettings): Promise<LineQuestions> {
    const { clock, signal, open } = this.#parts;
    signal.throwIfAborted();
    this.#requestsBefore += this.#questions?.requests ?? 0;
    this.#hadEcho ||= this.#questions?.hasEcho === true;
    this.#asked.clear();
    this.#late.clear();
    const questions = new LineQuestions({ clock, settings, signal, onStray: (frame) => this.#stray(frame) });
    this.#questions = questions;
    questions.use(await open(settings, (bytes) => questions.received(bytes)));
    return questions;
  }

  /** Listens before anything is sent. Returns false if something came and the search should not go on. */
  async #isQuiet(questions: LineQuestions, settings: PortSettings): Promise<boolean> {
    this.#report('listening', settings, this.#options.units.from);
    const heard = await questions.listen(LISTEN);
    if (heard.length === 0) {
      return true;
    }
    const frames = receivedFrames(heard);
    const units = new Set(frames.map(({ bytes }) => bytes[0] as number));
    this.#traffic = {
      bytes: heard.length,
      frames: frames.length,
      units: [...units].toSorted((one, other) => one - other),
    };
    return this.#options.ignoresTraffic;
  }

  async #searchLine(questions: LineQuestions, settings: PortSettings): Promise<void> {
    const { units, registers, limit } = this.#options;
    const before = this.#devices.length;
    const repeats = { left: MAX_REPEATS };
    const damaged: number[] = [];
    for (let unit = units.from; unit <= units.to; unit++) {
      this.#report('units', settings, unit);
      const answer = await this.#askUnit(questions, unit, false);
      if (answer.kind === 'answer') {
        this.#found(unit, settings, answer);
      } else if (answer.kind === 'damaged') {
        damaged.push(unit);
      }
    }
    const isNoisy = damaged.length > MAX_DAMAGED && damaged.length > countOf(units) / 2;
    if (isNoisy) {
      this.#noisy.push(settings);
    }
    for (const unit of isNoisy ? [] : damaged) {
      await this.#askAgain(questions, settings, unit, repeats);
    }
    for (const unit of this.#late) {
      if (repeats.left > 0 && !this.#isFound(unit, settings)) {
        repeats.left--;
        this.#report('units', settings, unit);
        const answer = await this.#askUnit(questions, unit, true);
        if (answer.kind === 'answer') {
          this.#found(unit, settings, answer);
        }
      }
    }
    for (const device of this.#devices.slice(before)) {
      this.#report('registers', settings, device.unit);
      await readDevice({
        device,
        limit,
        registers,
        ask: (question) => this.#ask(questions, device.unit, question),
        onBlock: () => this.#report('registers', settings, device.unit),
      });
    }
  }

  /** Asks a unit again whose answer was damaged. Only damaged answers are two devices, or a line with faults. */
  async #askAgain(
    questions: LineQuestions,
    settings: PortSettings,
    unit: number,
    repeats: { left: number },
  ): Promise<void> {
    let damaged = 1;
    for (let tries = 1; tries < TRIES && repeats.left > 0; tries++) {
      repeats.left--;
      this.#report('units', settings, unit);
      const answer = await this.#askUnit(questions, unit, true);
      if (answer.kind === 'answer') {
        this.#found(unit, settings, answer, damaged);
        return;
      }
      damaged += answer.kind === 'damaged' ? 1 : 0;
    }
    // One damaged answer and silence afterwards is noise.
    if (damaged > 1) {
      this.#damaged.push({ unit, line: settings, tries: damaged });
    }
  }

  #askUnit(questions: LineQuestions, unit: number, isAgain: boolean): Promise<Answer> {
    const { limit } = this.#options;
    return this.#ask(questions, unit, {
      request: unitRequest(unit),
      answerBytes: UNIT_ANSWER,
      limit: isAgain ? longLimit(limit) : limit,
      lingers: true,
    });
  }

  async #ask(questions: LineQuestions, unit: number, question: Question): Promise<Answer> {
    const asked = { request: question.request, isAnswered: false };
    this.#asked.set(unit, asked);
    const answer = await questions.ask(question);
    asked.isAnswered = answer.kind === 'answer';
    return answer;
  }

  #found(unit: number, line: PortSettings, answer: Extract<Answer, { kind: 'answer' }>, damaged = 0): void {
    const { exception, ms, isTwice } = answer;
    if (exception !== null && ofGateways.has(exception)) {
      return;
    }
    this.#devices.push({
      unit,
      line,
      exception,
      fastest: ms,
      slowest: ms,
      identification: [],
      tables: null,
      damaged,
      isTwice,
      isGone: false,
    });
  }

  #isFound(unit: number, settings: PortSettings): boolean {
    return this.#devices.some((device) => device.unit === unit && device.line === settings);
  }

  /** A frame that answers no waiting question: a late answer, the second one to a question, or that of another master. */
  #stray(frame: Uint8Array): void {
    const [unit = 0] = frame;
    const asked = this.#asked.get(unit);
    if (asked === undefined || !isAnswerFor(frame, asked.request)) {
      this.#foreign++;
      return;
    }
    const device = this.#devices.find((one) => one.unit === unit && one.line === this.#options.lines[this.#index]);
    if (device === undefined) {
      this.#late.add(unit);
    } else if (asked.isAnswered) {
      device.isTwice = true;
    }
  }

  #report(step: SearchProgress['step'], line: PortSettings, unit: number): void {
    this.#parts.onProgress?.({
      step,
      line,
      index: this.#index,
      count: this.#options.lines.length,
      unit,
      findings: this.findings,
    });
  }
}
