/**
 * Rows of CSV as Python's `csv` module reads and writes them (Python documentation, "csv", "Dialects and Formatting
 * Parameters", dialect `excel`), and with the comments of Espressif's generator.
 */
import { NvsError } from './nvs-failure.ts';

export interface CsvRow {
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
export function readCsvRows(text: string): CsvRow[] {
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
export function csvRow(cells: readonly string[]): string {
  const quoted = cells.map((cell, index) =>
    /[",\r\n]/.test(cell) || (index === 0 && cell.startsWith('#')) ? `"${cell.replaceAll('"', '""')}"` : cell,
  );
  return `${quoted.join(',')}\n`;
}
