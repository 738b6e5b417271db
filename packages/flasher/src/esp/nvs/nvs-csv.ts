/**
 * CSV in the format of Espressif's `nvs_partition_gen.py` (ESP-IDF Programming Guide, "NVS Partition Generator Utility",
 * "CSV File Format"): the columns key, type, encoding and value, and a row for each namespace in front of its keys.
 */
import { hexOf, isSame, viewOf } from '../../core/bytes.ts';
import { matchNames, type NameMatch } from '../../core/named-files.ts';
import type { NvsChange } from './change-nvs.ts';
import { NvsError, type NvsFailure } from './nvs-failure.ts';
import {
  checkName,
  checkValue,
  isIntegerType,
  type NvsIntegerType,
  type NvsValue,
  stringValue,
  utf8Text,
} from './nvs-value.ts';
import { type LiveNvsEntry, liveEntries, type NvsStore } from './read-nvs.ts';

const columns = ['key', 'type', 'encoding', 'value'] as const;

/** A file whose keys are taken, or that a row of a CSV names. */
export interface SourceFile {
  /** Name, or path within a folder. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

interface NvsCsv {
  readonly text: string;
  /**
   * Keys whose value the format cannot hold: strings that are not UTF-8, contain a NUL or a carriage return, or have a
   * line that starts with `#`, which the generator takes for a comment. The text names them in comments.
   */
  readonly leftOut: readonly { readonly namespace: string; readonly key: string }[];
}

interface ReadNvsCsv {
  /** Each namespace and key is added or replaced. */
  readonly changes: readonly NvsChange[];
  /** Faults of single rows, each with its line. They contain no value. */
  readonly faults: readonly NvsError[];
}

/**
 * Rows of CSV as Python's `csv` module reads and writes them (Python documentation, "csv", "Dialects and Formatting
 * Parameters", dialect `excel`), and with the comments of Espressif's generator.
 */

interface CsvRow {
  /** Line on which the row starts, counted from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/**
 * Reads rows. Lines that start with `#` are comments, also within a quoted value: the generator drops them before it
 * reads the rows. Empty lines are left out.
 *
 * @throws NvsError `csv-quote`.
 */
function readCsvRows(text: string): CsvRow[] {
  const rows: CsvRow[] = [];
  let cells: string[] = [];
  let cell = '';
  let state: 'start' | 'plain' | 'quoted' | 'closed' = 'start';
  let startLine = 1;
  const endCell = () => {
    cells.push(cell);
    cell = '';
    state = 'start';
  };
  for (const [index, line] of text
    .replace(/^\ufeff/, '')
    .split(/\r\n|\r|\n/)
    .entries()) {
    if (line.startsWith('#')) {
      continue;
    }
    if (state !== 'quoted') {
      startLine = index + 1;
    }
    for (const character of line) {
      if (state === 'quoted') {
        if (character === '"') {
          state = 'closed';
        } else {
          cell += character;
        }
      } else if (character === ',') {
        endCell();
      } else if (character === '"' && state !== 'plain') {
        // Two quotation marks within a quoted value are one of its characters.
        cell += state === 'closed' ? '"' : '';
        state = 'quoted';
      } else {
        cell += character;
        state = 'plain';
      }
    }
    if (state === 'quoted') {
      cell += '\n';
    } else if (cells.length > 0 || line !== '') {
      endCell();
      rows.push({ line: startLine, cells });
      cells = [];
    }
  }
  if (state === 'quoted') {
    throw new NvsError('csv-quote', { line: startLine });
  }
  return rows;
}

/** Returns a row with its line end. Cells with commas, quotation marks or line breaks are quoted, and a `#` in front. */
function csvRow(cells: readonly string[]): string {
  const quoted = cells.map((cell, index) =>
    /[",\r\n]/.test(cell) || (index === 0 && cell.startsWith('#')) ? `"${cell.replaceAll('"', '""')}"` : cell,
  );
  return `${quoted.join(',')}\n`;
}

/**
 * Reads a CSV file as changes. A row with a fault is left out, and so are the keys below a namespace with one.
 *
 * @param files Given files, by whose paths rows of the type `file` name them.
 * @throws NvsError `csv-columns` or `csv-quote`: nothing can be read.
 */
export function readNvsCsv(text: string, files: readonly SourceFile[] = []): ReadNvsCsv {
  const [head, ...rows] = readCsvRows(text);
  const places = columns.map((name) => head?.cells.indexOf(name) ?? -1);
  if (places.includes(-1)) {
    throw new NvsError('csv-columns', { line: head?.line ?? 1 });
  }
  const named = filesNamed(
    rows.flatMap(({ cells }) => (cells[places[1] ?? 0] === 'file' ? [cells[places[3] ?? 0] ?? ''] : [])),
    files,
  );
  const changes: NvsChange[] = [];
  const faults: NvsError[] = [];
  const seen = new Set<string>();
  let namespace: string | null = null;
  /** True: the namespace of the rows is refused. */
  let isRefused = false;
  for (const { line, cells } of rows) {
    const [key = '', type = '', encoding = '', value = ''] = places.map((place) => cells[place] ?? '');
    try {
      if (type === 'namespace') {
        isRefused = true;
        checkName(key, key);
        isRefused = false;
        namespace = key;
        changes.push({ kind: 'add-namespace', namespace });
        continue;
      }
      if (isRefused) {
        continue;
      }
      const row = { line, key, encoding: encoding.toLowerCase(), value };
      const read = type === 'data' ? dataValue(row) : type === 'file' ? fileValue(row, named) : fail(row, 'csv-type');
      checkName(key, key);
      checkValue(read, { pages: Number.POSITIVE_INFINITY, version: 2 }, key);
      if (namespace === null) {
        fail(row, 'csv-before-namespace');
      }
      const name = JSON.stringify([namespace, key]);
      if (seen.has(name)) {
        fail(row, 'csv-twice');
      }
      seen.add(name);
      changes.push({ kind: 'set', namespace, key, value: read });
    } catch (error) {
      if (!(error instanceof NvsError)) {
        throw error;
      }
      faults.push(new NvsError(error.code, { line, where: error.where ?? key, cause: error }));
    }
  }
  return { changes, faults };
}

/**
 * Writes the keys that firmware reads as CSV. Blobs are hex2bin.
 *
 * @param isHidden Chooses keys whose values are not written. Comments name them.
 */
export function nvsCsv(store: NvsStore, isHidden: (entry: LiveNvsEntry) => boolean = () => false): NvsCsv {
  const entries = liveEntries(store);
  const leftOut: LiveNvsEntry[] = [];
  let text = csvRow(columns);
  for (const namespace of store.namespaces) {
    text += csvRow([namespace, 'namespace', '', '']);
    for (const entry of entries.filter((one) => one.namespace === namespace)) {
      if (isHidden(entry)) {
        text += `# ${JSON.stringify(entry.key)} is left out: its value is secret.\n`;
        continue;
      }
      const cells = cellsOf(entry.value);
      if (cells === null) {
        leftOut.push(entry);
        text += `# ${JSON.stringify(entry.key)} is left out: CSV cannot hold its value.\n`;
      } else {
        text += csvRow([entry.key, 'data', ...cells]);
      }
    }
  }
  return { text, leftOut };
}

interface ValueRow {
  readonly line: CsvRow['line'];
  readonly key: string;
  readonly encoding: string;
  readonly value: string;
}

function fail({ line, key }: ValueRow, code: NvsFailure, where = key): never {
  throw new NvsError(code, { line, where });
}

function dataValue(row: ValueRow): NvsValue {
  const { encoding, value } = row;
  if (isIntegerType(encoding)) {
    return integer(row, encoding);
  }
  if (encoding.startsWith('blob_fill') || encoding.startsWith('blob_sz_fill')) {
    return { type: 'blob', bytes: filledBytes(row, new TextEncoder().encode(value)) };
  }
  switch (encoding) {
    case 'string':
      return stringValue(value);
    case 'binary':
      return { type: 'blob', bytes: new TextEncoder().encode(value) };
    case 'hex2bin':
      return { type: 'blob', bytes: hexBytes(row) };
    case 'base64':
      return { type: 'blob', bytes: base64Bytes(row) };
    default:
      return fail(row, 'csv-encoding');
  }
}

/** Finds the files that rows name. Rows may name a file several times. */
function filesNamed(
  paths: readonly string[],
  files: readonly SourceFile[],
): ReadonlyMap<string, NameMatch<SourceFile>> {
  const matches = matchNames(paths, files, {
    isShared: true,
    isSame: (one, other) => isSame(one.bytes, other.bytes),
  });
  return new Map(paths.map((path, index) => [path, matches[index] ?? { kind: 'missing' }]));
}

/** A file contains a string, bytes, or the text of another encoding. */
function fileValue(row: ValueRow, named: ReadonlyMap<string, NameMatch<SourceFile>>): NvsValue {
  const match = named.get(row.value) ?? { kind: 'missing' };
  if (match.kind !== 'found') {
    return fail(row, match.kind === 'several' ? 'csv-files' : 'csv-file', `${row.key} (${row.value})`);
  }
  const file = match.file.bytes;
  switch (row.encoding) {
    case 'binary':
      return { type: 'blob', bytes: file };
    case 'string':
      return { type: 'str', bytes: file };
    default:
      return row.encoding.includes('fill')
        ? { type: 'blob', bytes: filledBytes(row, file) }
        : dataValue({ ...row, value: utf8Text(file) ?? '' });
  }
}

/** Reads a decimal number, as Python's `int` does. */
function integer(row: ValueRow, type: NvsIntegerType): NvsValue {
  const text = row.value.trim();
  return /^[+-]?\d+(_\d+)*$/.test(text)
    ? { type, value: BigInt(text.replaceAll(/[+_]/g, '')) }
    : fail(row, 'csv-number');
}

function hexBytes(row: ValueRow): Uint8Array {
  const text = row.value.trim();
  return /^([\da-f]{2})*$/i.test(text)
    ? Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
    : fail(row, 'csv-hex');
}

/** Reads Base64 as Python's `a2b_base64` does: other characters do not count, and the padding ends it. */
function base64Bytes(row: ValueRow): Uint8Array {
  const [text = ''] =
    /^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?/.exec(row.value.replaceAll(/[^A-Za-z\d+/=]/g, '')) ??
    [];
  const rest = row.value.replaceAll(/[^A-Za-z\d+/=]/g, '').slice(text.length);
  return text.endsWith('=') || rest === ''
    ? Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
    : fail(row, 'csv-base64');
}

/** Most bytes of a filled value: more than any partition holds. */
const maxFill = 1_048_576;

/**
 * Returns bytes that are filled up to a length: `blob_fill(64;0x00)`. In front of `blob_sz_fill`, a word of 32 bits has the
 * length without the filling (`nvs_partition_gen.py`, `write_entry`).
 */
function filledBytes(row: ValueRow, value: Uint8Array): Uint8Array {
  const [, kind, length = '', filler = ''] =
    /^(blob_fill|blob_sz_fill)\((\d+);(0x[\da-f]{2})\)/.exec(row.encoding) ?? [];
  if (kind === undefined) {
    return fail(row, 'csv-fill');
  }
  if (value.length > Number(length)) {
    return fail(row, 'csv-fill-long');
  }
  if (Number(length) > maxFill) {
    return fail(row, 'nvs-blob-long');
  }
  const head = kind === 'blob_sz_fill' ? 4 : 0;
  const bytes = new Uint8Array(head + Number(length)).fill(Number(filler));
  if (head > 0) {
    viewOf(bytes).setUint32(0, value.length, true);
  }
  bytes.set(value, head);
  return bytes;
}

/** Returns encoding and value; null if the format cannot hold the value. */
function cellsOf(value: NvsValue): [string, string] | null {
  switch (value.type) {
    case 'blob':
      return ['hex2bin', hexOf(value.bytes)];
    case 'str': {
      const text = utf8Text(value.bytes);
      return text === null || text.includes('\0') || /\r|\n#/.test(text) ? null : ['string', text];
    }
    default:
      return [value.type, `${value.value}`];
  }
}
