import { VirtualClock } from '@wirebench/clock';
import { FakeSerialPort } from '@wirebench/port/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { heldFrames, heldLines, receivedChannel, utf8 } from '../testing/line-channels.ts';
import { connected, received, testRig } from '../testing/test-rig.ts';
import { ChannelFraming } from './channel-framing.ts';
import type { Framing } from './framings.ts';

const newline: Framing = { name: 'newline', options: {} };
const gapOf = (gap: number): Framing => ({ name: 'gap', options: { gap } });
const newlineOrGapOf = (gap: number): Framing => ({ name: 'newline-or-gap', options: { gap } });

function framed(framing: Framing) {
  const clock = new VirtualClock(1_000);
  const channel = receivedChannel(64 * 1024);
  let gaps = 0;
  const framer = new ChannelFraming(clock, channel, () => gaps++);
  framer.set(framing);
  const receive = (text: string) => framer.received(utf8(text), clock.now());
  return { clock, channel, framer, receive, gaps: () => gaps };
}

describe('idle gap', () => {
  it('ends a packet after a gap, at newlines not', async () => {
    const { clock, channel, receive, gaps } = framed(gapOf(20));
    receive('ab\nc');
    await clock.advance(19);
    receive('d');
    expect(channel.isOpen(0)).toBe(true);
    await clock.advance(20);
    expect(channel.isOpen(0)).toBe(false);
    expect(gaps()).toBe(1);
    receive('next');
    expect(heldLines(channel)).toEqual(['ab\ncd', 'next']);
    expect(channel.timeOf(1)).toBe(1_039);
  });

  it('ends a line beside newlines', async () => {
    const { clock, channel, receive } = framed(newlineOrGapOf(20));
    receive('one\ntwo');
    await clock.advance(50);
    receive('three\n');
    expect(heldLines(channel)).toEqual(['one\n', 'two', 'three\n']);
  });

  it('splits as a plain list of times and bytes does', async () => {
    const reads = fc.array(
      fc.record({ after: fc.integer({ min: 0, max: 12 }), text: fc.constantFrom('a', 'bc', 'd\ne', '\n') }),
      {
        maxLength: 30,
      },
    );
    await fc.assert(
      fc.asyncProperty(reads, fc.boolean(), async (all, newlines) => {
        const { clock, channel, receive } = framed(newlines ? newlineOrGapOf(5) : gapOf(5));
        const expected: string[] = [];
        let open = false;
        for (const { after, text } of all) {
          await clock.advance(after);
          open &&= after < 5;
          receive(text);
          for (const piece of newlines ? (text.match(/[^\n]*\n|[^\n]+/g) ?? []) : [text]) {
            expected.push(open ? `${expected.pop()}${piece}` : piece);
            open = !(newlines && piece.endsWith('\n'));
          }
        }
        expect(heldLines(channel)).toEqual(expected);
        await clock.advance(5);
        expect(clock.pending).toBe(0);
      }),
    );
  });

  it('has no timer while nothing waits, and one however many reads come', async () => {
    const { clock, receive } = framed(newlineOrGapOf(20));
    expect(clock.pending).toBe(0);
    receive('whole\n');
    expect(clock.pending).toBe(0);
    for (let reads = 0; reads < 50; reads++) {
      receive('x');
      expect(clock.pending).toBe(1);
      await clock.advance(1);
    }
    await clock.advance(20);
    expect(clock.pending).toBe(0);
  });

  it('sets no timer without a gap', () => {
    const { clock, receive } = framed(newline);
    receive('open');
    expect(clock.pending).toBe(0);
  });

  it('can be changed while a line is open', async () => {
    const { clock, channel, framer, receive } = framed(newline);
    receive('open');
    await clock.advance(500);
    framer.set(gapOf(100));
    await clock.advance(0);
    expect(channel.isOpen(0)).toBe(false);
    receive('a\nb');
    framer.set(newline);
    expect(clock.pending).toBe(0);
    receive('c\nd');
    expect(heldLines(channel)).toEqual(['open', 'a\nbc\n', 'd']);
  });

  it('leaves an open frame alone when the same framing is set again', () => {
    const fixed: Framing = { name: 'fixed-length', options: { length: 4 } };
    const { channel, framer, receive } = framed(fixed);
    receive('ab');
    framer.set({ name: 'fixed-length', options: { length: 4 } });
    receive('cdef');
    framer.set({ name: 'fixed-length', options: { length: 2 } });
    expect(heldFrames(channel)).toEqual(['61 62 63 64', 'INCOMPLETE 65 66']);
  });

  it('keeps a \\r at the end of the open line for the \\n that comes after a change', () => {
    const { channel, framer, receive } = framed(newline);
    receive('ready\r');
    framer.set(newlineOrGapOf(100));
    receive('\n');
    expect(heldLines(channel)).toEqual(['ready\r\n']);
    expect(channel.textEndOf(0)).toBe(5);
  });

  it.each<Framing>([
    { name: 'gap', options: {} as { gap: number } },
    newlineOrGapOf(0),
    gapOf(60_001),
    gapOf(Number.NaN),
  ])('refuses a framing in which no line would end: %j', (framing) => {
    expect(() => framed(framing)).toThrow(RangeError);
  });

  it('waits for nothing once the port is closed', async () => {
    const test = testRig();
    test.bench.setFraming(1, newlineOrGapOf(60_000));
    const device = await connected(test);
    device.receive('open');
    await test.clock.settle();
    const closing = test.bench.disconnect(1);
    await test.clock.advance(1_000);
    await closing;
    expect(test.clock.pending).toBe(0);
  });

  it('is set for a port, reports the line that ended, and goes on after a reconnect', async () => {
    let changes = 0;
    const test = testRig({ onChange: () => changes++ });
    test.bench.setFraming(1, gapOf(10));
    const device = await connected(test);
    device.receive(Uint8Array.of(0x41, 0x0a, 0x42));
    await test.clock.settle();
    const { revision } = test.bench.status();
    const before = changes;
    await test.clock.advance(10);
    expect(test.bench.status().revision).toBe(revision + 1);
    expect(changes).toBe(before + 1);
    device.receive('C');
    await test.clock.settle();
    await device.unplug();
    await test.clock.settle();
    const returned = new FakeSerialPort();
    test.bench.deviceAppeared(returned);
    await test.clock.settle();
    returned.receive('D\n');
    await test.clock.settle();
    expect(received(test.bench)).toEqual(['A\nB', 'C', 'D']);
    const closed = test.bench.dispose();
    await test.clock.advance(1_000);
    await closed;
    expect(test.clock.pending).toBe(0);
  });
});
