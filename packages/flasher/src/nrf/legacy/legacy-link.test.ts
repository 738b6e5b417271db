import { VirtualClock } from '@wirebench/clock';
import { FakeSerialPort } from '@wirebench/port/testing';
import { describe, expect, it } from 'vitest';
import { hexOf } from '../../core/bytes.ts';
import { sendFrames } from '../../testing/scripted-answers.ts';
import { openNrfPort } from '../connect/nrf-port.ts';
import { stopPayload } from './hci.ts';
import { LegacyLink } from './legacy-link.ts';

const never = new AbortController().signal;

/** Returns an acknowledgement that expects `next`, without delimiters. */
const wants = (next: number) => hexOf(Uint8Array.of(next << 3, 0, 0, -(next << 3) & 0xff));

async function linkTo(port: FakeSerialPort) {
  const clock = new VirtualClock(1_000);
  const link = new LegacyLink(await openNrfPort(port, { clock }, never), () => undefined);
  const run = async <Result>(work: Promise<Result>): Promise<Result> => {
    let ended = false;
    const end = () => {
      ended = true;
    };
    work.then(end, end);
    for (await clock.settle(); !ended; ) {
      await clock.advance(10);
    }
    return work;
  };
  return { clock, link, run };
}

/** Returns the sequence number of each packet that was sent. */
const numbersOf = ({ writes }: FakeSerialPort) =>
  writes.map((bytes) => (bytes[1] === 0xdb ? 0xc0 : (bytes[1] ?? 0)) & 0x07);

describe('a packet to the legacy bootloader', () => {
  it('has the next number each time, from 1, round to 0', async () => {
    const port = new FakeSerialPort();
    let next = 1;
    port.onWrite = () => {
      next = (next + 1) % 8;
      sendFrames(port, wants(next));
    };
    const { link, run } = await linkTo(port);
    for (let count = 0; count < 9; count++) {
      expect(await run(link.send(1_000, never, stopPayload))).toBe(true);
    }
    expect(numbersOf(port)).toEqual([1, 2, 3, 4, 5, 6, 7, 0, 1]);
  });

  it('is sent again with the same number until it is acknowledged', async () => {
    const port = new FakeSerialPort();
    port.onWrite = () => {
      if (port.writes.length === 3) {
        sendFrames(port, wants(2));
      }
    };
    const { link, run } = await linkTo(port);
    expect(await run(link.send(1_000, never, stopPayload))).toBe(true);
    expect(numbersOf(port)).toEqual([1, 1, 1]);
  });

  it('is not taken for acknowledged by an answer to one before it', async () => {
    const port = new FakeSerialPort();
    port.onWrite = () => sendFrames(port, wants(1));
    const { clock, link, run } = await linkTo(port);
    expect(await run(link.send(1_000, never, stopPayload))).toBe(false);
    expect(clock.now() - 1_000).toBeLessThan(1_100);
  });

  it('has the number that the board asked for after a question', async () => {
    const port = new FakeSerialPort();
    port.onWrite = () => sendFrames(port, wants(port.writes.length === 1 ? 5 : 6));
    const { link, run } = await linkTo(port);
    expect(await run(link.ask(never, 1, 100))).toBe(true);
    expect(await run(link.send(1_000, never, stopPayload))).toBe(true);
    expect(numbersOf(port)).toEqual([1, 5]);
  });
});
