/**
 * Index of the lines of all units. Rows are stored in typed arrays, grouped into runs of contiguous code. Runs are
 * sorted by their ends and searched like in LLVM's `DWARFDebugLine`. Rows that change nothing are left out.
 */
import { unlessDamaged } from '../dwarf/damage.ts';
import type { SourceFile } from '../dwarf/line-header.ts';
import type { LineRows } from '../dwarf/line-program.ts';
import { isTombstone } from '../dwarf/unit.ts';
import { NumberList } from './number-list.ts';
import { lastAtMost } from './search.ts';

/**
 * Source position. `file` is the index in the unit's table; `line` is counted from 1, with 0 for code without a line.
 */
export interface SourceLine {
  readonly file: number;
  readonly line: number;
}

/** Files of one unit and the position of its runs in the index. */
export interface LineTable {
  readonly version: number;
  readonly directories: readonly string[];
  readonly files: readonly (SourceFile | undefined)[];
  /** Directory in which the compiler ran. */
  readonly directory: string;
  readonly firstRun: number;
  readonly endRun: number;
}

interface Run {
  readonly low: number;
  readonly high: number;
  readonly firstRow: number;
  readonly endRow: number;
}

export class LineIndexBuilder {
  readonly #addresses: NumberList;
  readonly #files = new NumberList('narrow');
  readonly #lines = new NumberList('narrow');
  readonly #runs: Run[] = [];

  constructor(is64: boolean) {
    this.#addresses = new NumberList(is64 ? 'wide' : 'narrow');
  }

  /** Adds the rows that `makeRows` yields for one table. Keeps the rows before damage; `isWhole` is then false. */
  addTable(
    addressSize: number,
    makeRows: (rows: LineRows) => void,
  ): Pick<LineTable, 'firstRun' | 'endRun'> & { readonly isWhole: boolean } {
    const firstRun = this.#runs.length;
    const found: Run[] = [];
    const rows = this.#collect(addressSize, found);
    const isWhole = unlessDamaged(() => {
      makeRows(rows);
      return true;
    }, false);
    rows.drop();
    for (const run of found.toSorted((a, b) => a.high - b.high)) {
      this.#runs.push(run);
    }
    return { firstRun, endRun: this.#runs.length, isWhole };
  }

  build(): LineIndex {
    return new LineIndex({
      addresses: this.#addresses.toArray(),
      files: this.#files.toArray(),
      lines: this.#lines.toArray(),
      lows: Float64Array.from(this.#runs, ({ low }) => low),
      highs: Float64Array.from(this.#runs, ({ high }) => high),
      firstRows: Uint32Array.from(this.#runs, ({ firstRow }) => firstRow),
      endRows: Uint32Array.from(this.#runs, ({ endRow }) => endRow),
    });
  }

  /** Returns a receiver of rows. Its `drop` discards the rows of an unfinished run. */
  #collect(addressSize: number, found: Run[]): LineRows & { drop(): void } {
    const addresses = this.#addresses;
    const files = this.#files;
    const lines = this.#lines;
    let firstRow = addresses.length;
    const drop = () => {
      addresses.truncate(firstRow);
      files.truncate(firstRow);
      lines.truncate(firstRow);
    };
    return {
      drop,
      row(address, file, line) {
        const last = addresses.length - 1;
        if (last >= firstRow && addresses.at(last) === address) {
          // The later of two rows for one address replaces the earlier one.
          files.set(last, file);
          lines.set(last, line);
        } else if (last < firstRow || files.at(last) !== file || lines.at(last) !== line) {
          addresses.push(address);
          files.push(file);
          lines.push(line);
        }
      },
      endSequence(high) {
        const low = addresses.at(firstRow);
        const endRow = addresses.length;
        if (endRow > firstRow && low < high && !isTombstone(low, addressSize)) {
          found.push({ low, high, firstRow, endRow });
          firstRow = endRow;
        } else {
          drop();
        }
      },
    };
  }
}

interface LineArrays {
  readonly addresses: Uint32Array | Float64Array;
  readonly files: Uint32Array | Float64Array;
  readonly lines: Uint32Array | Float64Array;
  readonly lows: Float64Array;
  readonly highs: Float64Array;
  readonly firstRows: Uint32Array;
  readonly endRows: Uint32Array;
}

export class LineIndex {
  readonly #arrays: LineArrays;

  constructor(arrays: LineArrays) {
    this.#arrays = arrays;
  }

  get rows(): number {
    return this.#arrays.addresses.length;
  }

  /** Returns the line of `address` according to one table; undefined if the table has no code there. */
  find(table: LineTable, address: number): SourceLine | undefined {
    const { addresses, files, lines, lows, highs, firstRows, endRows } = this.#arrays;
    // First run that ends after the address.
    const run = lastAtMost(highs, address, table.firstRun, table.endRun) + 1;
    const low = lows[run];
    if (run >= table.endRun || low === undefined || address < low) {
      return undefined;
    }
    const firstRow = firstRows[run] ?? 0;
    const row = Math.max(firstRow, lastAtMost(addresses, address, firstRow, endRows[run] ?? 0));
    return { file: files[row] ?? 0, line: lines[row] ?? 0 };
  }
}

/**
 * Returns the path of a file in a table, absolute if the debug information gives enough directories. Undefined if the
 * table has no such file. Follows the rules of LLVM's `getFileNameByIndex` for absolute paths.
 */
export function pathOfFile(table: LineTable, index: number): string | undefined {
  const file = table.files[index];
  if (file === undefined) {
    return undefined;
  }
  if (isAbsolute(file.name)) {
    return file.name;
  }
  const directory = table.directories[file.directory] ?? '';
  // Directory 0 is the unit's own directory from version 5 on.
  const isOwn = table.version >= 5 && file.directory === 0;
  const base = isOwn || isAbsolute(directory) ? '' : table.directory;
  return [base, directory, file.name].reduce(joined);
}

function isAbsolute(path: string): boolean {
  return /^(\/|\\\\|[A-Za-z]:[/\\])/.test(path);
}

function joined(path: string, part: string): string {
  if (path === '' || part === '') {
    return path + part;
  }
  const separator = path.includes('/') || !path.includes('\\') ? '/' : '\\';
  return /[/\\]$/.test(path) ? path + part.replace(/^[/\\]+/, '') : path + separator + part;
}
