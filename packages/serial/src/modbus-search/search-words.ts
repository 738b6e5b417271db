/** Sentences about a search for Modbus devices, and its table, for a page and for a shell. */
import { exceptionName } from '@wirebench/frames/modbus';
import { describePortSettings, type PortSettings } from '@wirebench/port';
import { csvRecord } from '../export-csv.ts';
import type { DamagedUnit, FoundDevice, HeardTraffic, ModbusSearchReport } from './findings.ts';
import type { SearchProgress } from './modbus-search.ts';
import type { RegisterTable } from './register-ranges.ts';
import {
  countOf,
  MAX_ADDRESS,
  MAX_REGISTERS,
  type ModbusSearchOptions,
  planModbusSearch,
  type Range,
  unitRange,
} from './search-plan.ts';

const tableNames = {
  holding: 'holding registers',
  input: 'input registers',
  coil: 'coils',
  discrete: 'discrete inputs',
} as const satisfies Record<RegisterTable, string>;

const count = (value: number): string => value.toLocaleString('en');
const counted = (value: number, word: string): string => `${count(value)} ${word}${value === 1 ? '' : 's'}`;

/** Returns what a search will send, how often, and how long it takes: one sentence for each step. */
export function planSentences(options: ModbusSearchOptions): readonly string[] {
  const { lines, units, registers } = options;
  const plan = planModbusSearch(options);
  const rates = lines.length === 1 ? describeLine(lines[0]) : `at ${counted(lines.length, 'setting')} of the line`;
  const asked = countOf(units) === 1 ? `unit ${units.from}` : `units ${units.from} to ${units.to}`;
  const reads =
    registers === null
      ? 'its identification (function 43)'
      : `its identification (function 43) and registers ${rangeText(registers)} of each table (functions 1 to 4)`;
  return [
    `Asks ${asked} for one holding register (function 3), ${rates}: at most ${counted(plan.units.requests, 'request')}, ${durationText(plan.units.time)}.`,
    `Then reads of each device ${reads}: at most ${counted(plan.device.requests, 'request')}, ${durationText(plan.device.time)} for each.`,
    'Nothing is written.',
  ];
}

/** Says in which ranges a search can be made. */
export const searchLimitsText = `Units are ${unitRange.from} to ${unitRange.to}. Registers are 0 to ${MAX_ADDRESS}, at most ${MAX_REGISTERS} of them.`;

/** Says what is asked now: `Unit 12, 19200 8N1`. Null: the search has just begun. */
export function progressText(progress: Pick<SearchProgress, 'step' | 'unit' | 'line'> | null): string {
  if (progress === null || progress.step === 'listening') {
    return 'Listening before anything is sent';
  }
  const { step, unit, line } = progress;
  return `${step === 'units' ? 'Unit' : 'Registers of unit'} ${unit}, ${describePortSettings(line)}`;
}

const describeLine = (line: ModbusSearchOptions['lines'][number] | undefined): string =>
  line === undefined ? '' : `at ${describePortSettings(line)}`;

/** `under 1 s`, `42 s`, `3 min 12 s`, `2 h 5 min`. Rounded up. */
function durationText(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  if (seconds < 60) {
    return `${seconds} s`;
  }
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) {
    return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
  }
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

const rangeText = ({ from, to }: Range): string => (from === to ? `${from}` : `${from}–${to}`);

/** Says what was heard before anything was sent. */
function trafficSentence({ bytes, frames, units }: HeardTraffic): string {
  const heard =
    frames === 0
      ? `${counted(bytes, 'byte')} came that ${bytes === 1 ? 'is' : 'are'} no Modbus frame at this rate`
      : `${counted(frames, 'frame')} came, of ${units.length === 1 ? 'unit' : 'units'} ${units.join(', ')}`;
  return `Something else uses this line: ${heard}. Two masters disturb each other. Nothing was sent.`;
}

/** Says how a device answered: `read`, `exception 2: illegal data address`. */
export function howText({ exception }: FoundDevice): string {
  return exception === null ? 'read' : `exception ${exception}: ${exceptionName(exception)}`;
}

/** `4 ms`, `4–18 ms`. */
export function answerTimeText({ fastest, slowest }: FoundDevice): string {
  const [least, most] = [Math.round(fastest), Math.round(slowest)];
  return least === most ? `${least} ms` : `${least}–${most} ms`;
}

/** Registers of a device: `holding registers 0–9, 20–22; coils 0–3`. */
export function registersText({ tables }: FoundDevice): string {
  return (tables ?? [])
    .map(({ table, ranges }) => `${tableNames[table]} ${ranges.map(rangeText).join(', ')}`)
    .join('; ');
}

/** Returns sentences about the faults of a device. */
export function deviceRemarks({ isTwice, isGone, damaged, tables, fastest }: FoundDevice, limit: number): string[] {
  return [
    isTwice ? 'Two devices have this unit: two answers came to one question.' : '',
    isGone ? 'It stopped answering while its registers were read.' : '',
    damaged > 0 ? `${counted(damaged, 'answer')} came damaged.` : '',
    tables === null && fastest > limit ? 'Its answers come late. Choose a longer time for an answer to read it.' : '',
  ].filter((remark) => remark !== '');
}

/** Says what damaged answers of a unit can mean. */
export function damagedSentence({ unit, line, tries }: DamagedUnit): string {
  return `Unit ${unit}, ${describePortSettings(line)}: ${tries} answers came, all damaged. Two devices may have this unit, or the line has faults.`;
}

/** Says what damaged bytes at most questions mean. */
export function noisySentence(line: PortSettings): string {
  return `At ${describePortSettings(line)} most questions got damaged bytes: something else sends, or these are not the settings of the line.`;
}

/** Says how a search ended. */
export function endSentence({ end, failure, devices, requests, traffic }: ModbusSearchReport): string {
  const found = devices.length === 0 ? 'No device answered' : `${counted(devices.length, 'device')} answered`;
  const sent = counted(requests, 'request');
  switch (end) {
    case 'complete':
      return `${found}. ${sent} sent.`;
    case 'stopped':
      return `Stopped. ${found} until then. ${sent} sent.`;
    case 'traffic':
      return traffic === null ? `${found}.` : trafficSentence(traffic);
    case 'failed':
      return `${failure} ${found} until then. ${sent} sent.`;
  }
}

/** Returns the devices as CSV (RFC 4180), a row for each. */
export function devicesCsv(
  { devices, damaged }: Pick<ModbusSearchReport, 'devices' | 'damaged'>,
  limit: number,
): string {
  const rows = [
    [
      'unit',
      'settings',
      'answered',
      'fastest ms',
      'slowest ms',
      'identification',
      ...Object.values(tableNames),
      'remarks',
    ],
    ...devices.map((device) => [
      `${device.unit}`,
      describePortSettings(device.line),
      howText(device),
      `${Math.round(device.fastest)}`,
      `${Math.round(device.slowest)}`,
      device.identification.join(', '),
      ...Object.keys(tableNames).map((name) =>
        (device.tables?.find(({ table }) => table === name)?.ranges ?? []).map(rangeText).join(', '),
      ),
      deviceRemarks(device, limit).join(' '),
    ]),
    ...damaged.map((unit) => [
      `${unit.unit}`,
      describePortSettings(unit.line),
      'damaged',
      ...Array.from({ length: 7 }, () => ''),
      damagedSentence(unit),
    ]),
  ];
  return rows.map(csvRecord).join('');
}
