/**
 * `npm run benchmark -- symbols [elf] [--only lookup|dump|page]`: measures the lookup of functions and lines for crash
 * addresses. Without a file it builds one of about 20 MB. It also reads a core dump, here and on the terminal's page.
 * Prints a table, with the times of an installed `llvm-addr2line` for the same addresses.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, openAsBlob, rmSync, statSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { blobSource, openSymbolFile, PanicRecogniser, type SymbolFile } from '@wirebench/symbols';
import { requireQuietMachine } from '../quiet-machine.ts';
import { quantile, type Result, table } from '../serial/measure.ts';
import { endWithout, orShortest } from '../shortest.ts';
import { bigProgram } from './big-program.ts';
import { crashedFirmware } from './crashed-firmware.ts';
import { measureDump, measureDumpOnPage } from './whole-dump.ts';

const COPIES = orShortest(12, 1);
const MEGABYTE = 1_000_000;
const ADDRESSES = orShortest(1_000, 50);
const LINES = orShortest(200_000, 2_000);
/** Reference tool: its answers are the correct ones. */
const peer = 'llvm-addr2line';

interface Opening {
  readonly file: SymbolFile;
  /** Milliseconds of wall-clock time, and of processor time. */
  readonly clock: number;
  readonly processor: number;
}

async function timedOpening(elf: string): Promise<Opening> {
  const start = performance.now();
  const before = process.cpuUsage();
  const file = await openSymbolFile(blobSource(await openAsBlob(elf)));
  const { user, system } = process.cpuUsage(before);
  return { file, clock: performance.now() - start, processor: (user + system) / 1_000 };
}

const shownTimes = (clock: number, processor: number) =>
  `${clock.toFixed(0)} ms, ${processor.toFixed(0)} ms of processor time`;

/** Measures opening by processor time, which other programs on the machine do not affect. */
async function measureOpening(elf: string): Promise<{ file: SymbolFile; results: Result[] }> {
  const cold = await timedOpening(elf);
  const again: Opening[] = [];
  for (let run = 0; run < orShortest(5, 1); run++) {
    again.push(await timedOpening(elf));
  }
  const median = (pick: (opening: Opening) => number) => quantile(again.map(pick), 0.5);
  const size = statSync(elf).size / MEGABYTE;
  const { units, lineRows, subroutines, symbols } = cold.file.summary;
  return {
    file: cold.file,
    results: [
      {
        what: `open ${size.toFixed(1)} MB, first time`,
        measured: shownTimes(cold.clock, cold.processor),
        target: '< 2,000 ms for 20 MB',
        reached: cold.processor < (2_000 * Math.max(20, size)) / 20,
      },
      {
        what: `open it again (${units} units, ${lineRows} rows, ${subroutines} subroutines, ${symbols} symbols)`,
        measured: shownTimes(
          median(({ clock }) => clock),
          median(({ processor }) => processor),
        ),
        target: '',
        reached: null,
      },
    ],
  };
}

/** Returns code addresses spread over the whole file. */
function sampleAddresses({ codeRanges }: SymbolFile): number[] {
  const total = codeRanges.reduce((sum, { low, high }) => sum + high - low, 0);
  const stride = Math.max(1, Math.floor(total / ADDRESSES));
  return codeRanges.flatMap(({ low, high }) =>
    Array.from({ length: Math.floor((high - low) / stride) }, (_, index) => low + index * stride),
  );
}

function measureLookups(file: SymbolFile, addresses: readonly number[]): Result {
  const round = () => {
    const start = performance.now();
    for (const address of addresses) {
      file.lookup(address);
    }
    return ((performance.now() - start) * 1_000) / addresses.length;
  };
  const first = round();
  const later = quantile(Array.from({ length: orShortest(50, 1) }, round), 0.5);
  return {
    what: `look up one of ${addresses.length} addresses`,
    measured: `${later.toFixed(1)} µs; the first time, names to be demangled, ${first.toFixed(0)} µs`,
    target: '< 100 µs',
    reached: later < 100,
  };
}

function measurePeer(elf: string, addresses: readonly number[]): Result[] {
  const input = `${addresses.map((address) => `0x${address.toString(16)}`).join('\n')}\n`;
  const start = performance.now();
  const { status } = spawnSync(peer, ['-f', '-i', '-C', '-e', elf], { input, maxBuffer: 1 << 28 });
  const took = performance.now() - start;
  return status === 0
    ? [
        {
          what: `${peer}, the same ${addresses.length}`,
          measured: `${took.toFixed(0)} ms in all`,
          target: '',
          reached: null,
        },
      ]
    : [];
}

function measureRecogniser(): Result {
  const recogniser = new PanicRecogniser();
  const lines = Array.from(
    { length: LINES },
    (_, index) => `I (${index}) mqtt: channel ${index % 7} value ${index} mV`,
  );
  const start = performance.now();
  for (const line of lines) {
    recogniser.line(line);
  }
  const each = ((performance.now() - start) * 1_000) / LINES;
  return {
    what: 'recognise panics: a line of an ordinary log',
    measured: `${each.toFixed(2)} µs`,
    target: '10,000 lines/s in 5 % of a core: < 5 µs',
    reached: each < 5,
  };
}

async function measure(elf: string): Promise<Result[]> {
  const { file, results } = await measureOpening(elf);
  const addresses = sampleAddresses(file);
  const rest = [measureLookups(file, addresses), ...measurePeer(elf, addresses), measureRecogniser()];
  const memory = { what: 'memory of this process', measured: `${Math.round(process.memoryUsage.rss() / MEGABYTE)} MB` };
  return [...results, ...rest, { ...memory, target: '', reached: null }];
}

const parts = ['lookup', 'dump', 'page'] as const;
const machine = requireQuietMachine(parts);
const { values, positionals } = parseArgs({ options: { only: { type: 'string' } }, allowPositionals: true });
const [given] = positionals;
if (values.only !== undefined && !parts.some((part) => part === values.only)) {
  console.error(`--only must be one of: ${parts.join(', ')}.`);
  process.exit(2);
}
const isChosen = (part: (typeof parts)[number]) =>
  (values.only ?? part) === part && (given === undefined || part === 'lookup');
const needed = [
  ...(isChosen('lookup') && given === undefined ? ['g++', 'objcopy'] : []),
  ...(isChosen('dump') || isChosen('page') ? ['riscv64-unknown-elf-gcc', 'riscv64-unknown-elf-objcopy'] : []),
];
const missing = needed.filter((program) => spawnSync(program, ['--version']).error !== undefined);
if (missing.length > 0) {
  endWithout(`Not installed: ${missing.join(', ')}.`);
}
const folder = mkdtempSync(join(tmpdir(), 'wirebench-symbols-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const results: Result[] = [];
if (isChosen('lookup')) {
  results.push(...(await measure(given ?? bigProgram(folder, COPIES))));
}
if (isChosen('dump') || isChosen('page')) {
  const firmware = await crashedFirmware(folder);
  results.push(...(isChosen('dump') ? await measureDump(firmware) : []));
  results.push(...(isChosen('page') ? await measureDumpOnPage(firmware) : []));
}
console.log(`Node ${process.version}, ${cpus()[0]?.model.trim()}, ${cpus().length} cores\n${machine}\n`);
console.log(table(results));
