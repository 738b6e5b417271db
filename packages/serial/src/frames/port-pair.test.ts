/** Two ports as one conversation: questions on Port 1, answers on Port 2. */

import type { ReadyDecoder } from '@wirebench/frames/ready-decoders';
import { readyReader } from '@wirebench/frames/ready-reader';
import { defaultPortSettings } from '@wirebench/port';
import { FakeSerialPort } from '@wirebench/port/testing';
import { firstUnlessLong, random, randomSeeds } from '@wirebench/test-input';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Bench } from '../bench.ts';
import { parseFilterField } from '../filter-field.ts';
import { checked } from '../modbus-search/testing/modbus-bus.ts';
import { LogStream } from '../opened-log/log-stream.ts';
import { recogniseLog } from '../opened-log/recognise-log.ts';
import { fileOf } from '../opened-log/testing/log-files.ts';
import { allRows, notices, type TestRig, testRig } from '../testing/test-rig.ts';
import { localStamp } from '../time-stamp.ts';
import { wordsOfFrame } from './frame-words.ts';

const question = checked([7, 3, 0, 0, 0, 2]);
const answer = checked([7, 3, 4, 0, 231, 0, 12]);
const other = checked([21, 4, 0, 0, 0, 1]);
const exception = checked([21, 0x84, 2]);

/** Port, words, aside and the port of its question, of each frame. */
function framesOf(bench: Bench) {
  return allRows(bench).flatMap((row) => {
    const framed = bench.frameOf(row);
    if (framed === null) {
      return [];
    }
    const { who, text, aside } = wordsOfFrame(framed, row.bytes);
    return [[row.port, who, text, aside, framed.askedOn] as const];
  });
}

describe('two ports as one conversation', () => {
  let rig: TestRig;
  let ports: readonly [FakeSerialPort, FakeSerialPort];

  beforeEach(async () => {
    rig = testRig();
    ports = [new FakeSerialPort(), new FakeSerialPort({ usbVendorId: 0x0403, usbProductId: 0x6001 })];
    await rig.bench.connect(1, ports[0], defaultPortSettings);
    await rig.bench.connect(2, ports[1], defaultPortSettings);
  });

  const decode = async (answersOn: 2 | null, name: ReadyDecoder = 'modbus') => {
    const { reader, isText } = await readyReader(name);
    rig.bench.setDecoder(1, reader, isText, answersOn);
  };
  /** Lets a port hear bytes, and time pass. */
  const hear = async (port: 1 | 2, bytes: Uint8Array, wait = 10) => {
    ports[port - 1]?.receive(bytes);
    await rig.clock.advance(wait);
  };

  it('gives the answer its question on the other port, and the time between', async () => {
    await decode(2);
    await hear(1, question, 18);
    await hear(2, answer);
    expect(framesOf(rig.bench)).toEqual([
      [1, '07', 'read 2 from 0', '', null],
      [2, '07', 'read 0–1: 231, 12', '18 ms after Port 1', 1],
    ]);
  });

  it('leaves the bytes of each port where they came', async () => {
    await decode(2);
    await hear(1, question);
    await hear(2, answer);
    const bytesOf = (port: 1 | 2) => Buffer.concat([...rig.bench.exportRaw(port)]).toString('hex');
    expect([bytesOf(1), bytesOf(2)]).toEqual([
      Buffer.from(question).toString('hex'),
      Buffer.from(answer).toString('hex'),
    ]);
  });

  it('says which question no answer came to, and which was refused', async () => {
    await decode(2);
    await hear(1, question, 1_200);
    await hear(1, other, 20);
    await hear(2, exception);
    expect(framesOf(rig.bench).map(([port, , , aside, askedOn]) => [port, aside, askedOn])).toEqual([
      [1, 'no answer in 1000 ms', null],
      [1, '', null],
      [2, expect.stringMatching(/^\d+ ms after Port 1$/), 1],
    ]);
  });

  it('tells a repeated question from an answer of the same bytes by its port', async () => {
    await decode(2);
    const write = checked([7, 6, 0, 10, 4, 0]);
    await hear(1, write, 100);
    await hear(1, write, 20);
    await hear(2, write);
    expect(framesOf(rig.bench).map(([port, , text, , askedOn]) => [port, text, askedOn])).toEqual([
      [1, 'write 10: 1024', null],
      [1, 'write 10: 1024', null],
      [2, 'wrote 10: 1024', 1],
    ]);
  });

  it('counts both ports in one overview, by device', async () => {
    await decode(2);
    for (let round = 0; round < 3; round++) {
      await hear(1, question, 10);
      await hear(2, answer, 500);
    }
    const frames = rig.bench.frames(1);
    frames?.count();
    expect(frames?.overview.totals).toMatchObject({ frames: 6, unanswered: 0, leftOver: 0 });
    expect(frames?.overview.devices()).toMatchObject([{ who: '07', questions: 3, answers: 3, unanswered: 0 }]);
    expect(rig.bench.frames(2)).toBe(frames);
  });

  it('is found by Find on both ports', async () => {
    await decode(2);
    await hear(1, question);
    await hear(2, answer);
    await hear(1, other);
    const parsed = parseFilterField('modbus.unit:7');
    if (!parsed.ok) {
      throw new Error(parsed.message);
    }
    const search = rig.bench.search(parsed.query);
    const searching = search.run(() => rig.clock.sleep(0));
    await rig.clock.advance(100);
    await searching;
    const { rows } = rig.bench.rows({ layout: 'text', anchor: { position: 0 }, count: 10 }, { filter: search });
    expect(rows.filter(({ direction }) => direction === 'received').map(({ port }) => port)).toEqual([1, 2]);
  });

  it('ends with a sentence when a port is closed, and goes on when both are open', async () => {
    await decode(2);
    await hear(1, question, 5);
    await rig.bench.disconnect(2);
    await hear(1, question, 3_000);
    expect(notices(rig.bench)).toContain(
      'Port 2 was closed: frames of Port 1 are not paired with it until both are open.',
    );
    // Nothing could be heard, so no question is called unanswered.
    expect(framesOf(rig.bench).map(([, , , aside]) => aside)).toEqual(['', '']);
    await rig.bench.connect(2, ports[1], defaultPortSettings);
    await hear(1, question, 20);
    await hear(2, answer);
    expect(framesOf(rig.bench).at(-1)?.slice(2)).toEqual(['read 0–1: 231, 12', '20 ms after Port 1', 1]);
  });

  it('ends when a cable is pulled', async () => {
    await decode(2);
    await ports[1].unplug();
    await rig.clock.advance(100);
    expect(notices(rig.bench).filter((text) => text.includes('not paired'))).toHaveLength(1);
  });

  it('reads both ports by themselves without the pairing', async () => {
    await decode(2);
    await hear(1, question, 5);
    await decode(null);
    await hear(2, Uint8Array.from(Buffer.from('text\n')), 5);
    await hear(1, question, 1_500);
    const rows = allRows(rig.bench).filter(({ port, direction }) => port === 2 && direction === 'received');
    expect(rows.map((row) => [Buffer.from(row.bytes).toString().trim(), rig.bench.frameOf(row)])).toEqual([
      ['text', null],
    ]);
    // The older frames are still frames.
    expect(framesOf(rig.bench)).toHaveLength(2);
  });

  it('gives a port its own decoder back', async () => {
    const nmea = await readyReader('nmea');
    rig.bench.setDecoder(2, nmea.reader, nmea.isText);
    await decode(2);
    await hear(2, answer);
    expect(framesOf(rig.bench).at(-1)?.[1]).toBe('07');
    rig.bench.setDecoder(1, null);
    await hear(2, Uint8Array.from(Buffer.from('$GPZDA,120000,01,01,2026,,*4B\r\n')));
    const decoders = allRows(rig.bench).map((row) => rig.bench.frameOf(row)?.frame.decoder);
    expect(decoders.at(-1)).toBe('nmea');
  });

  it('refuses a port as its own partner, and takes two that name each other as one pair', async () => {
    const { reader } = await readyReader('modbus');
    expect(() => rig.bench.setDecoder(1, reader, false, 1)).toThrow(RangeError);
    rig.bench.setDecoder(1, reader, false, 2);
    rig.bench.setDecoder(2, reader, false, 1);
    await hear(1, question, 5);
    await hear(2, answer);
    expect(framesOf(rig.bench).map(([, , , , askedOn]) => askedOn)).toEqual([null, 1]);
  });

  it('reads commands on one port and their results on the other as AT', async () => {
    await decode(2, 'at');
    const text = (words: string) => Uint8Array.from(Buffer.from(words));
    await hear(1, text('AT+CSQ\r'), 20);
    await hear(2, text('\r\n+CSQ: 15,99\r\n'), 5);
    await hear(2, text('\r\nOK\r\n'), 5);
    const frames = framesOf(rig.bench).filter(([, , words]) => !/no frame/.test(words));
    expect(frames.at(0)?.[0]).toBe(1);
    expect(frames.filter(([port]) => port === 2).some(([, , , , askedOn]) => askedOn === 1)).toBe(true);
  });

  it.each(firstUnlessLong(randomSeeds(100), 6).map((seed) => [seed]))(
    'pairs bytes that are cut at random: seed %i',
    async (seed) => {
      const source = random(seed);
      await decode(2);
      for (let round = 0; round < 20; round++) {
        const unit = 1 + source.below(9);
        const ask = checked([unit, 3, 0, round, 0, 1]);
        const reply = checked([unit, 3, 2, round, unit]);
        const pieces = async (port: 1 | 2, bytes: Uint8Array) => {
          const cut = source.below(bytes.length);
          await hear(port, bytes.subarray(0, cut), 1);
          await hear(port, bytes.subarray(cut), 3 + source.below(20));
        };
        await pieces(1, ask);
        await pieces(2, reply);
      }
      const frames = framesOf(rig.bench);
      expect(frames).toHaveLength(40);
      expect(
        frames.filter(([port]) => port === 2).every(([, , , aside, askedOn]) => aside !== '' && askedOn === 1),
      ).toBe(true);
    },
  );

  const digits = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
  const start = new Date(2026, 10, 20, 14).getTime();
  const stamped = (ms: number, rest: string) => `${localStamp(start + ms)}  ${rest}\n`;
  const opened = async (bench: Bench, port: 1 | 2, text: string) => {
    const source = fileOf(text);
    const stream = new LogStream(source, recogniseLog(await source.read(0, source.size)));
    for (let pieces = await stream.next(); pieces !== null; pieces = await stream.next()) {
      bench.load(port, pieces);
    }
    bench.endLoad(port);
  };

  it('works in two opened logs that are read in the order of their times', async () => {
    const { bench } = testRig();
    const { reader } = await readyReader('modbus');
    bench.setDecoder(1, reader, false, 2);
    await opened(bench, 1, stamped(0, `Port 1  RX  ${digits(question)}`));
    await opened(bench, 2, stamped(25, `Port 2  RX  ${digits(answer)}`));
    expect(framesOf(bench).map(([port, , , aside, askedOn]) => [port, aside, askedOn])).toEqual([
      [1, '', null],
      [2, '25 ms after Port 1', 1],
    ]);
  });

  it('works in one recording of two ports, whose lines have the names of their ports', async () => {
    const { bench } = testRig();
    const { reader } = await readyReader('modbus');
    bench.setDecoder(1, reader);
    const lines = [0, 1, 2].map((round) =>
      [
        stamped(round * 1_000, `Port 1  RX  ${digits(question)}`),
        stamped(round * 1_000 + 30, `Port 2  RX  ${digits(answer)}`),
      ].join(''),
    );
    await opened(bench, 1, lines.join(''));
    expect(framesOf(bench).map(([, who, text, aside]) => [who, text, aside])).toEqual(
      [0, 1, 2].flatMap(() => [
        ['07', 'read 2 from 0', ''],
        ['07', 'read 0–1: 231, 12', '30 ms'],
      ]),
    );
  });
});
