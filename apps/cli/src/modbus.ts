/** `wirebench modbus`: looks for the devices on a Modbus line, as the page does. */
import { systemClock } from '@wirebench/clock';
import { describePortSettings, type PortSettings } from '@wirebench/port';
import { Bench, SessionError } from '@wirebench/serial';
import {
  answerTimeText,
  damagedSentence,
  deviceRemarks,
  devicesCsv,
  endSentence,
  type FoundDevice,
  howText,
  type ModbusSearchOptions,
  type ModbusSearchReport,
  noisySentence,
  planSentences,
  progressText,
  registersText,
  searchedLines,
  searchLimitsText,
  searchModbusPort,
  usualSearch,
} from '@wirebench/serial/modbus-search';
import { BoardOutput } from './board/board-output.ts';
import { listOf, type OptionValues } from './commands/command.ts';
import { CommandError, type ExitCode, exitCodes } from './exit-code.ts';
import { absentPort, type GivenPort, givenPort, presentPort, serialOf } from './given-ports.ts';
import { interruption } from './interruption.ts';
import { openFailed } from './named-link.ts';
import { oneOf, readSettings, wholeNumber } from './port-options.ts';
import { printable } from './printable.ts';

const PORT = 1;
/** Bytes of the line that are kept. Nothing reads them: what was found is counted as it comes. */
const RING_BYTES = 64 * 1_024;
const parities = ['none', 'even', 'odd'] as const;

export async function runModbus([name = '']: readonly string[], options: OptionValues): Promise<ExitCode> {
  const { settings, native } = readSettings(options);
  const search = readSearch(settings, options);
  const sentences = sentencesOf(search);
  const isJson = options['json'] === true;
  const isCsv = options['csv'] === true;
  if (isJson && isCsv) {
    throw new CommandError(exitCodes.usage, 'the result is JSON or CSV: give --json or --csv.');
  }
  const output = new BoardOutput(isJson, false);
  output.hasResultsAlone = true;
  output.step('plan', { sentences }, sentences.join('\n'));
  if (options['plan'] === true) {
    return exitCodes.ok;
  }
  const ended = interruption();
  const { given, device } = await portOf(name, native, options);
  const report = await searched({ given, device, settings, search, signal: ended.signal, output, isJson });
  output.clearBar();
  const sentence = endSentence(report);
  if (isJson) {
    const devices = report.devices.map((device) => deviceFacts(device, search.limit));
    output.step('end', { ...report, devices, sentence });
  } else {
    const lines = isCsv ? devicesCsv(report, search.limit).trimEnd() : linesOf(report, search.limit).join('\n');
    output.result('end', {}, lines);
    output.step('said', {}, report.end === 'traffic' ? `${sentence} --anyway asks beside the other master.` : sentence);
  }
  if (ended.signal.aborted) {
    return ended.exitCode();
  }
  if (report.end === 'failed') {
    return exitCodes.noPort;
  }
  return report.devices.length > 0 ? exitCodes.ok : exitCodes.failed;
}

/** @throws CommandError for options that no search has. */
function readSearch(own: PortSettings, options: OptionValues): ModbusSearchOptions {
  const rates = listOf(options['alsoBaud']).map((rate) => wholeNumber(rate, '--also-baud', 1, 0xffff_ffff) ?? 0);
  const others = listOf(options['alsoParity']).map((word) => oneOf(word, '--also-parity', parities) ?? 'none');
  oneOf(options['parity'], '--parity', parities);
  return {
    lines: searchedLines(own, rates, others),
    units: readRange(options['units'], '--units', usualSearch.units),
    limit: wholeNumber(options['answer'], '--answer', 10, 60_000) ?? usualSearch.limit,
    registers:
      options['registers'] === false ? null : readRange(options['registers'], '--registers', usualSearch.registers),
    ignoresTraffic: options['anyway'] === true,
  };
}

/** Reads `7` or `1-31`. */
function readRange(value: OptionValues[string], flag: string, standard: { from: number; to: number }) {
  if (value === undefined || value === true) {
    return standard;
  }
  const [, first, last = first] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(String(value)) ?? [];
  if (first === undefined) {
    throw new CommandError(exitCodes.usage, `${flag} takes a number or a range, as in 7 or 1-31, and not ${value}.`);
  }
  return { from: Number(first), to: Number(last) };
}

/** Returns what will be sent. @throws CommandError for ranges that no search has. */
function sentencesOf(search: ModbusSearchOptions): readonly string[] {
  try {
    return planSentences(search);
  } catch (error) {
    if (error instanceof RangeError) {
      throw new CommandError(exitCodes.usage, searchLimitsText.replace('Units', 'units'));
    }
    throw error;
  }
}

/** Returns the port of a name, or a simulated one. @throws CommandError for one that is not there. */
async function portOf(
  name: string,
  native: Parameters<typeof presentPort>[2],
  { simulate }: OptionValues,
): Promise<{ readonly given: GivenPort; readonly device: SerialPort }> {
  if (typeof simulate === 'string') {
    const { simulatedPort } = await import('./simulated-boards.ts');
    const { port } = await simulatedPort(simulate);
    return { given: { name: simulate, path: simulate, label: simulate }, device: port };
  }
  const given = await givenPort(name);
  const device = await presentPort(serialOf([given]), given, native);
  if (device === null) {
    throw await absentPort(given);
  }
  return { given, device };
}

interface Searching {
  readonly given: GivenPort;
  readonly device: SerialPort;
  readonly settings: PortSettings;
  readonly search: ModbusSearchOptions;
  readonly signal: AbortSignal;
  readonly output: BoardOutput;
  readonly isJson: boolean;
}

/** Searches, and closes the port, which has its own settings again. */
async function searched({ given, device, settings, search, signal, output, isJson }: Searching) {
  const bench = new Bench({ clock: systemClock, ringBytes: RING_BYTES, reconnect: false });
  try {
    try {
      await bench.connect(PORT, device, settings);
    } catch (error) {
      throw error instanceof SessionError ? await openFailed(given, error.code, error.cause) : error;
    }
    return await searchModbusPort({
      bench,
      clock: systemClock,
      port: PORT,
      options: search,
      signal,
      onProgress: (progress) => {
        if (!isJson) {
          output.passing('progress', {}, `${progressText(progress)}: ${progress.findings.devices.length} found`);
        }
      },
    });
  } finally {
    await bench.dispose();
  }
}

/** A device with its settings in words, for JSON. */
function deviceFacts(device: FoundDevice, limit: number): object {
  return { ...device, settings: describePortSettings(device.line), remarks: deviceRemarks(device, limit) };
}

function linesOf({ devices, damaged, noisy }: ModbusSearchReport, limit: number): readonly string[] {
  return [
    ...devices.flatMap((device) => [
      [
        `unit ${device.unit}`.padEnd(8),
        describePortSettings(device.line),
        howText(device),
        answerTimeText(device),
        ...device.identification.map(printable),
      ].join('  '),
      ...[registersText(device), ...deviceRemarks(device, limit)]
        .filter((text) => text !== '')
        .map((text) => `  ${text}`),
    ]),
    ...damaged.map(damagedSentence),
    ...noisy.map(noisySentence),
  ];
}
