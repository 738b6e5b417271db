/** Cells of a sentence as values. Each cell becomes one field: an empty cell has no value. */
import { valueText } from '../frame-text.ts';
import type { DecodedField } from '../frame-types.ts';
import { type CellReading, cellReadings } from './cell-readings.ts';
import type { SentenceRule } from './nmea-sentences.ts';
import type { Sentence } from './sentence.ts';

/** Systems in the order of the letters of `modes` (NMEA 0183 version 4.11, GNS). */
const systems = ['GPS', 'GLONASS', 'Galileo', 'BeiDou', 'QZSS', 'NavIC'];

/** Returns the names of the cells of a sentence. Cells behind those that are known are numbered. */
function namesOf(rule: SentenceRule | undefined, count: number): string[] {
  const names: string[] = [];
  const [before = '', group = '', after = ''] = rule?.cells.split(/[()]/) ?? [];
  names.push(...words(before));
  const repeated = words(group);
  const times = repeated.length === 0 ? 0 : Math.floor((count - names.length) / repeated.length);
  for (let time = 1; time <= times; time++) {
    names.push(...repeated.map((name) => `${name}${time}`));
  }
  names.push(...words(after));
  for (let index = names.length; index < count; index++) {
    names.push(`cell${index + 1}`);
  }
  return names.slice(0, count);
}

export function words(text: string): string[] {
  return text.split(' ').filter(Boolean);
}

const asText: CellReading = { as: 'text' };
const asNumber: CellReading = {};

/** Returns how a cell of this name is read. Numbered cells are read as the first ones. */
function readingOf(name: string): CellReading {
  const known = cellReadings[name] ?? cellReadings[name.replace(/\d+$/, '')];
  return known ?? (name.startsWith('cell') ? asText : asNumber);
}

/** A cell of sentences of one type and number of cells. */
interface CellPlan {
  readonly name: string;
  readonly place: string;
  readonly reading: CellReading;
  /** Reading of the cell behind it. */
  readonly next: CellReading | undefined;
}

/** Plans that are kept. Types are few; a hostile stream may have sentences with any number of cells. */
const MAX_PLANS = 512;

/** Reads cells. It keeps what sentences of one type have in common. */
export class CellReader {
  readonly #plans = new Map<SentenceRule | undefined, Map<number, readonly CellPlan[]>>();
  #kept = 0;

  /** Returns a field for each cell. */
  read(rule: SentenceRule | undefined, { cells }: Sentence): DecodedField[] {
    const plans = this.#plansOf(rule, cells.length);
    return cells.map((cell, index) => {
      const { name, place, reading, next } = plans[index] as CellPlan;
      const companion = next?.as === 'side' || next?.as === 'unit' ? (cells[index + 1]?.text ?? '') : '';
      const field: Writable = { name, value: null, from: cell.from, to: cell.to, place };
      if (cell.text !== '') {
        const { value, named, raw, how } = cellValue(cell.text, reading, next?.as === 'side' ? companion : null);
        field.value = value;
        if (named !== undefined) {
          field.named = named;
        }
        if (raw !== undefined) {
          field.raw = raw;
        }
        if (how !== undefined) {
          field.how = how;
        }
      }
      const unit = next?.as === 'unit' && companion !== '' ? (next.names?.[companion] ?? companion) : reading.unit;
      if (unit !== undefined) {
        field.unit = unit;
      }
      return field;
    });
  }

  #plansOf(rule: SentenceRule | undefined, count: number): readonly CellPlan[] {
    const known = this.#plans.get(rule)?.get(count);
    if (known !== undefined) {
      return known;
    }
    const names = namesOf(rule, count);
    const readings = names.map(readingOf);
    const plans = names.map((name, index) => ({
      name,
      place: `cell ${index + 1}`,
      reading: readings[index] as CellReading,
      next: readings[index + 1],
    }));
    if (this.#kept >= MAX_PLANS) {
      this.#plans.clear();
      this.#kept = 0;
    }
    const ofRule = this.#plans.get(rule) ?? new Map<number, readonly CellPlan[]>();
    this.#plans.set(rule, ofRule.set(count, plans));
    this.#kept++;
    return plans;
  }
}

type Writable = { -readonly [Name in keyof DecodedField]: DecodedField[Name] };

type Value = Pick<DecodedField, 'value' | 'named' | 'raw' | 'how'>;

/** @param side Text of the cell with the sign; null if there is none. */
function cellValue(text: string, reading: CellReading, side: string | null): Value {
  const { names } = reading;
  switch (reading.as) {
    case 'text':
      return names?.[text] === undefined ? textOf(text) : { value: text, named: names[text] };
    case 'side':
    case 'unit':
      return names?.[text] === undefined ? { value: text } : { value: text, named: names[text] };
    case 'time':
      return timeOf(text);
    case 'date':
      return dateOf(text);
    case 'latitude':
      return degreesOf(text, side, latitudeForm);
    case 'longitude':
      return degreesOf(text, side, longitudeForm);
    case 'modes':
      return { value: text, named: [...text].map((letter, index) => modeOf(letter, index, names)).join(', ') };
    case 'hex':
      return /^[\dA-Fa-f]$/.test(text) ? numbered(Number.parseInt(text, 16), text, names) : strange(text);
    default:
      return numberOf(text, side, names);
  }
}

function modeOf(letter: string, index: number, names: CellReading['names']): string {
  return `${systems[index] ?? `system ${index + 1}`} ${names?.[letter] ?? letter}`;
}

/** `^hh` is a character that separates cells otherwise, in two hex digits (NMEA 0183 version 4.11, 7.1.4). */
function textOf(text: string): Value {
  if (!text.includes('^')) {
    return { value: text };
  }
  const value = text.replaceAll(/\^([\dA-Fa-f]{2})/g, (_all, digits) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
  return value === text ? { value } : { value, raw: text };
}

function strange(text: string): Value {
  return { value: null, named: 'not readable', raw: text };
}

function numbered(value: number, text: string, names: CellReading['names']): Value {
  const result: { -readonly [Name in keyof Value]: Value[Name] } = { value };
  const named = names?.[value];
  if (named !== undefined) {
    result.named = named;
  }
  if (!(isShortest(text) || String(value) === text)) {
    result.raw = text;
  }
  return result;
}

/** True for some of the texts that JavaScript writes for their number. It is faster than writing it. */
const isShortest = (text: string): boolean =>
  text.length <= 15 && /^-?(?:[1-9]\d*|0(?=\.[1-9]))(?:\.\d*[1-9])?$/.test(text);

function numberOf(text: string, side: string | null, names: CellReading['names']): Value {
  if (!/^[-+]?(?:\d+\.?\d*|\.\d+)$/.test(text)) {
    return strange(text);
  }
  const value = Number(text);
  if (side === null) {
    return numbered(value, text, names);
  }
  const sign = signOf(side);
  return sign === 0
    ? { value: null, named: 'without direction', raw: text }
    : { ...numbered(sign * value, text, names), raw: text };
}

/** @returns 0 for anything but a direction. */
function signOf(side: string): number {
  return side === 'N' || side === 'E' ? 1 : side === 'S' || side === 'W' ? -1 : 0;
}

/** Degrees, two digits of minutes, decimals of minutes. */
const latitudeForm = /^(\d{1,2})(\d{2}(?:\.\d*)?)$/;
const longitudeForm = /^(\d{1,3})(\d{2}(?:\.\d*)?)$/;

/** `ddmm.mmmm` or `dddmm.mmmm`. Its two digits before the point are minutes, those before them degrees. */
function degreesOf(text: string, side: string | null, form: RegExp): Value {
  const found = form.exec(text);
  const sign = signOf(side ?? '');
  const minutes = Number(found?.[2]);
  if (found === null || minutes >= 60) {
    return strange(text);
  }
  if (sign === 0) {
    return { value: null, named: 'without direction', raw: text };
  }
  const degrees = Number(found[1]) + minutes / 60;
  // A tenth of a millimetre.
  return { value: (sign * Math.round(degrees * 1e9)) / 1e9 + 0, raw: text, how: 'degrees and minutes' };
}

function timeOf(text: string): Value {
  const found = /^([01]\d|2[0-3])([0-5]\d)([0-5]\d|60)(\.\d*)?$/.exec(text);
  return found === null
    ? strange(text)
    : { value: `${found[1]}:${found[2]}:${found[3]}${found[4] ?? ''}`, raw: text, how: 'hours, minutes, seconds' };
}

/** `ddmmyy`. Years from 80 on are those of the last century: GPS began in 1980. */
function dateOf(text: string): Value {
  const found = /^(0[1-9]|[12]\d|3[01])(0[1-9]|1[0-2])(\d\d)$/.exec(text);
  if (found === null) {
    return strange(text);
  }
  const century = Number(found[3]) < 80 ? '20' : '19';
  return { value: `${century}${found[3]}-${found[2]}-${found[1]}`, raw: text, how: 'day, month, year' };
}

/** Word and decimals of a field in a row. */
export interface RowWords {
  readonly label?: string;
  readonly decimals?: number;
}

/**
 * Returns the fields of a row in words: `lat 47.660304°, fix RTK fixed`. Fields without a value are left out.
 *
 * @param about Words of a field by its name.
 */
export function rowOf(
  fields: readonly DecodedField[],
  row: readonly string[],
  about: (name: string) => RowWords = readingOf,
): string {
  return row
    .flatMap((name) =>
      fields.filter((field) => field.name === name && (field.value !== null || field.named !== undefined)),
    )
    .map((field) => {
      const { label, decimals } = about(field.name);
      const { value } = field;
      const shown =
        typeof value === 'number' && decimals !== undefined ? { ...field, value: value.toFixed(decimals) } : field;
      return `${label ?? field.name.replaceAll('_', ' ')} ${valueText(shown)}`.trim();
    })
    .join(', ');
}
