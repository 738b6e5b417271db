/**
 * `node benchmarks/frames/run.ts`: cuts, pairs and decodes frames in Node, one after the other, as a port's worker does.
 * Each frame is decoded to its values; the words of a line are made only for rows that are shown. Then the same frames
 * through a bench: into the log of a port, and from there into a plot of all values.
 */

import { systemClock } from '@wirebench/clock';
import { libraryDecoders } from '@wirebench/contract/decoder-library';
import { checkDecoder, type DecoderDraft } from '@wirebench/contract/decoders';
import { compile } from '@wirebench/frames';
import { defaultPortSettings } from '@wirebench/port';
import { Bench } from '@wirebench/serial';
import { random } from '@wirebench/test-input';
import { requireQuietMachine } from '../quiet-machine.ts';
import { medianOf, type Result, table } from '../serial/measure.ts';
import { SourcePort } from '../serial/source-port.ts';
import { orShortest } from '../shortest.ts';

const FRAMES = orShortest(200_000, 2_000);
const TARGET = 256_000;
const CHUNK = 4_096;
const source = random('frames');

const byte = () => source.below(256);

function modbusCrc(bytes: readonly number[]): number {
  let crc = 0xffff;
  for (const one of bytes) {
    crc ^= one;
    for (let bit = 0; bit < 8; bit++) {
      crc = (crc & 1) === 0 ? crc >> 1 : (crc >> 1) ^ 0xa001;
    }
  }
  return crc;
}

function checked(bytes: readonly number[]): number[] {
  const crc = modbusCrc(bytes);
  return [...bytes, crc & 0xff, crc >> 8];
}

function modbusAnswers(): Uint8Array {
  return Uint8Array.from(
    Array.from({ length: FRAMES }, () => checked([7, 3, 8, ...Array.from({ length: 8 }, byte)])).flat(),
  );
}

/** Requests and answers by turns, as a listening port hears them. */
function modbusPairs(): Uint8Array {
  return Uint8Array.from(
    Array.from({ length: FRAMES / 2 }, (_, index) => [
      ...checked([1 + (index % 30), 3, 0x9c, 0x41, 0, 4]),
      ...checked([1 + (index % 30), 3, 8, ...Array.from({ length: 8 }, byte)]),
    ]).flat(),
  );
}

/** A struct of 13 bytes with small numbers, so that it has zeros. */
function cobsStructs(): Uint8Array {
  const frames: number[] = [];
  for (let frame = 0; frame < FRAMES; frame++) {
    let block: number[] = [];
    for (let index = 0; index < 13; index++) {
      const value = source.below(4) === 0 ? 0 : byte();
      if (value === 0) {
        frames.push(block.length + 1, ...block);
        block = [];
      } else {
        block.push(value);
      }
    }
    frames.push(block.length + 1, ...block, 0);
  }
  return Uint8Array.from(frames);
}

const struct: DecoderDraft = {
  ...libraryDecoders.cobs,
  fields: [
    { name: 'seq', type: 'u16' },
    { name: 'temp', type: 'i16', scale: 0.01, unit: '°C' },
    { name: 'rpm', type: 'u32' },
    { name: 'volt', type: 'f32', unit: 'V' },
    { name: 'flags', type: 'u8' },
  ],
};

/** Temperatures of a printer, as Marlin sends them. */
function temperatures(): Uint8Array {
  const degrees = () => (source.below(30_000) / 100).toFixed(2);
  const lines = Array.from(
    { length: FRAMES },
    () => `ok T:${degrees()} /${degrees()} B:${degrees()} /60.00 @:${source.below(128)} B@:${source.below(128)}\n`,
  );
  return new TextEncoder().encode(lines.join(''));
}

const printer: DecoderDraft = {
  name: 'printer',
  title: 'Printer',
  framing: { kind: 'lines', separator: ' /' },
  fields: [
    { name: 'nozzle', type: 'number', key: 'T:', unit: '°C' },
    { name: 'nozzle_target', type: 'number', key: 'T:', part: 1, unit: '°C' },
    { name: 'bed', type: 'number', key: 'B:', unit: '°C' },
    { name: 'bed_target', type: 'number', key: 'B:', part: 1, unit: '°C' },
    { name: 'nozzle_power', type: 'number', key: '@:' },
    { name: 'bed_power', type: 'number', key: 'B@:' },
  ],
};

/** Weights of a scale, whose unit is glued to the number. */
function weights(): Uint8Array {
  const lines = Array.from(
    { length: FRAMES },
    () => `ST,GS,${source.below(2) === 0 ? '+' : '-'}${(source.below(999_999) / 1_000).toFixed(3).padStart(8)}kg\r\n`,
  );
  return new TextEncoder().encode(lines.join(''));
}

const scale: DecoderDraft = {
  name: 'scale',
  title: 'Scale',
  framing: { kind: 'lines' },
  fields: [
    { name: 'state', type: 'text', part: 0 },
    { name: 'weight', type: 'number', part: -1 },
    { name: 'weight_unit', type: 'unit', part: -1 },
  ],
};

/** PPP frames of 24 bytes, escaped by RFC 1662. */
function escapedFrames(): Uint8Array {
  const frames: number[] = [];
  for (let frame = 0; frame < FRAMES; frame++) {
    frames.push(0x7e);
    for (let index = 0; index < 24; index++) {
      const value = byte();
      frames.push(...(value === 0x7e || value === 0x7d ? [0x7d, value ^ 0x20] : [value]));
    }
    frames.push(0x7e);
  }
  return Uint8Array.from(frames);
}

const escaped: DecoderDraft = {
  name: 'escaped',
  title: 'Escaped',
  framing: { kind: 'escaped', start: ['7E'], end: ['7E'], escape: '7D', xor: 0x20 },
  fields: [
    { name: 'kind', type: 'u16' },
    { name: 'values', type: 'u16', count: 4 },
    { name: 'data', type: 'bytes', length: 'rest' },
  ],
};

/** Returns a sentence with its checksum and line end. */
function sentence(body: string): string {
  let sum = 0;
  for (let at = 1; at < body.length; at++) {
    sum ^= body.charCodeAt(at);
  }
  return `${body}*${sum.toString(16).toUpperCase().padStart(2, '0')}\r\n`;
}

function sentences(one: (index: number) => string): Uint8Array {
  return new TextEncoder().encode(Array.from({ length: FRAMES }, (_, index) => sentence(one(index))).join(''));
}

const positions = () =>
  sentences((index) => {
    const [second, minutes] = [String(index % 60).padStart(2, '0'), String(10_000 + (index % 80_000))];
    return `$GPGGA,1214${second}.00,4807.${minutes},N,01131.00000,E,1,08,0.9,545.4,M,46.9,M,,`;
  });

/** Position reports of one ship (the example of ITU-R M.1371-5's type 1 that gpsd documents). */
const ships = () => sentences((index) => `!AIVDM,1,1,,${index % 2 === 0 ? 'A' : 'B'},177KQJ5000G?tO\`K>RA1wUbN0TKH,0`);

/** NAV-PVT of 92 bytes with random values. */
function solutions(): Uint8Array {
  const all = new Uint8Array(100 * FRAMES);
  for (let at = 0; at < all.length; at += 100) {
    all.set([0xb5, 0x62, 1, 7, 92, 0, ...Array.from({ length: 92 }, byte)], at);
    let [first, second] = [0, 0];
    for (const one of all.subarray(at + 2, at + 98)) {
      first = (first + one) & 0xff;
      second = (second + first) & 0xff;
    }
    all.set([first, second], at + 98);
  }
  return all;
}

function contentOf(draft: DecoderDraft) {
  const { content, faults } = checkDecoder(JSON.stringify(draft));
  if (content === null) {
    throw new Error(faults.join(' '));
  }
  return content;
}

async function measure(what: string, draft: DecoderDraft, bytes: Uint8Array, values: number): Promise<Result> {
  const content = contentOf(draft);
  const ms = await medianOf(() => {
    const reader = compile([content]);
    const cutter = reader.cutter('received');
    const conversation = reader.conversation();
    const start = performance.now();
    let at = 0;
    let frames = 0;
    let fields = 0;
    for (let from = 0; from < bytes.length; from += CHUNK) {
      cutter.push(bytes, from, Math.min(bytes.length, from + CHUNK), from / 100);
      for (let piece = cutter.next(); piece !== null; piece = cutter.next()) {
        const frame = bytes.subarray(at, at + piece.length);
        at += piece.length;
        const link = conversation.add(frame, piece.kind, 'received', piece.at, piece.until);
        fields += conversation.decode(frame, piece.kind, link, 'received').fields.length;
        frames++;
      }
    }
    const took = performance.now() - start;
    if (frames !== FRAMES || fields !== values * FRAMES) {
      throw new Error(`${frames} frames with ${fields} values`);
    }
    return took;
  });
  return rateOf(what, ms);
}

function rateOf(what: string, ms: number): Result {
  const rate = (FRAMES / ms) * 1_000;
  return {
    what,
    measured: `${(Math.round(rate / 1_000) * 1_000).toLocaleString('en')} a second`,
    target: `≥ ${TARGET.toLocaleString('en')} a second`,
    reached: rate >= TARGET,
  };
}

function* chunksOf(bytes: Uint8Array): Generator<Uint8Array, void> {
  for (let from = 0; from < bytes.length; from += CHUNK) {
    yield bytes.slice(from, from + CHUNK);
  }
}

/** Measures the way into the log of a port by processor time, because it waits for streams, and the plot by the clock. */
async function measureBench(
  what: string,
  draft: DecoderDraft,
  bytes: Uint8Array,
  { isText, curves }: { readonly isText: boolean; readonly curves: number },
): Promise<Result[]> {
  const content = contentOf(draft);
  const plotted: number[] = [];
  const received = await medianOf(async () => {
    const bench = new Bench({ clock: systemClock });
    const port = new SourcePort(chunksOf(bytes));
    bench.setDecoder(1, compile([content]), isText);
    const before = process.cpuUsage();
    await bench.connect(1, port, defaultPortSettings);
    await port.delivered;
    const { user, system } = process.cpuUsage(before);
    const start = performance.now();
    const plot = bench.plot({ history: FRAMES });
    while (plot.step()) {
      // The whole plot is measured.
    }
    plotted.push(performance.now() - start);
    if (plot.series.length !== curves) {
      throw new Error(`${plot.series.length} curves`);
    }
    await bench.dispose();
    return (user + system) / 1_000;
  });
  const plot = plotted.toSorted((one, other) => one - other)[plotted.length >> 1] as number;
  return [
    rateOf(`${what}: into the log of a port`, received),
    rateOf(`${what}: from there into a plot of ${curves} curves`, plot),
  ];
}

/** Bytes that are kept without a decoder, and then cut by one. */
const RECUT_BYTES = orShortest(50_000_000, 100_000);
const RECUT_TARGET = 10_000;

async function measureRecut(): Promise<Result[]> {
  const answers = modbusAnswers();
  const repeats = Math.ceil(RECUT_BYTES / answers.length);
  function* chunks(): Generator<Uint8Array, void> {
    for (let repeat = 0; repeat < repeats; repeat++) {
      yield* chunksOf(answers);
    }
  }
  const bench = new Bench({ clock: systemClock });
  const port = new SourcePort(chunks());
  await bench.connect(1, port, defaultPortSettings);
  await port.delivered;
  const chosen = { reader: compile([contentOf(libraryDecoders.modbus)]), isText: false, answersOn: null };
  let longest = 0;
  const start = performance.now();
  let turn = start;
  await bench.changeDecoder(1, chosen, async () => {
    longest = Math.max(longest, performance.now() - turn);
    await systemClock.sleep(0);
    turn = performance.now();
  });
  const ms = performance.now() - start;
  if (bench.frames(1)?.overview === undefined) {
    throw new Error('No frames');
  }
  await bench.dispose();
  const what = `${(repeats * answers.length) / 1_000_000} MB of Modbus answers cut again`;
  return [
    { what, measured: `${Math.round(ms)} ms`, target: `≤ ${RECUT_TARGET} ms`, reached: ms <= RECUT_TARGET },
    { what: 'The longest turn of it', measured: `${longest.toFixed(1)} ms`, target: '≤ 50 ms', reached: longest <= 50 },
  ];
}

const note = requireQuietMachine(['Modbus answers', 'Modbus pairs', 'COBS structs', 'GGA', 'AIS', 'NAV-PVT']);
const results = [
  await measure('Modbus answers of 4 registers', libraryDecoders.modbus, modbusAnswers(), 7),
  await measure('Modbus requests and answers of 4 registers, paired', libraryDecoders.modbus, modbusPairs(), 5.5),
  await measure('COBS frames of a struct with 5 fields', struct, cobsStructs(), 5),
  await measure('Lines with six numbers by key, of a printer', printer, temperatures(), 6),
  await measure('Lines with a number and its unit, of a scale', scale, weights(), 3),
  await measure('Escaped frames of 24 bytes with 6 fields', escaped, escapedFrames(), 6),
  await measure('NMEA sentences GGA of 14 cells', libraryDecoders.nmea, positions(), 17),
  await measure('AIS position reports', libraryDecoders.nmea, ships(), 24),
  await measure('UBX NAV-PVT of 92 bytes', libraryDecoders.ubx, solutions(), 37),
  ...(await measureBench('GGA', libraryDecoders.nmea, positions(), { isText: true, curves: 7 })),
  ...(await measureBench('AIS', libraryDecoders.nmea, ships(), { isText: true, curves: 18 })),
  ...(await measureRecut()),
  ...(await measureBench('NAV-PVT', libraryDecoders.ubx, solutions(), { isText: false, curves: 33 })),
];
console.log(note);
console.log(table(results));
