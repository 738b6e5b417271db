/** The measured scenarios, each in its own page. */
import { medianOf, quantile, type Result } from '../serial/measure.ts';
import { orShortest } from '../shortest.ts';
import { measureFirstUse } from './first-use.ts';
import { measureOpening } from './opening.ts';
import { type WatchedStretch, watch, watchInTurn } from './page-watch.ts';
import { measurePeers } from './peers/measure-peers.ts';
import { curves, measurePlot } from './plotting.ts';
import { heldBytes, workerHeap } from './process-memory.ts';
import type { Product } from './product.ts';
import { loadRules, ruleCount, workerSeconds } from './ruling.ts';
import { measureScrolling } from './scrolling.ts';
import { measureSearches } from './searching.ts';
import { expectedLoad, type SavedFile, TerminalPage } from './terminal-page.ts';
import { measureKeys, measureScreenKeys } from './typing.ts';

const MIB = 1 << 20;
const MILLION = 1_000_000;

/** Seconds before the measured period, so that the start does not count. */
const leadIn = orShortest(2, 1);
/** Seconds of load after the measured period, so that it never ends before. */
const reserve = orShortest(4, 1);

export type Scenario = (product: Product, seconds: number) => Promise<Result[]>;

const megabytes = (bytes: number) => `${(bytes / MILLION).toFixed(1)} MB`;
const mebibytes = (bytes: number) => `${Math.round(bytes / MIB)} MiB`;

function delivered(what: string, sent: SavedFile, got: SavedFile): Result {
  const same = sent.sha256 === got.sha256;
  const measured = same ? `${megabytes(got.bytes)}, equal by hash` : `${got.bytes} of ${sent.bytes} bytes, NOT equal`;
  return { what, measured, target: '0 bytes lost', reached: same };
}

interface PaintingTargets {
  /** Minimum frames a second. */
  readonly frames: number;
  /** Maximum share of the main thread's time, 0 to 1. */
  readonly busy?: number;
  readonly longTasks?: 0;
}

function painting(what: string, { frames, busy, longTasks }: WatchedStretch, targets: PaintingTargets): Result[] {
  const longest = Math.max(0, ...longTasks);
  return [
    {
      what: `${what}: frames`,
      measured: `${frames.toFixed(1)} a second`,
      target: `≥ ${targets.frames}`,
      reached: frames >= targets.frames,
    },
    {
      what: `${what}: main thread busy`,
      measured: `${(busy * 100).toFixed(1)} %`,
      target: targets.busy === undefined ? '' : `≤ ${targets.busy * 100} %`,
      reached: targets.busy === undefined ? null : busy <= targets.busy,
    },
    {
      what: `${what}: tasks over 50 ms`,
      measured: longTasks.length === 0 ? 'none' : `${longTasks.length}, longest ${longest.toFixed(0)} ms`,
      target: targets.longTasks === undefined ? '' : 'none',
      reached: targets.longTasks === undefined ? null : longTasks.length === 0,
    },
  ];
}

const firstUse: Scenario = async (product) => {
  const milliseconds = await medianOf(() => measureFirstUse(product), 5, 1);
  return [
    {
      what: 'first use: page load to the prompt of the demo board',
      measured: `${milliseconds.toFixed(0)} ms`,
      target: '≤ 1000 ms',
      reached: milliseconds <= 1_000,
    },
  ];
};

const openLog: Scenario = (product) => measureOpening(product, orShortest(MILLION, 40_000));

const fourPorts: Scenario = async (product, seconds) => {
  const ports = [1, 2, 3, 4] as const;
  const baudRate = 921_600;
  const rate = baudRate / 10;
  const duration = Math.ceil(seconds * 1.2) + leadIn + reserve;
  const terminal = await TerminalPage.open(product, { baudRate, bufferSize: 64 });
  for (const port of ports) {
    await terminal.connectDemo(port);
  }
  await terminal.clear();
  for (const port of ports) {
    await terminal.type(port, `load ${rate} ${duration}`);
  }
  await terminal.page.waitForTimeout(leadIn * 1_000);
  const stretch = await watchInTurn(terminal.page, seconds);
  const heap = await workerHeap(terminal.page);
  await terminal.quiet();
  const results: Result[] = [];
  for (const port of ports) {
    const sent = expectedLoad(rate, duration, port);
    results.push(delivered(`4 × 921,600 baud, ${duration} s: port ${port}`, sent, await terminal.exported(port)));
  }
  await terminal.close();
  return [
    ...results,
    ...painting('4 × 921,600 baud', stretch, { frames: 58, busy: 0.2 }),
    { what: '4 × 921,600 baud: heap of the worker', measured: mebibytes(heap), target: '', reached: null },
  ];
};

/** The same load without rules and with rules, one after the other. */
const rules: Scenario = async (product, seconds) => {
  const without = await ruled(product, seconds, false);
  const withRules = await ruled(product, seconds, true);
  const what = `4 × 921,600 baud, ${ruleCount} rules`;
  const cost = withRules.worker - without.worker;
  return [
    ...painting('4 × 921,600 baud, no rules', without.stretch, { frames: 58 }),
    workerResult('4 × 921,600 baud, no rules', without.worker),
    ...painting(what, withRules.stretch, { frames: 58, busy: 0.2 }),
    workerResult(what, withRules.worker),
    {
      what: `${what}: their part of the worker`,
      measured: Number.isNaN(cost) ? 'not available on this system' : `${(cost * 100).toFixed(1)} % of a core`,
      target: '≤ 20 %',
      reached: Number.isNaN(cost) ? null : cost <= 0.2,
    },
  ];
};

interface RuledStretch {
  readonly stretch: WatchedStretch;
  /** Share of a core that the worker took, demo devices included, 0 to 1. NaN if the system does not report it. */
  readonly worker: number;
}

async function ruled(product: Product, seconds: number, hasRules: boolean): Promise<RuledStretch> {
  const ports = [1, 2, 3, 4] as const;
  const baudRate = 921_600;
  const rate = baudRate / 10;
  const duration = Math.ceil(seconds * 1.2) + leadIn + reserve;
  const terminal = await TerminalPage.open(product, { baudRate, bufferSize: 64 });
  for (const port of ports) {
    await terminal.connectDemo(port);
  }
  if (hasRules) {
    await loadRules(terminal);
  }
  await terminal.clear();
  for (const port of ports) {
    await terminal.type(port, `load ${rate} ${duration}`);
  }
  await terminal.page.waitForTimeout(leadIn * 1_000);
  const before = await workerSeconds(product.browser);
  const start = performance.now();
  const stretch = await watchInTurn(terminal.page, seconds);
  const spent = ((await workerSeconds(product.browser)) ?? Number.NaN) - (before ?? Number.NaN);
  const worker = spent / ((performance.now() - start) / 1_000);
  await terminal.close();
  return { stretch, worker };
}

function workerResult(what: string, share: number): Result {
  const measured = Number.isNaN(share) ? 'not available on this system' : `${(share * 100).toFixed(1)} % of a core`;
  return { what: `${what}: worker`, measured, target: '', reached: null };
}

const screens: Scenario = async (product, seconds) => {
  const ports = [1, 2, 3, 4] as const;
  const baudRate = 921_600;
  const rate = baudRate / 10;
  const duration = Math.ceil(seconds * 1.2) + leadIn + 2 + reserve;
  const terminal = await TerminalPage.open(product, { baudRate, bufferSize: 64 });
  for (const port of ports) {
    await terminal.connectDemo(port);
  }
  await terminal.select(1);
  // The send field, for comparison: the same way to the port.
  const field = await measureKeys(terminal, seconds * 500);
  await terminal.page.getByRole('radio', { name: 'Screen' }).check();
  await terminal.page.locator('.xterm-screen').first().waitFor();
  const idle = await measureScreenKeys(terminal, seconds * 500);
  await terminal.page.getByRole('radio', { name: 'Text' }).check();
  await terminal.type(1, '');
  await terminal.clear();
  for (const port of ports) {
    await terminal.type(port, `load ${rate} ${duration}`);
  }
  await terminal.select(1);
  await terminal.page.getByRole('radio', { name: 'Screen' }).check();
  await terminal.page.waitForTimeout(leadIn * 1_000);
  const stretch = await watchInTurn(terminal.page, seconds);
  await terminal.page.getByRole('radio', { name: 'Text' }).check();
  await terminal.quiet();
  const results: Result[] = [];
  for (const port of ports) {
    const sent = expectedLoad(rate, duration, port);
    results.push(delivered(`Screen, 4 × 921,600 baud: port ${port}`, sent, await terminal.exported(port)));
  }
  await terminal.close();
  const p95 = quantile(idle, 0.95);
  return [
    ...results,
    ...painting('Screen, 4 × 921,600 baud', stretch, { frames: 50, busy: 0.4 }),
    {
      what: `Screen: key press to byte written, ${idle.length} presses`,
      measured: `median ${quantile(idle, 0.5).toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`,
      target: '≤ 8 ms at 95 %',
      reached: p95 <= 8,
    },
    {
      what: `Send field beside it, ${field.length} presses`,
      measured: `median ${quantile(field, 0.5).toFixed(1)} ms, p95 ${quantile(field, 0.95).toFixed(1)} ms`,
      target: '',
      reached: null,
    },
  ];
};

const oneFast: Scenario = async (product, seconds) => {
  const rate = 4 * MILLION;
  const duration = seconds + leadIn + Math.ceil(reserve / 2);
  const terminal = await TerminalPage.open(product, { baudRate: rate * 10, bufferSize: 64 });
  await terminal.connectDemo(1);
  await terminal.connectDemo(2);
  await terminal.select(2);
  await terminal.page.getByRole('button', { name: 'Save the log' }).click();
  await terminal.page.getByRole('menuitem', { name: 'Record received bytes…' }).click();
  // A recording of one file is saved at once. Those of several ports wait.
  for (const other of [2, 3, 4]) {
    await terminal.page.getByRole('switch', { name: `Port ${other}` }).uncheck();
  }
  await terminal.page.getByRole('button', { name: 'Start recording' }).click();
  const stop = terminal.page.getByRole('button', { name: 'Stop recording and save the file' });
  await stop.waitFor();
  await terminal.type(1, `load ${rate} ${duration}`);
  await terminal.page.waitForTimeout(leadIn * 1_000);
  let latencies: readonly number[] = [];
  const stretch = await watch(terminal.page, async () => {
    latencies = await measureKeys(terminal, seconds * 1_000);
  });
  const heap = await workerHeap(terminal.page);
  await terminal.quiet();
  const got = await terminal.saved(stop);
  await terminal.close();
  const median = quantile(latencies, 0.5);
  return [
    delivered(`4 MB/s recorded, ${duration} s`, expectedLoad(rate, duration, 1), got),
    ...painting('4 MB/s recorded', stretch, { frames: 55, longTasks: 0 }),
    {
      what: `4 MB/s: key press to byte written, ${latencies.length} presses`,
      measured: `median ${median.toFixed(1)} ms, p95 ${quantile(latencies, 0.95).toFixed(1)} ms`,
      target: '< 5 ms median',
      reached: median < 5,
    },
    { what: '4 MB/s: heap of the worker', measured: mebibytes(heap), target: '', reached: null },
  ];
};

/** Seconds of each of two loads. */
const manySeconds = orShortest(10, 1);

const manyLines: Scenario = async (product) => {
  const rate = 4 * MILLION;
  const terminal = await TerminalPage.open(product, { baudRate: rate * 10, bufferSize: 128 });
  await terminal.connectDemo(1);
  await terminal.clear();
  await terminal.type(1, `load ${rate} ${manySeconds}`);
  await terminal.quiet();
  const searches = await measureSearches(terminal);
  await terminal.type(1, `load ${rate} ${manySeconds}`);
  await terminal.quiet();
  const scrolling = await measureScrolling(terminal);
  const held = await heldBytes(product.browser);
  const lines = await terminal.worker.evaluate(() => globalThis.bench.bench.status().lines);
  await terminal.close();
  // The ring, 33 bytes a line and 150 MB: what was promised for 2,000,000 lines.
  const most = 334 * MIB;
  const memory: Result = {
    what: `memory with ${lines.toLocaleString('en')} lines, buffer of 128 MiB`,
    measured: held === undefined ? 'not available on this system' : mebibytes(held),
    target: `≤ ${mebibytes(most)}`,
    reached: held === undefined ? null : held <= most,
  };
  return [...searches, ...scrolling, memory];
};

/** Points of each curve. Arduino's plotter shows 50, others 2,000. */
const plottedPoints = orShortest(10_000, 500);

const plot: Scenario = async (product, seconds) => {
  const terminal = await TerminalPage.open(product, { baudRate: 40 * MILLION, bufferSize: 64 });
  await terminal.connectDemo(1);
  const stretch = await measurePlot(terminal, plottedPoints, seconds);
  await terminal.close();
  const what = `plot of ${curves.length} curves, ${plottedPoints.toLocaleString('en')} points each`;
  return [
    {
      what: `${what}: pictures`,
      measured: `${stretch.draws.toFixed(1)} a second`,
      target: '≥ 58',
      reached: stretch.draws >= 58,
    },
    ...painting(what, stretch, { frames: 58, busy: 0.4 }),
  ];
};

export const scenarios: Readonly<Record<string, Scenario>> = {
  'first-use': firstUse,
  'open-log': openLog,
  'four-ports': fourPorts,
  rules,
  screens,
  'one-fast': oneFast,
  'many-lines': manyLines,
  plot,
  peers: measurePeers,
};
