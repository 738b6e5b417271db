/** Work on boards for an agent: the board is lent by its port, and what a command says of it becomes a report. */
import { createHash } from 'node:crypto';
import { BoardOutput } from '../board/board-output.ts';
import { type BoardRun, boardRun } from '../board/board-run.ts';
import type { OptionValues } from '../commands/command.ts';
import { CommandError, exitCodes } from '../exit-code.ts';
import type { Interruption } from '../interruption.ts';
import type { GivenSettings } from '../port-options.ts';
import type { AgentPort, AgentPorts } from './agent-ports.ts';
import { RequestRefused } from './allowance.ts';

/** Reports what a board's work is doing, with words of this program. */
export type WorkProgress = (label: string, done: number, total: number) => void;

/** Result of work on a board. Its lines have names that boards and files gave. */
export interface WorkReport {
  readonly outcome: 'done' | 'refused' | 'failed';
  readonly lines: readonly string[];
  /** Hash of a plan that can be carried out; null without one. */
  readonly hash: string | null;
  /** Words of this program about the result; missing for those of a flash. */
  readonly said?: string;
  /** Contents of a file in place of the lines. */
  readonly bytes?: Uint8Array;
}

/** One piece of work. */
export interface AgentWork {
  readonly options: OptionValues;
  readonly progress: WorkProgress;
  readonly signal: AbortSignal;
}

/** Returns 16 hexadecimal digits that tell facts apart. */
export const shortHash = (facts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 16);

/** An interruption that ends with the call of an agent. */
export const endedBy = (signal: AbortSignal): Interruption => ({
  signal,
  readerGone: new AbortController().signal,
  exitCode: () => exitCodes.interrupted,
});

/** Returns the port of a board. @throws RequestRefused for one that is not there. */
export async function presentDevice(port: AgentPort, native: GivenSettings['native']): Promise<SerialPort> {
  const device = await port.find(native);
  if (device === null) {
    throw new RequestRefused(`${port.given.label} is not there. list_ports lists the ports that are.`);
  }
  return device;
}

/**
 * Works on a board in its bootloader.
 *
 * @param act Returns the hash of a plan, or null.
 */
export function workOnBoard(
  ports: AgentPorts,
  port: AgentPort,
  { options, progress, signal }: AgentWork,
  act: (run: BoardRun, output: AgentOutput) => Promise<string | null>,
): Promise<WorkReport> {
  const output = new AgentOutput(progress);
  return ports.lend([port], async () => {
    const device = await presentDevice(port, { exclusive: true });
    const { given, serial, isDemo } = port;
    const others = (await serial.getPorts()).filter((one) => one !== device);
    const usb = port.usb !== undefined && { usb: port.usb };
    const target = { given, port: device, serial, isDemo, family: port.family(device), ...usb };
    return reported(output, () => act(boardRun({ options, output, ended: endedBy(signal), target, others }), output));
  });
}

/** Returns the report of work, whose failures as a command are a part of it. */
export async function reported(output: AgentOutput, act: () => Promise<string | null>): Promise<WorkReport> {
  try {
    return { outcome: 'done', lines: output.lines, hash: await act() };
  } catch (error) {
    if (!(error instanceof CommandError)) {
      throw error;
    }
    const isRefusal = error.exitCode === exitCodes.refused || error.exitCode === exitCodes.usage;
    return { outcome: isRefusal ? 'refused' : 'failed', lines: [...output.lines, error.message], hash: null };
  }
}

/** Keeps what a command on a board says. */
export class AgentOutput extends BoardOutput {
  readonly lines: string[] = [];
  readonly #steps = new Map<string, object>();
  readonly #progress: WorkProgress;
  /** Contents of a file that was read; null without one. */
  content: Uint8Array | null = null;

  constructor(progress: WorkProgress) {
    super(true, false);
    this.#progress = progress;
  }

  /** Returns the newest facts of a step; empty without one. */
  facts(event: string): object {
    return this.#steps.get(event) ?? {};
  }

  override step(event: string, facts: object, text = ''): void {
    this.#steps.set(event, facts);
    if (text !== '') {
      this.lines.push(text);
    }
  }

  override result(event: string, facts: object, text: string): void {
    this.step(event, facts, text);
  }

  override bytes(content: Uint8Array): void {
    this.content = content;
  }

  override passing(): void {
    // Only the bar is of interest, as a progress.
  }

  override bar(_phase: string, label: string, { done, total }: Parameters<BoardOutput['bar']>[2]): void {
    this.#progress(label, done, total);
  }

  override text(): void {
    // The program's log comes by the port.
  }
}
