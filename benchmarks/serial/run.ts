/**
 * `node benchmarks/serial/run.ts`: measures the serial terminal's engine in Node, without a browser. Prints a table
 * beside the terminal's targets. `benchmarks/terminal` measures the browser's part.
 */
import { execFileSync } from 'node:child_process';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { systemClock } from '@wirebench/clock';
import { defaultPortSettings } from '@wirebench/port';
import { Bench, type PortNumber, portNumbers, type RowLayout, type SearchQuery } from '@wirebench/serial';
import { requireQuietMachine } from '../quiet-machine.ts';
import { isShortest, orShortest } from '../shortest.ts';
import { controlLogs, logReads } from './log-source.ts';
import { medianOf, quantile, type Result, table } from './measure.ts';
import { measureOpenedLogs } from './opened-logs.ts';
import { SourcePort } from './source-port.ts';
import { measureFilters, measureFind, measureLiveFilter, measurePlots } from './views.ts';

const MIB = 1 << 20;
const MILLION = 1_000_000;
/** Lines of each measured log. */
const LINES = orShortest(MILLION, 40_000);
const linesText = `${LINES.toLocaleString('en')} lines`;
const PAGE_ROWS = 60;
/** Number of random places at which rows are read, and of those before them that are not counted. */
const PLACES = orShortest(6_000, 60);
const UNCOUNTED_PLACES = orShortest(1_000, 10);

/** Returns a bench that has received `lines` lines, spread over `ports`. */
async function filledBench(
  lines: number,
  ports: readonly PortNumber[],
  ringBytes: number,
  decorate?: (line: string) => string,
): Promise<Bench> {
  const bench = new Bench({ clock: systemClock, ringBytes });
  await Promise.all(
    ports.map(async (port) => {
      const source = new SourcePort(logReads(lines / ports.length, 16_384, decorate));
      await bench.connect(port, source, defaultPortSettings);
      await source.delivered;
    }),
  );
  return bench;
}

async function measureParsing(): Promise<Result[]> {
  const results: Result[] = [];
  for (const readBytes of [1_024, 16_384, MIB]) {
    const reads = [...logReads(LINES, readBytes)];
    const bytes = reads.reduce((sum, read) => sum + read.length, 0);
    const milliseconds = await medianOf(async () => {
      const bench = new Bench({ clock: systemClock });
      const source = new SourcePort(reads);
      const start = performance.now();
      await bench.connect(1, source, defaultPortSettings);
      await source.delivered;
      const took = performance.now() - start;
      if (bench.status().ports[1].lines !== LINES) {
        throw new Error('Not all lines arrived');
      }
      await bench.dispose();
      return took;
    });
    const perSecond = (LINES / milliseconds) * 1_000;
    results.push({
      what: `parse ${linesText}, reads of ${readBytes / 1_024} KiB`,
      measured: `${Math.round(perSecond).toLocaleString('en')} lines/s, ${(bytes / 1_000 / milliseconds).toFixed(0)} MB/s`,
      target: '≥ 256,000 lines/s',
      reached: perSecond >= 256_000,
    });
  }
  return results;
}

async function measureRows(bench: Bench): Promise<Result[]> {
  return (['text', 'hex'] satisfies RowLayout[]).map((layout) => {
    const { total } = bench.rows({ layout, anchor: 'tail', count: 0 });
    const times: number[] = [];
    for (let index = 0; index < PLACES; index++) {
      const position = (index * 7_919_317) % total;
      const start = performance.now();
      bench.rows({ layout, anchor: { position }, count: PAGE_ROWS });
      if (index >= UNCOUNTED_PLACES) {
        times.push((performance.now() - start) * 1_000);
      }
    }
    return {
      what: `rows(): ${PAGE_ROWS} ${layout} rows at random places`,
      measured: `${quantile(times, 0.5).toFixed(0)} µs, p99 ${quantile(times, 0.99).toFixed(0)} µs`,
      target: 'one frame (16 ms)',
      reached: quantile(times, 0.99) < 16_000,
    };
  });
}

interface SearchCase {
  readonly name: string;
  readonly query: SearchQuery;
  /** Maximum milliseconds until a first screenful (or the first match), and until the end. */
  readonly first: number;
  readonly all: number;
}

const searches: readonly SearchCase[] = [
  { name: 'text, rare', query: { kind: 'text', text: 'needle', ignoreCase: false }, first: 50, all: 300 },
  { name: 'text, rare, any case', query: { kind: 'text', text: 'NEEDLE', ignoreCase: true }, first: 50, all: 300 },
  {
    name: 'text, Cyrillic, any case',
    query: { kind: 'text', text: 'ошибка', ignoreCase: true },
    first: Infinity,
    all: 300,
  },
  { name: 'text, every line', query: { kind: 'text', text: '(', ignoreCase: false }, first: 50, all: 300 },
  { name: 'text, nowhere', query: { kind: 'text', text: 'nowhere', ignoreCase: false }, first: Infinity, all: 300 },
  {
    name: 'hex',
    query: { kind: 'hex', bytes: Uint8Array.of(0x6e, 0x65, 0x65, 0x64, 0x6c, 0x65) },
    first: 50,
    all: 300,
  },
  {
    name: 'regex',
    query: { kind: 'regex', source: '^I .*value \\d*7 mV$', ignoreCase: false },
    first: 200,
    all: 1_000,
  },
  {
    name: 'regex, any case',
    query: { kind: 'regex', source: 'NEEDLE|mqtt: channel 3 value 1\\d+', ignoreCase: true },
    first: 200,
    all: 1_000,
  },
];

async function measureSearches(bench: Bench, cases = searches, log = ''): Promise<Result[]> {
  const results: Result[] = [];
  for (const { name, query, first, all } of cases) {
    const firsts: number[] = [];
    let count = 0;
    const milliseconds = await medianOf(async () => {
      const start = performance.now();
      const search = bench.search(query);
      let found = Number.NaN;
      const wanted = query.kind === 'regex' ? PAGE_ROWS : 1;
      const look = () => {
        if (Number.isNaN(found) && search.count >= wanted) {
          found = performance.now() - start;
        }
      };
      while (search.step()) {
        look();
      }
      look();
      firsts.push(found);
      count = search.count;
      return performance.now() - start;
    });
    const firstTook = quantile(firsts, 0.5);
    results.push({
      what: `search ${name}${log} (${count.toLocaleString('en')} found)`,
      measured: `${Number.isNaN(firstTook) ? '' : `first ${firstTook.toFixed(1)} ms, `}all ${milliseconds.toFixed(0)} ms`,
      target: `${first === Infinity ? '' : `first < ${first} ms, `}all < ${all} ms`,
      reached: !(firstTook >= first) && milliseconds < all,
    });
  }
  return results;
}

/** Text in lines with control functions, which are no part of it. */
async function measureControlSearches(): Promise<Result[]> {
  const results: Result[] = [];
  const texts = searches.filter(({ query }) => query.kind === 'text');
  for (const [kind, decorate] of Object.entries(controlLogs)) {
    const bench = await filledBench(LINES, portNumbers, 64 * MIB, decorate);
    results.push(...(await measureSearches(bench, texts, `, ${kind}`)));
    await bench.dispose();
  }
  return results;
}

function* encoded(pieces: Iterable<string>): Generator<Uint8Array, void> {
  const encoder = new TextEncoder();
  for (const piece of pieces) {
    yield encoder.encode(piece);
  }
}

async function measureExports(bench: Bench): Promise<Result[]> {
  const errors = bench.search({ terms: [], levels: ['error'] });
  await errors.run(async () => undefined);
  const [oldest, newest] = [
    { sequence: 0, part: 0 },
    { sequence: Number.MAX_SAFE_INTEGER, part: 0 },
  ];
  const exports = {
    'export raw': () => bench.exportRaw(1),
    'export text': () => bench.exportText(),
    'export CSV': () => bench.exportCsv(),
    'export text through a filter (level:error)': () => bench.exportText({}, errors),
    'copy all rows': () => encoded(bench.copyRows({ layout: 'text', from: oldest, to: newest })),
  };
  return Promise.all(
    Object.entries(exports).map(async ([what, chunks]) => {
      let bytes = 0;
      const milliseconds = await medianOf(() => {
        const start = performance.now();
        bytes = 0;
        for (const chunk of chunks()) {
          bytes += chunk.length;
        }
        return performance.now() - start;
      }, 3);
      const measured = `${milliseconds.toFixed(0)} ms, ${(bytes / MIB).toFixed(0)} MiB`;
      return { what, measured, target: '', reached: null };
    }),
  );
}

/** Measures in a separate process, so that no other memory is counted. */
function measureMemory(lines: number): Result {
  const output = execFileSync(process.execPath, ['--expose-gc', fileURLToPath(import.meta.url), 'memory', `${lines}`], {
    encoding: 'utf8',
  });
  const { resident, held, dropped } = JSON.parse(output) as { resident: number; held: number; dropped: number };
  const ring = 128 * MIB;
  const index = held * 21;
  return {
    what: `memory for ${lines.toLocaleString('en')} lines, ring of 128 MiB${dropped > 0 ? `, ${dropped} dropped` : ''}`,
    measured: `${(resident / MIB).toFixed(0)} MiB resident in all`,
    target: `≤ ring + index (${(index / MIB).toFixed(0)} MiB) + 150 MB`,
    reached: resident <= ring + index + 150 * MILLION,
  };
}

async function reportMemory(lines: number): Promise<void> {
  const bench = await filledBench(lines, [1], 128 * MIB);
  globalThis.gc?.();
  const { lines: held, droppedLines: dropped } = bench.status();
  console.log(JSON.stringify({ resident: process.memoryUsage.rss(), held, dropped }));
  process.exit(0);
}

const parts: Readonly<Record<string, (bench: Bench) => Promise<Result[]> | Result[]>> = {
  rows: measureRows,
  searches: measureSearches,
  filters: measureFilters,
  'searches of control lines': measureControlSearches,
  find: measureFind,
  'live filter': measureLiveFilter,
  plots: measurePlots,
  exports: measureExports,
  'opened logs': measureOpenedLogs,
  memory: () => [measureMemory(LINES), measureMemory(2 * LINES)],
};

async function main(): Promise<void> {
  const machine = requireQuietMachine(['parsing', ...Object.keys(parts)]);
  const results = await measureParsing();
  const bench = await filledBench(LINES, portNumbers, 64 * MIB);
  for (const measure of Object.values(parts)) {
    results.push(...(await measure(bench)));
  }
  console.log(`Node ${process.version}, ${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} cores`);
  console.log(
    `${linesText} of about 40 bytes over 4 ports; ${isShortest ? 'one run' : 'medians of 7 runs after 2 warm-up runs'}.`,
  );
  console.log(`${machine}\n`);
  console.log(table(results));
  process.exit(0);
}

if (process.argv[2] === 'memory') {
  await reportMemory(Number(process.argv[3]));
} else {
  await main();
}
