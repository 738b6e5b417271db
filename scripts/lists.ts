/**
 * `npm run lists`: lists that other projects publish and the product ships. With the id of a list and a newer copy of
 * its source, as a file or an address, it prints what is new, gone or named differently since the list was read.
 * `--read <date>` also renews the record of the list, which tests compare with the shipped rows.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { publishedLists } from './lists/published-lists.ts';
import { differencesOf, readRecord, recordPath, recordText } from './lists/records.ts';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { read: { type: 'string' } } });
const [id, source] = positionals;

async function load(place: string): Promise<string> {
  if (!/^https?:/.test(place)) {
    return readFileSync(place, 'utf8');
  }
  const response = await fetch(place);
  if (!response.ok) {
    throw new Error(`${place} answered ${response.status}.`);
  }
  return response.text();
}

const list = publishedLists.find((one) => one.id === id);
if (list === undefined || source === undefined) {
  for (const { id: name, source: address, shippedIn } of publishedLists) {
    const { date, rows } = readRecord(name);
    console.log(`${name}: ${rows.size} rows, as of ${date}\n  from ${address}\n  in ${shippedIn}`);
  }
  console.log('\nnpm run lists -- <list> <file or address> [--read <date of the source>]');
  process.exitCode = positionals.length === 0 ? 0 : 2;
} else {
  const now = list.read(await load(source));
  const { date, rows } = readRecord(list.id);
  const lines = differencesOf(rows, now);
  for (const line of lines) {
    console.log(line);
  }
  console.log(`${lines.length} differences since ${date}. Shipped in ${list.shippedIn}.`);
  for (const [key, name] of now) {
    if (list.shipped(key) === null) {
      console.log(`Not named in the product: ${key} ${name}`);
    }
  }
  if (values.read !== undefined) {
    writeFileSync(recordPath(list.id), recordText(list.source, values.read, now));
  }
}
