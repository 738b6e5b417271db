/**
 * `node benchmarks/flashing/run.ts`: flashes one image into a simulated chip with two clients, in real time. Prints
 * the time from "stub runs at its final rate" to "last hash is equal", its share of the limit, and the client's CPU
 * time. `-- --only wirebench` omits the other client, `-- --only nrf` measures only Nordic boards, `-- --only stm`
 * only STM32, `-- --only rp` only a Pico, `-- --only save` only the way from a saved build to its first line. `-- --runs 1` is a quick look.
 */
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import type { EspDeviceOptions } from '@wirebench/devices';
import { requireQuietMachine } from '../quiet-machine.ts';
import { isShortest, orShortest } from '../shortest.ts';
import { type Client, type ConnectedClient, esptoolJs, ours } from './clients.ts';
import { makeImage } from './image.ts';
import { type MeasuredDevice, measuredDevice } from './measured-device.ts';
import { nrfRows } from './nrf.ts';
import { rpRows } from './rp.ts';
import { saveRow } from './save.ts';
import { stmRows } from './stm.ts';

const OFFSET = 0x1_0000;
/** Rate of the simulated USB Serial/JTAG in bytes a second. */
const USB_BYTES_PER_SECOND = 800_000;

interface Scenario {
  readonly name: string;
  readonly device: EspDeviceOptions;
  readonly baudRate: number;
  /** Content of the flash before the run. */
  readonly before: 'nothing' | 'the image' | 'the image, 4 KB changed';
  /** Target in seconds, and target share of the limit; null without a target. */
  readonly target: number | null;
  readonly share: number | null;
}

const uart: EspDeviceOptions = { chip: 'esp32', flash: { content: 'empty' } };
const usb: EspDeviceOptions = { chip: 'esp32s3', connection: 'usb-jtag', flash: { content: 'empty' } };
const real: EspDeviceOptions = { ...uart, profile: 'real-flash' };

const scenarios: readonly Scenario[] = [
  { name: '921,600 baud', device: uart, baudRate: 921_600, before: 'nothing', target: 6.6, share: 0.95 },
  { name: '2,000,000 baud', device: uart, baudRate: 2_000_000, before: 'nothing', target: 2.9, share: null },
  { name: 'USB-JTAG, 800 kB/s', device: usb, baudRate: 921_600, before: 'nothing', target: 0.8, share: null },
  { name: 'again, nothing changed', device: uart, baudRate: 921_600, before: 'the image', target: 0.5, share: null },
  {
    name: 'again, 4 KB changed',
    device: uart,
    baudRate: 921_600,
    before: 'the image, 4 KB changed',
    target: 1,
    share: null,
  },
  { name: 'real flash, 921,600 baud', device: real, baudRate: 921_600, before: 'nothing', target: null, share: 0.95 },
  {
    name: 'real flash, 2,000,000 baud',
    device: real,
    baudRate: 2_000_000,
    before: 'nothing',
    target: null,
    share: 0.95,
  },
];

interface Measurement {
  /** Milliseconds. */
  readonly connect: number;
  readonly write: number;
  readonly cpu: number;
  readonly sent: number;
  readonly programmed: number;
}

const image = makeImage();

/** Measures a client. The shortest run shares its machine, so the real time limits of a peer get two more tries there. */
async function measure(client: Client, scenario: Scenario): Promise<Measurement> {
  for (let tries = orShortest(1, client === ours ? 1 : 3); ; tries--) {
    try {
      return await measureOnce(client, scenario);
    } catch (error) {
      if (tries <= 1) {
        throw error;
      }
      console.error(`${client.name} is tried again.`, error);
    }
  }
}

async function measureOnce(client: Client, { device: options, baudRate, before }: Scenario): Promise<Measurement> {
  const measured = measuredDevice(withContent(options, before));
  const { device, port } = measured;
  const start = performance.now();
  const connected = await client.connect(port, baudRate);
  const connect = performance.now() - start;
  const result = await timed(measured, connected);
  await connected.close();
  if (!Buffer.from(device.flash.read(OFFSET, image.length)).equals(image)) {
    throw new Error(`${client.name}: the flash does not contain the image.`);
  }
  measured.unplug();
  return { connect, ...result };
}

async function timed({ device, sent, clientCpu }: MeasuredDevice, client: ConnectedClient) {
  device.flash.resetCounts();
  const sentBefore = sent();
  const cpuBefore = clientCpu();
  const start = performance.now();
  await client.write(OFFSET, image);
  return {
    write: performance.now() - start,
    cpu: clientCpu() - cpuBefore,
    sent: sent() - sentBefore,
    programmed: device.flash.programmedBytes,
  };
}

function withContent(options: EspDeviceOptions, before: Scenario['before']): EspDeviceOptions {
  if (before === 'nothing') {
    return options;
  }
  const data = image.slice();
  if (before === 'the image, 4 KB changed') {
    data.set(makeImage(2, 4_096), orShortest(700_000, 8_192));
  }
  return { ...options, flash: { content: [{ offset: OFFSET, data }] } };
}

/**
 * Returns the limit in milliseconds: the wire time of the sent bytes or the flash time of the written bytes,
 * whichever is larger. They overlap.
 */
function limitOf({ device, baudRate }: Scenario, { sent, programmed }: Measurement): number {
  const wire = device.connection === 'usb-jtag' ? sent / (USB_BYTES_PER_SECOND / 1_000) : (sent * 10_000) / baudRate;
  const flash = device.profile === 'real-flash' ? flashTime(programmed) : 0;
  return Math.max(wire, flash);
}

/**
 * Returns the flash time in milliseconds. The image begins at a 64 KiB boundary, so only its last partial block is
 * erased by sectors.
 */
function flashTime(bytes: number): number {
  const blocks = Math.floor(bytes / 65_536);
  const sectors = Math.ceil((bytes % 65_536) / 4_096);
  return blocks * 150 + sectors * 45 + Math.ceil(bytes / 256) * 0.4;
}

const machine = requireQuietMachine([...scenarios.map(({ name }) => name), 'nrf', 'stm', 'rp', 'save']);
const { values } = parseArgs({ options: { runs: { type: 'string' }, only: { type: 'string' } } });
const runs = Number(values.runs ?? orShortest(3, 1));
const only = values.only?.split(',');
const isWanted = (part: string) => only === undefined || only.includes(part);
const clients = [ours, esptoolJs].filter(({ name }) => only === undefined || only.some((part) => name.includes(part)));

const seconds = (milliseconds: number) => `${(milliseconds / 1_000).toFixed(2)} s`;
const rows: string[][] = [];
// One scenario starts both clients, without and with a UART all of the rest.
for (const scenario of isShortest ? scenarios.slice(2, 4) : scenarios) {
  for (const client of clients) {
    const measurements: Measurement[] = [];
    for (let run = 0; run < runs; run++) {
      measurements.push(await measure(client, scenario));
    }
    const median = measurements.toSorted((one, other) => one.write - other.write)[runs >> 1];
    if (median === undefined) {
      continue;
    }
    const share = limitOf(scenario, median) / median.write;
    const { target, share: wanted } = scenario;
    const isOurs = client === ours;
    const reached = (target === null || median.write <= target * 1_000) && (wanted === null || share >= wanted);
    rows.push([
      scenario.name,
      client.name,
      seconds(median.write),
      `${(share * 100).toFixed(1)} %`,
      `${median.cpu.toFixed(0)} ms`,
      median.programmed.toLocaleString('en'),
      seconds(median.connect),
      isOurs
        ? [target === null ? '' : `≤ ${target} s`, wanted === null ? '' : `≥ ${wanted * 100} %`].join(' ').trim()
        : '',
      isOurs ? (reached ? 'reached' : 'MISSED') : '',
    ]);
    console.error(rows.at(-1)?.join(' · '));
  }
}

if (isWanted('nrf')) {
  rows.push(...(await nrfRows(runs)));
}
if (isWanted('stm')) {
  rows.push(...(await stmRows(runs)));
}
if (isWanted('rp')) {
  rows.push(...(await rpRows()));
}

if (isWanted('save')) {
  rows.push(await saveRow(runs));
}

const head = [
  'scenario',
  'client',
  'write and verify',
  'of the limit',
  'client CPU',
  'bytes written',
  'connect',
  'target',
  '',
];
const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
const line = (cells: readonly string[]) =>
  `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
console.log(`${cpus()[0]?.model ?? 'unknown CPU'}, Node ${process.version}, median of ${runs}`);
console.log(machine);
console.log([line(head), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...rows.map(line)].join('\n'));
process.exit(0);
