/** The interface of the shell's commands, and the parts of the board that they may use. */
import type { Clock } from '@wirebench/clock';
import type { Random } from '../random.ts';
import type { DeviceLine } from '../wire/device.ts';
import type { UartLink } from '../wire/link.ts';
import type { ResetReason } from './boot-log.ts';
import type { CrashKind } from './crash/scenes.ts';

export interface CommandBoard {
  readonly clock: Clock;
  readonly line: DeviceLine;
  readonly link: UartLink;
  readonly seed: number;
  /** Source of the noise in simulated readings. */
  readonly random: Random;
  readonly resetReason: ResetReason;
  /** Milliseconds since the chip started. */
  readonly uptime: number;
  /** Prints text with `\n` as its line ends; the wire receives CRLF. */
  print(text: string): void;
  /** Sends bytes to the wire unchanged. */
  send(bytes: Uint8Array): void;
  /** Starts or stops the sensors' readings, which are printed every two seconds. */
  setSensors(on: boolean): void;
  /** Changes the rate of all further output, in baud. */
  setBaudRate(baudRate: number): void;
  restart(): void;
  /**
   * Panics and restarts.
   * @param kind Crash to simulate, with a core dump. Default: a fixed panic without one.
   */
  panic(kind?: CrashKind): void;
}

/** A command that continues after `run` returns. While it runs, the shell prints nothing else. */
export interface Job {
  /** Called when the board has little left to send: produce more. */
  writable?(): void;
  /** Takes a typed line, which is not echoed. Without it, the line `stop` ends the job and others are ignored. */
  line?(text: string): void;
  /** Ends the job early, with a final message if it has one, then calls `done`. */
  stop(): void;
  /** Called when the chip halts. The job ends at once and never calls `done`. */
  halt(): void;
}

export interface Command {
  /** Name and arguments as `help` shows them. */
  readonly usage: string;
  readonly summary: string;
  /** @returns A job that calls `done` when it has ended, or null if the command is already done. */
  run(args: readonly string[], board: CommandBoard, done: () => void): Job | null;
}

/** Parses a whole decimal number. Returns null for other text and for numbers outside `least` to `most`. */
export function wholeNumber(text: string | undefined, least: number, most: number): number | null {
  if (text === undefined || !/^\d{1,10}$/.test(text)) {
    return null;
  }
  const number = Number(text);
  return number >= least && number <= most ? number : null;
}

/** Prints the command's usage after invalid arguments. */
export function printUsage(board: CommandBoard, { usage }: Pick<Command, 'usage'>): null {
  board.print(`usage: ${usage}\n`);
  return null;
}
