/** Times of answers on an open port and in a log, from the end of the question on the line. */
import { readyReader } from '@wirebench/frames/ready-reader';
import { defaultPortSettings, type PortSettings } from '@wirebench/port';
import { FakeSerialPort } from '@wirebench/port/testing';
import { describe, expect, it } from 'vitest';
import type { Bench } from '../bench.ts';
import { checked } from '../modbus-search/testing/modbus-bus.ts';
import { LogStream } from '../opened-log/log-stream.ts';
import { recogniseLog } from '../opened-log/recognise-log.ts';
import { fileOf } from '../opened-log/testing/log-files.ts';
import { allRows, testRig } from '../testing/test-rig.ts';
import { localStamp } from '../time-stamp.ts';
import { wordsOfFrame } from './frame-words.ts';

const question = checked([1, 3, 0, 0, 0, 2]);
const answer = checked([1, 3, 4, 0, 7, 0, 9]);
const asideOf = (bench: Bench) =>
  allRows(bench).flatMap((row) => {
    const framed = bench.frameOf(row);
    return framed === null ? [] : [wordsOfFrame(framed, row.bytes).aside];
  });

async function asked(settings: Partial<PortSettings>) {
  const rig = testRig();
  const port = new FakeSerialPort();
  await rig.bench.connect(1, port, { ...defaultPortSettings, ...settings });
  const { reader, isText } = await readyReader('modbus');
  rig.bench.setDecoder(1, reader, isText);
  const hear = async (bytes: Uint8Array, wait: number) => {
    await rig.clock.advance(wait);
    port.receive(bytes);
    await rig.clock.advance(1);
  };
  return { ...rig, hear };
}

describe('time of an answer on an open port', () => {
  it('leaves out the time of the question on the line', async () => {
    const { bench, hear } = await asked({ baudRate: 9_600, parity: 'even' });
    await bench.send(1, question);
    await hear(answer, 50);
    // 8 bytes of 11 bits at 9,600 baud are 9.2 ms.
    expect(asideOf(bench)).toEqual(['', '41 ms']);
  });

  it('leaves out the time of 123 written registers', async () => {
    const { bench, hear } = await asked({ baudRate: 19_200, parity: 'even' });
    const write = checked([1, 16, 0, 0, 0, 123, 246, ...new Uint8Array(246)]);
    await bench.send(1, write);
    await hear(checked([1, 16, 0, 0, 0, 123]), 205);
    // 255 bytes of 11 bits at 19,200 baud are 146 ms.
    expect(asideOf(bench)).toEqual(['', '59 ms']);
  });

  it('begins the limit at the end of the question', async () => {
    const { bench, hear } = await asked({ baudRate: 300 });
    await bench.send(1, question);
    // 8 bytes of 10 bits at 300 baud are 267 ms.
    await hear(answer, 1_250);
    expect(asideOf(bench)).toEqual(['', '983 ms']);
  });

  it('queues questions that were sent together', async () => {
    const { bench, hear } = await asked({ baudRate: 9_600, parity: 'even' });
    await bench.send(1, question);
    await bench.send(1, checked([2, 3, 0, 0, 0, 2]));
    await hear(checked([2, 3, 4, 0, 7, 0, 9]), 50);
    expect(asideOf(bench)).toEqual(['', '', '32 ms']);
  });

  it('is said of a late answer, whose question is not counted as one without an answer', async () => {
    const { bench, hear, clock } = await asked({});
    await bench.send(1, question);
    await clock.advance(1_200);
    bench.frames(1)?.count();
    expect(bench.frames(1)?.overview.totals.unanswered).toBe(1);
    await hear(answer, 300);
    bench.frames(1)?.count();
    expect(asideOf(bench)).toEqual(['no answer in 1000 ms', 'after 1.5 s']);
    expect(bench.frames(1)?.overview.totals.unanswered).toBe(0);
    expect(bench.frames(1)?.overview.devices()).toMatchObject([{ questions: 1, answers: 1, unanswered: 0 }]);
  });

  it('calls a question answered whose answer began in time and ended later', async () => {
    const { bench, hear, clock } = await asked({});
    await bench.send(1, question);
    await hear(answer.subarray(0, 4), 995);
    await clock.advance(15);
    bench.frames(1)?.count();
    await hear(answer.subarray(4), 0);
    bench.frames(1)?.count();
    expect(asideOf(bench)).toEqual(['', '994 ms']);
    expect(bench.frames(1)?.overview.totals.unanswered).toBe(0);
  });
});

describe('time of an answer in a log', () => {
  const start = new Date(2026, 10, 20, 14).getTime();
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
  const opened = async (...notices: readonly string[]) => {
    const { bench } = testRig();
    const { reader } = await readyReader('modbus');
    bench.setDecoder(1, reader);
    const lines = [
      ...notices.map((text) => `${localStamp(start)}  Port 1  SUCCESS  ${text}`),
      `${localStamp(start + 5)}  Port 1  TX  ${hex(question)}`,
      `${localStamp(start + 55)}  Port 1  RX  ${hex(answer)}`,
    ];
    const source = fileOf(`${lines.join('\n')}\n`);
    const stream = new LogStream(source, recogniseLog(await source.read(0, source.size)));
    for (let pieces = await stream.next(); pieces !== null; pieces = await stream.next()) {
      bench.load(1, pieces);
    }
    bench.endLoad(1);
    return asideOf(bench);
  };

  it('leaves out the time of the question if the log says the rate', async () => {
    expect(await opened('Port 1 connected (9600 8E1)')).toEqual(['', '41 ms']);
  });

  it('is the one between the rows of a log without a rate, or with two', async () => {
    expect(await opened()).toEqual(['', '50 ms']);
    expect(await opened('Port 1 connected (9600 8E1)', 'Port 2 connected (115200 8N1)')).toEqual(['', '50 ms']);
  });
});
