/**
 * Parses the settings in an address such as `/app/uart?baud=9600&parity=even&name=GNSS`. Each value is validated
 * separately. Invalid values are reported and skipped, unknown parameters are ignored.
 */
import { linesAtOpen, type PortSettings } from '@wirebench/port';
import { parseFilterField } from '@wirebench/serial';
import type { TemporarySettings } from '../settings/settings-store.ts';
import { highestBaudRate, isBaudRate, lineEndings, longestName } from '../settings/terminal-settings.ts';

export interface TerminalAddress extends TemporarySettings {
  /** Text for the find field. Only matching lines are shown. */
  readonly filter?: string | undefined;
  /** One sentence for each invalid value. */
  readonly wrong: readonly string[];
}

type Changes = { -readonly [Key in keyof PortSettings]?: PortSettings[Key] };

/** Parses the query part of an address. Returns null if it contains no setting. */
export function readTerminalAddress(search: string): TerminalAddress | null {
  const parameters = new URLSearchParams(search);
  const wrong: string[] = [];
  const read = <Value>(name: string, take: (text: string) => Value | undefined, allowed: string): Value | undefined => {
    const text = parameters.get(name);
    if (text === null) {
      return undefined;
    }
    const value = take(text.trim());
    if (value === undefined) {
      wrong.push(`${name} is ${JSON.stringify(text.slice(0, longestShown))}, but must be ${allowed}.`);
    }
    return value;
  };
  const settings: Changes = {};
  const baudRate = read('baud', wholeRate, `a whole number from 1 to ${highestBaudRate}`);
  const dataBits = read('data', (text) => ([7, 8] as const).find((bits) => String(bits) === text), '7 or 8');
  const stopBits = read('stop', (text) => ([1, 2] as const).find((bits) => String(bits) === text), '1 or 2');
  const parity = read('parity', oneOf(['none', 'even', 'odd'] as const), 'none, even or odd');
  const linesChosen = read('lines', oneOf(linesAtOpen), 'dtr, off or keep');
  const lineEnding = read('ending', oneOf(lineEndings), 'none, lf, cr or crlf');
  const name = read('name', fittingName, `at most ${longestName} characters`);
  const filter = readFilter(parameters.get('filter'), wrong);
  Object.assign(
    settings,
    baudRate !== undefined && { baudRate },
    dataBits !== undefined && { dataBits },
    stopBits !== undefined && { stopBits },
    parity !== undefined && { parity },
    linesChosen !== undefined && { linesAtOpen: linesChosen },
  );
  const asked = Object.keys(settings).length > 0 || [lineEnding, name, filter].some((value) => value !== undefined);
  return asked || wrong.length > 0 ? { settings, lineEnding, name, filter, wrong } : null;
}

/** Maximum length of an invalid value quoted in a message, in characters. */
const longestShown = 40;

function wholeRate(text: string): number | undefined {
  return /^\d+$/.test(text) && isBaudRate(Number(text)) ? Number(text) : undefined;
}

function fittingName(text: string): string | undefined {
  return text.length <= longestName ? text : undefined;
}

/**
 * Returns the filter if it is valid. Uses the find field's own message for an invalid one, because an expression has
 * many faults.
 */
function readFilter(text: string | null, wrong: string[]): string | undefined {
  if (text === null || text.trim() === '') {
    return undefined;
  }
  const parsed = parseFilterField(text);
  if (!parsed.ok) {
    wrong.push(`filter cannot be used. ${parsed.message}`);
    return undefined;
  }
  return text;
}

function oneOf<Value extends string>(values: readonly Value[]): (text: string) => Value | undefined {
  return (text) => values.find((value) => value === text.toLowerCase());
}
