import { systemClock } from '@wirebench/clock';
import { readerOf, readyContents, readyReader } from '@wirebench/frames/ready-reader';
import { describe, expect, it } from 'vitest';
import { Bench } from '../bench.ts';
import { parseFilterField } from '../filter-field.ts';
import { localStamp } from '../time-stamp.ts';
import { FramedLog, type FramedLogParts, type LoggedFrame } from './framed-log.ts';
import { LogStream } from './log-stream.ts';
import { recogniseLog } from './recognise-log.ts';
import { fileOf } from './testing/log-files.ts';

const start = new Date(2026, 10, 20, 14).getTime();
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

/** Adds the CRC of Modbus (MODBUS over Serial Line V1.02, 6.2.2). */
function checked(...bytes: number[]): string {
  let crc = 0xffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) {
      crc = (crc & 1) === 0 ? crc >> 1 : (crc >> 1) ^ 0xa001;
    }
  }
  return hex(Uint8Array.of(...bytes, crc & 0xff, crc >> 8));
}

const row = (ms: number, kind: 'RX' | 'TX', digits: string) =>
  `${localStamp(start + ms)}  Port 1  ${kind}  ${digits}\n`;

/** A log of questions and answers of 100 registers; unit 9 does not answer. */
function modbusLog(exchanges: number): string {
  const values = Array.from({ length: 200 }, (_, at) => at);
  let text = '';
  for (let index = 0; index < exchanges; index++) {
    const unit = index % 10 === 0 ? 9 : 7;
    text += row(index * 2_000, 'TX', checked(unit, 3, index >> 8, index & 0xff, 0, 100));
    text += unit === 9 ? '' : row(index * 2_000 + 20, 'RX', checked(unit, 3, 200, ...values));
  }
  return text;
}

async function logOf(text: string, parts: Partial<FramedLogParts> = {}): Promise<FramedLog> {
  const source = fileOf(text);
  const form = recogniseLog(await source.read(0, source.size));
  const prepared = await readyReader('modbus');
  return new FramedLog({ clock: systemClock, source, form, query: null, lastModified: null, ...prepared, ...parts });
}

async function framesOf(log: FramedLog): Promise<LoggedFrame[]> {
  const all: LoggedFrame[] = [];
  for await (const frame of log.frames()) {
    all.push(frame);
  }
  return all;
}

async function csvOf(log: FramedLog): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of log.csv()) {
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** The table of a bench that holds all of the log. */
async function heldCsv(text: string): Promise<string> {
  const bench = new Bench({ clock: systemClock });
  const { reader, isText } = await readyReader('modbus');
  bench.setDecoder(1, reader, isText);
  const source = fileOf(text);
  const stream = new LogStream(source, recogniseLog(await source.read(0, source.size)));
  for (let pieces = await stream.next(); pieces !== null; pieces = await stream.next()) {
    bench.load(1, pieces);
  }
  bench.endLoad(1);
  return Buffer.concat([...bench.exportCsv()]).toString();
}

const find = (text: string) => {
  const field = parseFilterField(text);
  return field.ok ? field.query : null;
};

describe('frames of a log', () => {
  const long = modbusLog(600);
  const small = 64 * 1_024;

  it('are all there, in order, with a ring smaller than the log', async () => {
    const log = await logOf(long, { ringBytes: small });
    const frames = await framesOf(log);
    const questions = frames.filter(({ direction }) => direction === 'sent');
    expect(questions.map(({ framed }) => framed.frame.fields.find(({ name }) => name === 'address')?.value)).toEqual(
      Array.from({ length: 600 }, (_, index) => index),
    );
    expect(frames.filter(({ framed }) => framed.ms === 20)).toHaveLength(540);
    expect(questions.filter(({ framed }) => framed.unanswered === 1_000)).toHaveLength(60);
    expect(log.whole).toBe(1_140);
  });

  it('are the table of the page, in parts', async () => {
    const table = await csvOf(await logOf(long, { ringBytes: small }));
    expect(table.split('\r\n').slice(0, 3)).toEqual((await heldCsv(long)).split('\r\n').slice(0, 3));
    expect(table === (await heldCsv(long))).toBe(true);
  });

  it('are only those that a query finds', async () => {
    const log = await logOf(long, { ringBytes: small, query: find('unit:9') });
    const frames = await framesOf(log);
    expect(frames).toHaveLength(60);
    expect(frames.every(({ framed }) => framed.frame.who === '9' || framed.frame.who === '09')).toBe(true);
  });

  it('have the bytes of lines of hex digits, raw bytes, and every byte between', async () => {
    const question = checked(7, 3, 0, 0, 0, 1);
    const asText = await framesOf(await logOf(`${question}\n55 AA\n${question.toUpperCase()}\n`));
    expect(asText.map(({ bytes, framed }) => [hex(bytes), framed.kind])).toEqual([
      [question, 'frame'],
      ['55aa', 'left-over'],
      [question, 'frame'],
    ]);
    expect(asText.every(({ at }) => Number.isNaN(at))).toBe(true);
    const bytes = new Uint8Array(Buffer.from(`${question}55aa${question}`, 'hex'));
    const source = { size: bytes.length, read: async (from: number, to: number) => bytes.slice(from, to) };
    const raw = await framesOf(await logOf('', { source, form: recogniseLog(bytes) }));
    expect(raw.map((frame) => hex(frame.bytes))).toEqual([question, '55aa', question]);
  });

  it('are paired the same when a log is read again while its rows are shown', async () => {
    const bench = new Bench({ clock: systemClock });
    const { reader, isText } = await readyReader('modbus');
    bench.setDecoder(1, reader, isText);
    const source = fileOf(modbusLog(9));
    const pieces = (await new LogStream(source, recogniseLog(await source.read(0, source.size))).next()) ?? [];
    const shown = () =>
      bench.rows({ layout: 'text', anchor: { position: 0 }, count: 100 }).rows.map((row) => {
        const { ms = null, unanswered = null } = bench.frameOf(row) ?? {};
        return [ms, unanswered];
      });
    const readAgain = () => {
      bench.startOver();
      for (const piece of pieces) {
        bench.load(1, [piece]);
        shown();
      }
      bench.endLoad(1);
      return shown();
    };
    const first = readAgain();
    expect(first.filter(([ms]) => ms === 20)).toHaveLength(8);
    expect(readAgain()).toEqual(first);
  });

  it('end with the reason of an abort', async () => {
    const end = new AbortController();
    const log = await logOf(long, { ringBytes: small, signal: end.signal });
    let count = 0;
    const reading = (async () => {
      for await (const _frame of log.frames()) {
        count++;
        end.abort(new Error('enough'));
      }
    })();
    await expect(reading).rejects.toThrow('enough');
    expect(count).toBeLessThan(1_140);
  });

  it('have the date of the last change where the lines have none, over midnight', async () => {
    const times = ['23:59:57.100', '23:59:58.200', '23:59:59.900', '00:00:00.100', '00:00:01.300'];
    const text = times.map((time) => `[${time}] ${checked(7, 3, 0, 0, 0, 1)}\n`).join('');
    const changed = new Date(2026, 10, 21, 0, 0, 2).getTime();
    const dated = await framesOf(await logOf(text, { lastModified: changed }));
    const days = ['2026-11-20', '2026-11-20', '2026-11-20', '2026-11-21', '2026-11-21'];
    expect(dated.map(({ at, isDated }) => localStamp(at, isDated))).toEqual(
      days.map((day, index) => `${day} ${times[index]}`),
    );
    const undated = await framesOf(await logOf(text));
    expect(undated.map(({ at, isDated }) => localStamp(at, isDated))).toEqual(times);
  });

  it('are decided by the time of the other direction where only silence ends them', async () => {
    const [cobs] = readyContents('cobs');
    const message = { fields: [], question: false, exception: false, answers: [] };
    const poll = {
      ...cobs,
      framing: { ...cobs?.framing, kind: 'gap', ms: 50 },
      messages: [
        { ...message, name: 'ask', when: [{ field: 'frame.direction', is: 'sent' }], question: true },
        { ...message, name: 'say', when: [{ field: 'frame.direction', is: 'received' }], answers: ['ask'] },
      ],
    };
    const prepared = await readerOf([poll as NonNullable<typeof cobs>]);
    const text = `${row(0, 'TX', '01 02 03 04')}${row(200, 'RX', '81 02 03 04')}`;
    const frames = await framesOf(await logOf(text, prepared));
    expect(frames.map(({ framed }) => [framed.frame.message, framed.ms])).toEqual([
      ['ask', null],
      ['say', 200],
    ]);
  });
});
