/** Settings of ports from the options of a command. */
import type { NativeSettings } from '@wirebench/node-port';
import { defaultPortSettings, type LinesAtOpen, type PortSettings } from '@wirebench/port';
import { pieceLimits, type SendPieces } from '@wirebench/serial';
import type { OptionValue, OptionValues } from './commands/command.ts';
import { CommandError, exitCodes } from './exit-code.ts';

export interface GivenSettings {
  readonly settings: PortSettings;
  /** Settings that Web Serial lacks. */
  readonly native: NativeSettings;
}

/** @throws CommandError for a value that no port has. */
export function readSettings(options: OptionValues): GivenSettings {
  const baudRate = wholeNumber(options['baud'], '--baud', 1, 0xffff_ffff) ?? defaultPortSettings.baudRate;
  const dataBits = oneOf(options['dataBits'], '--data-bits', ['5', '6', '7', '8'] as const) ?? '8';
  const stopBits = oneOf(options['stopBits'], '--stop-bits', ['1', '2'] as const) ?? '1';
  const parity = oneOf(options['parity'], '--parity', ['none', 'even', 'odd', 'mark', 'space'] as const) ?? 'none';
  const flow = oneOf(options['flow'], '--flow', ['none', 'hardware', 'software'] as const) ?? 'none';
  const lines: LinesAtOpen = oneOf(options['lines'], '--lines', ['keep', 'dtr', 'off'] as const) ?? 'keep';
  const isBeyond = { data: dataBits === '5' || dataBits === '6', parity: parity === 'mark' || parity === 'space' };
  return {
    settings: {
      baudRate,
      dataBits: dataBits === '7' ? 7 : 8,
      stopBits: stopBits === '2' ? 2 : 1,
      parity: parity === 'mark' || parity === 'space' ? 'none' : parity,
      flowControl: flow === 'software' ? 'none' : flow,
      linesAtOpen: lines,
    },
    native: {
      ...(isBeyond.data && { dataBits: Number(dataBits) as 5 | 6 }),
      ...(isBeyond.parity && { parity }),
      ...(flow === 'software' && { flowControl: flow }),
      exclusive: options['shared'] !== true,
    },
  };
}

/** Reads `--timeout` and returns milliseconds; null without one. */
export function readTimeout(options: OptionValues): number | null {
  const value = options['timeout'];
  const seconds = Number(value);
  if (value === undefined) {
    return null;
  }
  // Timers take 2^31 ms at most.
  if (!(seconds > 0 && seconds < 2_000_000)) {
    throw new CommandError(exitCodes.usage, `--timeout takes seconds, as in 30 or 0.5, and not ${value}.`);
  }
  return seconds * 1_000;
}

/** Reads `--pieces`; null without one. */
export function readPieces(options: OptionValues): SendPieces | null {
  const value = options['pieces'];
  if (value === undefined) {
    return null;
  }
  const [bytes, pause] = (/^(\d+):(\d+)$/.exec(String(value)) ?? []).slice(1).map(Number);
  const { mostBytes, leastPause, mostPause } = pieceLimits;
  const isFine = bytes !== undefined && pause !== undefined && bytes >= 1 && bytes <= mostBytes;
  if (!isFine || pause < leastPause || pause > mostPause) {
    throw new CommandError(
      exitCodes.usage,
      `--pieces takes bytes and milliseconds, as in 8:10, up to ${mostBytes}:${mostPause}, and not ${value}.`,
    );
  }
  return { bytes, pause };
}

/** @throws CommandError for any other value. */
export function wholeNumber(value: OptionValue, flag: string, least: number, most: number): number | null {
  const number = Number(value);
  if (value === undefined) {
    return null;
  }
  if (!Number.isInteger(number) || number < least || number > most) {
    throw new CommandError(exitCodes.usage, `${flag} takes a whole number from ${least} to ${most}, and not ${value}.`);
  }
  return number;
}

/** @throws CommandError for any other word. */
export function oneOf<Word extends string>(value: OptionValue, flag: string, words: readonly Word[]): Word | null {
  const word = words.find((one) => one === value);
  if (value !== undefined && word === undefined) {
    throw new CommandError(exitCodes.usage, `${flag} takes ${words.join(', ')}, and not ${value}.`);
  }
  return word ?? null;
}
