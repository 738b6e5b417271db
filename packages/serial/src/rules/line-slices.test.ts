import { describe, expect, it } from 'vitest';
import type { LineChannel } from '../line-channel.ts';
import { receivedChannel, utf8 } from '../testing/line-channels.ts';
import { endOf, sliceEnd } from './line-slices.ts';

const KIB = 1 << 10;

/** Returns a channel whose lines have these lengths in bytes, their ends included. */
function channelOf(lengths: readonly number[]): LineChannel {
  const channel = receivedChannel(8 << 20);
  for (const length of lengths) {
    channel.append(utf8(`${'x'.repeat(length - 1)}\n`), 0);
  }
  return channel;
}

/** Returns the first line of each slice, and the end of the last one. */
function slicesOf(channel: LineChannel, from = 0): number[] {
  const borders = [from];
  for (let at = from; at < endOf(channel) && borders.length < 10; at = borders.at(-1) as number) {
    borders.push(sliceEnd(channel, at, endOf(channel)));
  }
  return borders;
}

const times = (count: number, length: number) => Array.from({ length: count }, () => length);

describe('slices of lines', () => {
  it('have at most 2,048 lines', () => {
    const channel = channelOf(times(4_100, 2));
    expect(slicesOf(channel)).toEqual([0, 2_048, 4_096, 4_100]);
    expect(slicesOf(channel, 3)).toEqual([3, 2_051, 4_099, 4_100]);
    expect(sliceEnd(channel, 0, 10)).toBe(10);
  });

  it('have at most 256 KiB', () => {
    const channel = channelOf(times(9, 64 * KIB));
    expect(slicesOf(channel)).toEqual([0, 4, 8, 9]);
    expect([1, 4, 5].map((end) => sliceEnd(channel, 0, end))).toEqual([1, 4, 4]);
    expect(slicesOf(channelOf([...times(4, 64 * KIB - 1), 4, 1]))).toEqual([0, 5, 6]);
    expect(slicesOf(channelOf([64 * KIB, 192 * KIB + 1, 10, 10]))).toEqual([0, 1, 4]);
  });

  it('have one line that is longer', () => {
    expect(slicesOf(channelOf([300 * KIB, 10, 700 * KIB, 10]))).toEqual([0, 1, 2, 3, 4]);
  });

  it('end before a line without an end', () => {
    const channel = receivedChannel();
    expect(endOf(channel)).toBe(0);
    channel.append(utf8('x'), 0);
    expect(endOf(channel)).toBe(0);
    channel.append(utf8('\ny\n'), 0);
    expect(endOf(channel)).toBe(2);
    channel.append(utf8('x'), 0);
    expect(endOf(channel)).toBe(2);
    channel.append(utf8('\n'), 0);
    expect(endOf(channel)).toBe(3);
  });
});
