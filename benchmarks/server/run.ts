/**
 * `npm run benchmark -- server`: measures the server beside its foundations, on both databases, and prints a table with
 * the targets. `-- --seconds 1` is a quick look; the default is 5 seconds for each figure. `-- --only <name of a
 * figure below>` selects one.
 */
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { requireQuietMachine } from '../quiet-machine.ts';
import { type Result, table } from '../serial/measure.ts';
import { isShortest, orShortest } from '../shortest.ts';
import { measureJkitSearch, measureMillionJkits } from './jkit-search.ts';
import { measureLiveGuests } from './live-guests.ts';
import { measureHealth, measureReadsWhileFlashed } from './mixed-load.ts';
import { openPostgresPlace, openSqlitePlace, type Place } from './places.ts';
import { measureCosts } from './request-costs.ts';
import { measureSharedRead } from './shared-read.ts';
import { measureProcesses } from './shared-read-processes.ts';
import { measureUpload } from './upload.ts';

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

const machine = requireQuietMachine(Object.keys(figures));
const { values } = parseArgs({ options: { seconds: { type: 'string' }, only: { type: 'string' } } });
const milliseconds = Number(values.seconds ?? orShortest(5, 0.1)) * 1_000;
const results: Result[] = [];
/** Figures with a row. The shortest run measures each on one database only. */
const measuredNames = new Set<string>();
for (const [name, measure] of Object.entries(figures)) {
  if (values.only !== undefined && values.only !== name) {
    continue;
  }
  for (const openPlace of [openSqlitePlace, openPostgresPlace]) {
    if (isShortest && measuredNames.has(name)) {
      continue;
    }
    await using place = await openPlace();
    if (place === null) {
      console.error('PostgreSQL is not installed here: measured on SQLite only.');
    } else {
      console.error(`Measuring ${name} on ${place.name}…`);
      const measured = await measure(place);
      results.push(...measured);
      if (measured.length > 0) {
        measuredNames.add(name);
      }
      // Prints each figure at once, in case a later one does not finish.
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
