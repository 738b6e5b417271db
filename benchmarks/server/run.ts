/**
 * Measures the server beside what it is built on, on both databases: `npm run benchmark:server`. Prints a table with the
 * targets. `-- --seconds 1` for a quick look (5 seconds for each figure without it), `-- --only <name of a figure below>`.
 */
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { requireQuietMachine } from '../quiet-machine.ts';
import { type Result, table } from '../serial/measure.ts';
import { measureJkitSearch, measureMillionJkits } from './jkit-search.ts';
import { measureLiveGuests } from './live-guests.ts';
import { measureHealth, measureReadsWhileFlashed } from './mixed-load.ts';
import { openPostgresPlace, openSqlitePlace, type Place } from './places.ts';
import { measureCosts } from './request-costs.ts';
import { measureSharedRead } from './shared-read.ts';
import { measureProcesses } from './shared-read-processes.ts';
import { measureUpload } from './upload.ts';

const machine = requireQuietMachine();
const { values } = parseArgs({ options: { seconds: { type: 'string' }, only: { type: 'string' } } });
const milliseconds = Number(values.seconds ?? 5) * 1_000;

const figures: Readonly<Record<string, (place: Place) => Promise<readonly Result[]>>> = {
  read: (place) => measureSharedRead(place, milliseconds),
  flashed: (place) => measureReadsWhileFlashed(place, milliseconds),
  processes: (place) => measureProcesses(place, milliseconds),
  search: (place) => measureJkitSearch(place, milliseconds),
  million: (place) => measureMillionJkits(place, milliseconds),
  costs: (place) => measureCosts(place, milliseconds),
  upload: measureUpload,
  health: (place) => measureHealth(place, milliseconds),
  live: (place) => measureLiveGuests(place, milliseconds),
};

const results: Result[] = [];
for (const [name, measure] of Object.entries(figures)) {
  if (values.only !== undefined && values.only !== name) {
    continue;
  }
  for (const openPlace of [openSqlitePlace, openPostgresPlace]) {
    await using place = await openPlace();
    if (place === null) {
      console.error('PostgreSQL is not installed here: measured on SQLite only.');
    } else {
      console.error(`Measuring ${name} on ${place.name}…`);
      const measured = await measure(place);
      results.push(...measured);
      // Some take long: what is there is shown, should the rest not come to its end.
      for (const { what, measured: figure } of measured) {
        console.error(`  ${what}: ${figure}`);
      }
    }
  }
}
console.log(`Node ${process.version}, ${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} cores`);
console.log('Server, load and database share this machine; each figure beside its baseline in the same run.');
console.log(`${machine}\n`);
console.log(table(results));
