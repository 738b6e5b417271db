/** Measures the readers of stored lines: filters, stepping through matches, and plots. */
import { systemClock } from '@wirebench/clock';
import { defaultPortSettings } from '@wirebench/port';
import { Bench, type LineSearch, parseFilterField, type RowLayout, type RowQuery } from '@wirebench/serial';
import { orShortest } from '../shortest.ts';
import { logReads } from './log-source.ts';
import { medianOf, quantile, type Result } from './measure.ts';
import { SourcePort } from './source-port.ts';

const PAGE_ROWS = 60;
const LIVE_LINES = orShortest(200_000, 2_000);
const PLOT_LINES = orShortest(500_000, 2_000);
/** Number of random places at which rows are read, and of those before them that are not counted. */
const PLACES = orShortest(6_000, 60);
const UNCOUNTED_PLACES = orShortest(1_000, 10);

function filterOf(bench: Bench, field: string): LineSearch {
  const parsed = parseFilterField(field);
  if (!parsed.ok) {
    throw new Error(parsed.message);
  }
  return bench.search(parsed.query);
}

const fields: readonly { readonly field: string; readonly first: number; readonly all: number }[] = [
  { field: 'needle', first: 50, all: 300 },
  { field: 'port:1,2 mqtt value', first: 50, all: 300 },
  { field: 'not:wifi', first: 50, all: 300 },
  { field: 'level:error', first: 50, all: 300 },
  { field: 'port:1', first: 50, all: 300 },
  { field: '/^I .*value \\d*7 mV$/', first: 200, all: 1_000 },
  // Nested repetitions: a backtracking engine takes practically forever on a line of this length that does not match.
  { field: '/^([IE] |[\\w():]+ ?)+\\d+ ([a-z]+)+!$/', first: Number.POSITIVE_INFINITY, all: 1_000 },
];

/**
 * Measures filters.
 *
 * @param bench A bench with a million lines.
 */
export async function measureFilters(bench: Bench): Promise<Result[]> {
  const results: Result[] = [];
  for (const { field, first, all } of fields) {
    const firsts: number[] = [];
    const longest: number[] = [];
    let count = 0;
    const milliseconds = await medianOf(() => {
      const query: RowQuery = { layout: 'text', anchor: 'tail', count: PAGE_ROWS };
      const start = performance.now();
      const filter = filterOf(bench, field);
      let screenful = Number.NaN;
      let stall = 0;
      let stepBegan = start;
      for (let more = true; more; ) {
        more = filter.step();
        if (Number.isNaN(screenful) && bench.rows(query, { filter }).rows.length >= PAGE_ROWS) {
          screenful = performance.now() - start;
        }
        const now = performance.now();
        stall = Math.max(stall, now - stepBegan);
        stepBegan = now;
      }
      firsts.push(screenful);
      longest.push(stall);
      count = filter.count;
      return performance.now() - start;
    });
    const firstTook = quantile(firsts, 0.5);
    const screenful = Number.isNaN(firstTook) ? '' : `screenful ${firstTook.toFixed(1)} ms, `;
    results.push({
      what: `filter ${field} (${count.toLocaleString('en')} rows)`,
      measured: `${screenful}all ${milliseconds.toFixed(0)} ms, longest step ${quantile(longest, 0.5).toFixed(1)} ms`,
      target: `${Number.isFinite(first) ? `screenful < ${first} ms, ` : ''}all < ${all} ms`,
      reached: !(firstTook >= first) && milliseconds < all,
    });
  }
  return results;
}

/**
 * Measures stepping through matches.
 *
 * @param bench A bench with a million lines.
 */
export function measureFind(bench: Bench): Result[] {
  const filter = filterOf(bench, '"value 1"');
  while (filter.step()) {
    // Searches all lines before the stepping starts.
  }
  const newest = filter.sequenceAt(filter.count - 1) ?? 0;
  const microseconds = (run: (index: number) => void) => {
    const times: number[] = [];
    for (let index = 0; index < PLACES; index++) {
      const start = performance.now();
      run(index);
      if (index >= UNCOUNTED_PLACES) {
        times.push((performance.now() - start) * 1_000);
      }
    }
    return { median: quantile(times, 0.5), p99: quantile(times, 0.99) };
  };
  const place = (index: number) => (index * 7_919_317) % newest;
  const hits = filter.count.toLocaleString('en');
  const find = microseconds(
    (index) => void (index % 2 === 0 ? filter.next(place(index)) : filter.previous(place(index))),
  );
  const results: Result[] = [
    {
      what: `find next or previous from anywhere (${hits} hits)`,
      measured: `${find.median.toFixed(1)} µs, p99 ${find.p99.toFixed(0)} µs`,
      target: 'one frame (16 ms)',
      reached: find.p99 < 16_000,
    },
  ];
  for (const layout of ['text', 'hex'] satisfies RowLayout[]) {
    const { total } = bench.rows({ layout, anchor: 'tail', count: 0 }, { filter });
    const rows = microseconds((index) => {
      const position = (index * 7_919_317) % total;
      bench.rows({ layout, anchor: { position }, count: PAGE_ROWS }, { filter, marks: filter });
    });
    results.push({
      what: `rows(): ${PAGE_ROWS} ${layout} rows at random places through a filter, marked`,
      measured: `${rows.median.toFixed(0)} µs, p99 ${rows.p99.toFixed(0)} µs`,
      target: 'one frame (16 ms)',
      reached: rows.p99 < 16_000,
    });
  }
  return results;
}

/** Measures the cost of a line that arrives while a filter is active and rows are read once for each chunk. */
export async function measureLiveFilter(): Promise<Result[]> {
  const reads = [...logReads(LIVE_LINES, 4_096)];
  const cost = (field: string | null) =>
    medianOf(async () => {
      const bench = new Bench({ clock: systemClock });
      const filter = field === null ? undefined : filterOf(bench, field);
      const source = new SourcePort(
        (function* () {
          for (const read of reads) {
            yield read;
            bench.rows({ layout: 'text', anchor: 'tail', count: PAGE_ROWS }, { ...(filter && { filter }) });
          }
        })(),
      );
      const start = performance.now();
      await bench.connect(1, source, defaultPortSettings);
      await source.delivered;
      const took = performance.now() - start;
      await bench.dispose();
      return (took * 1_000) / LIVE_LINES;
    });
  const without = await cost(null);
  const results: Result[] = [];
  for (const field of ['mqtt', '/value \\d*7 mV$/']) {
    const more = (await cost(field)) - without;
    results.push({
      what: `new lines through the filter ${field}, rows asked for at each read`,
      measured: `${more.toFixed(2)} µs a line more than ${without.toFixed(2)} µs without`,
      target: '',
      reached: null,
    });
  }
  return results;
}

const readings: Readonly<Record<string, (line: number) => string>> = {
  'name:value': (line) =>
    `temperature:${(20 + (line % 100) / 10).toFixed(2)} humidity:${line % 100}.5 pressure:1013.25`,
  'names and units': (line) => `temp = ${20 + (line % 10)}.5 °C, hum: ${line % 100} %, press: 1013.2 hPa`,
  JSON: (line) => `{"temp":${20 + (line % 10)}.5,"hum":${line % 100},"pressure":1013.25,"name":"kitchen"}`,
  'text with names': (line) => `I (${line * 11}) main: value is: unknown, state: running, count=${line % 7}`,
  CSV: (line) => `${line % 1_000},${((line * 7) % 1_000) / 10},-${line % 33}.25`,
  'ESP-IDF log': (line) => `\x1b[0;32mI (${line * 11}) sensors: temp=${line % 40}.5 °C, hum=${line % 100} %\x1b[0m`,
};

export async function measurePlots(): Promise<Result[]> {
  const results: Result[] = [];
  for (const [kind, lineOf] of Object.entries(readings)) {
    const bench = new Bench({ clock: systemClock });
    const text = Array.from({ length: PLOT_LINES }, (_, line) => `${lineOf(line)}\r\n`).join('');
    const source = new SourcePort([new TextEncoder().encode(text)]);
    await bench.connect(1, source, defaultPortSettings);
    await source.delivered;
    const readAll = () => {
      const plot = bench.plot({ history: PLOT_LINES });
      while (plot.step()) {
        // The whole plot is measured.
      }
      return plot;
    };
    const milliseconds = await medianOf(() => {
      const start = performance.now();
      readAll();
      return performance.now() - start;
    });
    const perSecond = (PLOT_LINES / milliseconds) * 1_000;
    const plot = readAll();
    results.push({
      what: `plot: read ${PLOT_LINES.toLocaleString('en')} lines of ${kind} (${plot.series.length} series)`,
      measured: `${Math.round(perSecond).toLocaleString('en')} lines/s`,
      target: '≥ 256,000 lines/s',
      reached: perSecond >= 256_000,
    });
    if (kind === 'name:value') {
      results.push(await measureWindow(plot));
    }
    await bench.dispose();
  }
  return results;
}

async function measureWindow(plot: ReturnType<Bench['plot']>): Promise<Result> {
  const [first] = plot.series;
  if (first === undefined) {
    throw new Error('There are no series');
  }
  const milliseconds = await medianOf(() => {
    const start = performance.now();
    plot.window({ from: first.from, to: first.to + 1, width: 1_200 });
    return performance.now() - start;
  });
  const points = plot.series.reduce((sum, series) => sum + series.points, 0);
  return {
    what: `plot: ${points.toLocaleString('en')} points of ${plot.series.length} series thinned out for 1,200 columns`,
    measured: `${milliseconds.toFixed(1)} ms`,
    target: 'one frame (16 ms)',
    reached: milliseconds < 16,
  };
}
