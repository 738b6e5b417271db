/**
 * `npm run benchmark -- lab [--seconds 60] [--runs 7] [--only click,bridge,page]`: measures the hardware debugger's
 * bench. It takes the time from a click to its answer, on the virtual clock and in a real browser. It also checks
 * that the bridge loses no bytes and that sessions do not change flash. A missed target is only shown, because the
 * machine may be the cause.
 */
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { requireQuietMachine } from '../quiet-machine.ts';
import { quantile, type Result, table } from '../serial/measure.ts';
import { isShortest, orShortest } from '../shortest.ts';
import { startProduct } from '../terminal/product.ts';
import { measurePage, type PageTimes } from './bench-page.ts';
import type { BridgeRates } from './bridge.ts';
import { measureBridgeInThread } from './bridge-thread.ts';
import { measureClicks } from './clicks.ts';
import { type BenchChip, benchChips } from './virtual-board.ts';

/** Milliseconds. */
const connectTarget = 2_000;
const scanTargets = new Map([
  [115_200, 3_000],
  [921_600, 1_000],
]);
const changeTarget = 30;
const bestRate = 921_600;
interface Bridge extends BridgeRates {
  /** Maximum seconds, even if `--seconds` is larger. */
  readonly longest: number;
}

/** The first has the target. The second runs at a link's usual highest rate, for comparison. */
const bridges: readonly Bridge[] = [
  { line: 921_600, link: 2_000_000, longest: Number.POSITIVE_INFINITY },
  { line: 460_800, link: 921_600, longest: 10 },
];
const parts = ['click', 'bridge', 'page'] as const;

const machine = requireQuietMachine(parts);
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: orShortest('60', '0.05') },
    runs: { type: 'string', default: orShortest('7', '1') },
    only: { type: 'string', default: parts.join(',') },
  },
});
const seconds = Number(values.seconds);
const runs = Number(values.runs);
const chosen = values.only.split(',');
if (
  !(seconds > 0) ||
  !Number.isInteger(runs) ||
  runs < 1 ||
  !chosen.every((name) => parts.some((part) => part === name))
) {
  console.error(`--seconds must be above 0, --runs a whole number of at least 1, --only some of ${parts.join(', ')}.`);
  process.exit(2);
}

const results: Result[] = [];
let changedFlash = 0;
let sessions = 0;
const chips = Object.keys(benchChips) as BenchChip[];
const grouped = (value: number) => value.toLocaleString('en');
const milliseconds = (value: number) => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;

function add(what: string, value: number, target: number | undefined, note = ''): void {
  results.push({
    what,
    measured: `${milliseconds(value)}${note}`,
    target: target === undefined ? '' : `≤ ${grouped(target)} ms`,
    reached: target === undefined ? null : value <= target,
  });
}

function addChanges(what: string, changes: readonly number[]): void {
  add(what, quantile(changes, 0.5), changeTarget, `, 95 % within ${milliseconds(quantile(changes, 0.95))}`);
}

function count(changed: number): void {
  changedFlash += changed;
  sessions++;
}

if (chosen.includes('click')) {
  for (const chip of chips) {
    for (const [baudRate, scanTarget] of scanTargets) {
      const clicks = await measureClicks(chip, baudRate);
      const where = `virtual clock, ${benchChips[chip]} at ${grouped(baudRate)} baud`;
      console.log(`${where}: ${clicks.identified.join(', ')}`);
      add(`${where}: Connect to live pins`, clicks.connect, connectTarget);
      add(`${where}: Scan to ${clicks.identified.length} devices, identified`, clicks.scan, scanTarget);
      if (baudRate === bestRate) {
        addChanges(`${where}: pin change to the read that shows it`, clicks.pinChanges);
      }
      count(clicks.changedFlash);
    }
  }
}

if (chosen.includes('bridge')) {
  // Uses one core for each chip.
  const ofChips = await Promise.all(chips.map(bridgesOf));
  for (const { what, bridged } of ofChips.flat()) {
    const { sent, received, wrong, errors, share } = bridged;
    const lost = sent - received;
    results.push({
      what,
      measured: `${grouped(lost)} of ${grouped(sent)} bytes lost${wrong === 0 ? '' : `, ${grouped(wrong)} wrong`}${
        errors.length === 0 ? '' : ` (${errors.join(', ')})`
      }, ${Math.round(share * 100)} % of the line`,
      target: '0 bytes lost',
      reached: lost === 0 && wrong === 0,
    });
    count(bridged.changedFlash);
  }
}

async function bridgesOf(chip: BenchChip) {
  const all = [];
  for (const { longest, ...rates } of bridges) {
    const time = Math.min(seconds, longest);
    all.push({
      what: `virtual clock, ${benchChips[chip]}: UART bridge at ${grouped(rates.line)} baud both ways for ${time} s, link at ${grouped(rates.link)}`,
      bridged: await measureBridgeInThread(chip, rates, time),
    });
  }
  return all;
}

if (chosen.includes('page')) {
  const product = await startProduct();
  try {
    const { origin } = new URL(product.terminal);
    console.log(`Chromium ${product.browser.version()}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}`);
    for (const chip of chips) {
      for (const [baudRate, scanTarget] of isShortest ? [...scanTargets].slice(-1) : scanTargets) {
        const changes = baudRate === bestRate ? orShortest(Math.ceil(40 / runs), 2) : 0;
        if (!isShortest) {
          // Warms the caches up; not counted.
          await measurePage(product.browser, origin, chip, baudRate, 0);
        }
        const seen: PageTimes[] = [];
        for (let run = 0; run < runs; run++) {
          seen.push(await measurePage(product.browser, origin, chip, baudRate, changes));
        }
        const median = (of: 'connect' | 'scan') =>
          quantile(
            seen.map((one) => one[of]),
            0.5,
          );
        const where = `browser, ${benchChips[chip]} at ${grouped(baudRate)} baud`;
        add(`${where}: Connect to live pins`, median('connect'), connectTarget);
        add(`${where}: Scan to the list, identified`, median('scan'), scanTarget);
        if (changes > 0) {
          const all = seen.flatMap(({ pinChanges }) => pinChanges);
          addChanges(`${where}: pin change to the screen`, all);
        }
        for (const one of seen) {
          count(one.changedFlash);
        }
      }
    }
  } finally {
    await product.stop();
  }
}

results.push({
  what: `bytes of flash changed in ${sessions} sessions`,
  measured: grouped(changedFlash),
  target: '0',
  reached: changedFlash === 0,
});
console.log(
  `Simulated boards on their breadboard, a wire at its real rate; medians of ${runs} in the browser. ${machine}\n`,
);
console.log(table(results));
