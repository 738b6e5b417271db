/**
 * What an address such as `/app/uart?baud=9600&parity=even&name=GNSS` asks of the terminal. Every value is checked by itself:
 * a wrong one is named and left out, a parameter that this version does not know is nobody's fault.
 */
import type { PortSettings } from '@wirebench/port';
import { parseFilterField } from '@wirebench/serial';
import type { TemporarySettings } from '../settings/settings-store.ts';
import { highestBaudRate, isBaudRate, lineEndings, longestName } from '../settings/terminal-settings.ts';

export interface TerminalAddress extends TemporarySettings {
  /** What is in the find field; only lines with it are shown. */
  readonly filter?: string | undefined;
  /** A sentence for each value that cannot be used. */
  readonly wrong: readonly string[];
}

type Changes = { -readonly [Key in keyof PortSettings]?: PortSettings[Key] };

/** @param search the query part of an address. Null when it asks for nothing. */
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
  const lineEnding = read('ending', oneOf(lineEndings), 'none, lf, cr or crlf');
  const name = read('name', fittingName, `at most ${longestName} characters`);
  const filter = readFilter(parameters.get('filter'), wrong);
  Object.assign(
    settings,
    baudRate !== undefined && { baudRate },
    dataBits !== undefined && { dataBits },
    stopBits !== undefined && { stopBits },
    parity !== undefined && { parity },
  );
  const asked = Object.keys(settings).length > 0 || [lineEnding, name, filter].some((value) => value !== undefined);
  return asked || wrong.length > 0 ? { settings, lineEnding, name, filter, wrong } : null;
}

/** Characters of a wrong value that are repeated to the person. */
const longestShown = 40;

function wholeRate(text: string): number | undefined {
  return /^\d+$/.test(text) && isBaudRate(Number(text)) ? Number(text) : undefined;
}

function fittingName(text: string): string | undefined {
  return text.length <= longestName ? text : undefined;
}

/** An expression can be wrong in many ways: the find field's own words say in which. */
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
