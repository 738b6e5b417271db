/**
 * Imports a table of Modbus registers from a CSV file with a row of names: `name,device,table,address,type,order,scale,
 * offset,unit,values,flags,length,title`. Only `name` and `address` are needed; the order of the columns is free. A JSON file has
 * the registers of a decoder, as a list or in `registers`.
 */

import {
  byteOrders,
  checkDecoder,
  type DecoderRegister,
  decoderLimits,
  registerTables,
  registerTypes,
} from '@wirebench/contract/decoders';
import { fieldsOf, parseJson } from '@wirebench/contract/json';

export { registersOf } from './registers.ts';

export interface RegisterImport {
  readonly registers: readonly DecoderRegister[];
  /** Sentences, each with its row. Rows with a fault are left out. */
  readonly faults: readonly string[];
}

const columns = [
  'name',
  'device',
  'table',
  'address',
  'type',
  'order',
  'scale',
  'offset',
  'unit',
  'values',
  'flags',
  'length',
  'title',
] as const;
type Column = (typeof columns)[number];

/** Other names of columns, as tables of devices have them. */
const otherNames: ReadonlyMap<string, Column> = new Map([
  ['addr', 'address'],
  ['register', 'address'],
  ['slave', 'device'],
  ['unit id', 'device'],
  ['unitname', 'unit'],
  ['unit name', 'unit'],
  ['factor', 'scale'],
  ['bits', 'flags'],
]);

/** Reads rows of cells. Quotes hold separators, line ends and doubled quotes. */
function readRows(text: string): string[][] {
  const [head = ''] = text.split(/\r\n|\r|\n/, 1);
  const separator = [';', '\t', ','].find((one) => head.includes(one)) ?? ',';
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let isQuoted = false;
  const endRow = () => {
    row.push(cell);
    rows.push(row);
    row = [];
    cell = '';
  };
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (isQuoted) {
      if (character !== '"') {
        cell += character;
      } else if (text.charAt(at + 1) === '"') {
        cell += '"';
        at++;
      } else {
        isQuoted = false;
      }
    } else if (character === '"' && cell === '') {
      isQuoted = true;
    } else if (character === separator) {
      row.push(cell);
      cell = '';
    } else if (character === '\n' || character === '\r') {
      at += character === '\r' && text.charAt(at + 1) === '\n' ? 1 : 0;
      endRow();
    } else {
      cell += character;
    }
  }
  if (cell !== '' || row.length > 0) {
    endRow();
  }
  return rows;
}

/** Parses `0=off; 1=on`, also with commas or line ends between. Returns undefined for anything else. */
function parseNames(text: string): Record<string, string> | undefined {
  const names: Record<string, string> = {};
  for (const part of text.trim().split(/;|[,\r\n]+(?=\s*-?\d{1,20}\s*[=:])/)) {
    const [, number, name] = /^\s*(-?\d{1,20})\s*[=:]\s*(.*\S)\s*$/.exec(part) ?? [];
    // A second number in a name is that of another one, behind a separator that is not read.
    if (number === undefined || name === undefined || number in names || /(?:^|\s|[,|/])-?\d{1,20}\s*=/.test(name)) {
      return undefined;
    }
    names[number] = name;
  }
  return names;
}

/** A row cannot become a register. */
class RowFault extends Error {}

/** Imports a table. Nothing is thrown: each fault is a sentence. */
export function importRegisters(text: string): RegisterImport {
  return /^\ufeff?\s*[[{]/.test(text) ? importJson(text.replace(/^\ufeff/, '')) : importCsv(text);
}

/** Returns the first faults, and how many more there are. Apart from `Faults`, which pages would load with it. */
function firstOf(faults: readonly string[]): readonly string[] {
  const named = decoderLimits.faults - 1;
  return faults.length <= decoderLimits.faults
    ? faults
    : [...faults.slice(0, named), `${faults.length - named} more rows were not read.`];
}

function importJson(text: string): RegisterImport {
  const root = parseJson(text);
  const list = Array.isArray(root) ? root : fieldsOf(root)['registers'];
  if (!Array.isArray(list)) {
    return { registers: [], faults: ['The file must be JSON with a list of registers.'] };
  }
  const registers: DecoderRegister[] = [];
  const faults: string[] = [];
  for (const [index, register] of list.slice(0, decoderLimits.registers).entries()) {
    try {
      registers.push(checkedRegister(register));
    } catch (error) {
      if (!(error instanceof RowFault)) {
        throw error;
      }
      faults.push(`Register ${index + 1}: ${error.message}`);
    }
  }
  if (list.length > decoderLimits.registers) {
    faults.push(`Only the first ${decoderLimits.registers} registers were read.`);
  }
  return { registers, faults: firstOf(faults) };
}

function importCsv(text: string): RegisterImport {
  const [head = [], ...rows] = readRows(text.replace(/^\ufeff/, '')).filter((row) =>
    row.some((cell) => cell.trim() !== ''),
  );
  const places = new Map<Column, number>();
  const faults: string[] = [];
  for (const [index, cell] of head.entries()) {
    const title = cell.trim().toLowerCase();
    const column = columns.find((name) => name === title) ?? otherNames.get(title);
    if (column === undefined) {
      faults.push(`The column ${title.slice(0, decoderLimits.nameMaxLength)} is unknown and was left out.`);
    } else if (!places.has(column)) {
      places.set(column, index);
    }
  }
  if (!places.has('name') || !places.has('address')) {
    return { registers: [], faults: ['The first row must name the columns; name and address are needed.'] };
  }
  const registers: DecoderRegister[] = [];
  for (const [index, row] of rows.entries()) {
    if (registers.length === decoderLimits.registers) {
      faults.push(`Only the first ${decoderLimits.registers} registers were read.`);
      break;
    }
    try {
      if (row.slice(head.length).some((cell) => cell.trim() !== '')) {
        throw new RowFault('it has more cells than the first row. A cell with a separator needs quotes.');
      }
      registers.push(registerOf((column) => (row[places.get(column) ?? -1] ?? '').trim()));
    } catch (error) {
      if (!(error instanceof RowFault)) {
        throw error;
      }
      faults.push(`Row ${index + 2}: ${error.message}`);
    }
  }
  return { registers, faults: firstOf(faults) };
}

function registerOf(cell: (column: Column) => string): DecoderRegister {
  const number = (column: Column, least: number, most: number): number | undefined => {
    const text = cell(column);
    const value = text === '' ? undefined : Number(text);
    if (value !== undefined && !(Number.isInteger(value) && value >= least && value <= most)) {
      throw new RowFault(`${column} must be a whole number from ${least} to ${most}.`);
    }
    return value;
  };
  const fraction = (column: Column): number | undefined => {
    // A decimal comma is the form of many countries' spreadsheets.
    const text = cell(column).replace(',', '.');
    const value = text === '' ? undefined : Number(text);
    if (value !== undefined && !Number.isFinite(value)) {
      throw new RowFault(`${column} must be a number.`);
    }
    return value;
  };
  const word = <Word extends string>(column: Column, words: readonly Word[], usual: Word): Word => {
    const text = cell(column).toLowerCase();
    const found = text === '' ? usual : words.find((one) => one === text);
    if (found === undefined) {
      throw new RowFault(`${column} must be one of ${words.join(', ')}.`);
    }
    return found;
  };
  const names = (column: Column): Record<string, string> | undefined => {
    const text = cell(column);
    const value = text === '' ? undefined : parseNames(text);
    if (text !== '' && value === undefined) {
      throw new RowFault(`${column} must be like 0=off; 1=on.`);
    }
    return value;
  };
  const name = cell('name')
    .replaceAll(/[^\w]+/g, '_')
    .replace(/^(?=\d)/, '_');
  if (!/[A-Za-z\d]/.test(name) || name.length > decoderLimits.identifierMaxLength) {
    throw new RowFault(`name must be 1 to ${decoderLimits.identifierMaxLength} letters, digits and _.`);
  }
  const address = number('address', 0, 0xffff);
  if (address === undefined) {
    throw new RowFault('address is missing.');
  }
  const unit = cell('unit');
  const title = cell('title');
  const optional = {
    device: number('device', 0, 255),
    scale: fraction('scale'),
    offset: fraction('offset'),
    unit: unit === '' ? undefined : unit,
    title: title === '' ? undefined : title,
    values: names('values'),
    flags: names('flags'),
  };
  return checkedRegister({
    name,
    table: word('table', registerTables, 'holding'),
    address,
    type: word('type', registerTypes, optional.flags === undefined ? 'u16' : 'bits'),
    order: word('order', byteOrders, 'big'),
    length: number('length', 1, 125) ?? 1,
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)),
  });
}

/** Leaves the rules of names and texts to the check of decoders. */
function checkedRegister(register: unknown): DecoderRegister {
  const decoder = { name: 'any', title: 'Any', framing: { kind: 'gap', ms: 1 }, registers: [register] };
  const { content, faults } = checkDecoder(JSON.stringify(decoder));
  const [checked] = content?.registers ?? [];
  if (checked === undefined) {
    throw new RowFault(`${faults[0]?.replace(/^Register 1,? /, '') ?? 'it is no register'}.`);
  }
  return checked;
}

/** Returns the table as CSV, which `importRegisters` reads. Columns that no register uses are left out. */
export function exportRegisters(registers: readonly DecoderRegister[]): string {
  const rows = registers.map(cellsOf);
  const used = columns.filter(
    (column) => column === 'name' || column === 'address' || rows.some((cells) => cells[column] !== ''),
  );
  const lines = [used, ...rows.map((cells) => used.map((column) => cells[column]))];
  return `${lines.map((cells) => cells.map(csvCell).join(',')).join('\r\n')}\r\n`;
}

/** Returns the cells of a register. What has its usual value is empty. */
function cellsOf(register: DecoderRegister): Record<Column, string> {
  const { name, device, table, address, type, order, scale, offset, unit, values, flags, length, title } = register;
  const optional = (value: number | string | undefined, usual?: number | string) =>
    value === undefined || value === usual ? '' : String(value);
  const names = (entries: Readonly<Record<string, string>> | undefined) =>
    Object.entries(entries ?? {})
      .map(([number, word]) => `${number}=${word}`)
      .join('; ');
  return {
    name,
    device: optional(device),
    table: optional(table, 'holding'),
    address: String(address),
    // A register with flags has the type bits without saying so.
    type: flags === undefined ? optional(type, 'u16') : type,
    order: optional(order, 'big'),
    scale: optional(scale),
    offset: optional(offset),
    unit: optional(unit),
    values: names(values),
    flags: names(flags),
    length: optional(length, 1),
    title: optional(title),
  };
}

const csvCell = (text: string) => (/[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
