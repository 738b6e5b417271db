/** What a command of the board's shell is, and what it may use of the board. */
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
  /** Readings that have no other source. */
  readonly random: Random;
  readonly resetReason: ResetReason;
  /** Milliseconds since the chip started. */
  readonly uptime: number;
  /** Prints text with `\n` as its line ends; the wire gets CRLF. */
  print(text: string): void;
  /** Bytes to the wire as they are. */
  send(bytes: Uint8Array): void;
  /** Prints the sensors' readings every two seconds, or stops doing so. */
  setSensors(on: boolean): void;
  /** What is printed from now on goes out at this rate, in baud. */
  setBaudRate(baudRate: number): void;
  restart(): void;
  /** Panics and starts again; in one of the ways that are told of, with a core dump. */
  panic(kind?: CrashKind): void;
}

/** A command that is not done when it returns. While it runs nothing else is printed. */
export interface Job {
  /** The board has little left to send: produce more. */
  writable?(): void;
  /** Ends it early, with a last word; then it is done. */
  stop(): void;
  /** The chip stands still: it ends where it is, and is never done. */
  halt(): void;
}

export interface Command {
  /** Name and arguments as `help` shows them. */
  readonly usage: string;
  readonly summary: string;
  /** @returns a job that calls `done` when it has ended; null when there is nothing to wait for. */
  run(args: readonly string[], board: CommandBoard, done: () => void): Job | null;
}

/** The whole number that `text` writes in decimal; null when it is none, or not from `least` to `most`. */
export function wholeNumber(text: string | undefined, least: number, most: number): number | null {
  if (text === undefined || !/^\d{1,10}$/.test(text)) {
    return null;
  }
  const number = Number(text);
  return number >= least && number <= most ? number : null;
}

/** Says how a command is used, when it was used otherwise. */
export function printUsage(board: CommandBoard, { usage }: Pick<Command, 'usage'>): null {
  board.print(`usage: ${usage}\n`);
  return null;
}
