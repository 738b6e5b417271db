/** Records of published lists, as they were read: one file a list, with the source, the date and one row a line. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Name by key. */
export type Rows = ReadonlyMap<string, string>;

interface ListRecord {
  readonly source: string;
  /** Date of the source's newest change, `2026-02-08`. */
  readonly date: string;
  readonly rows: Rows;
}

export const recordPath = (id: string) => fileURLToPath(new URL(`./records/${id}.tsv`, import.meta.url));

export const readRecord = (id: string) => parseRecord(readFileSync(recordPath(id), 'utf8'));

/** @throws Error if the two lines of the head are missing. */
export function parseRecord(text: string): ListRecord {
  const [source = '', date = '', ...lines] = text.trimEnd().split('\n');
  if (!source.startsWith('# source: ') || !date.startsWith('# as of: ')) {
    throw new Error('A record begins with its source and its date.');
  }
  const rows = lines.map((line): [string, string] => {
    const [key = '', name = ''] = line.split('\t');
    return [key, name];
  });
  return { source: source.slice('# source: '.length), date: date.slice('# as of: '.length), rows: new Map(rows) };
}

export function recordText(source: string, date: string, rows: Rows): string {
  const lines = [...rows].sort(([one], [other]) => (one < other ? -1 : 1)).map((row) => row.join('\t'));
  return [`# source: ${source}`, `# as of: ${date}`, ...lines, ''].join('\n');
}

/** Returns one line for each row that is new, gone or named differently. */
export function differencesOf(before: Rows, now: Rows): string[] {
  const found = [...now].flatMap(([key, name]) => {
    const old = before.get(key);
    return old === name ? [] : [old === undefined ? `new: ${key} ${name}` : `renamed: ${key} ${name}, was ${old}`];
  });
  const gone = [...before].filter(([key]) => !now.has(key)).map(([key, name]) => `gone: ${key} ${name}`);
  return [...found, ...gone];
}
