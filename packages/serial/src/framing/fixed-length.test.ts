import { describe, expect, it } from 'vitest';
import { heldFrames, heldLines, receivedChannel, utf8 } from '../testing/line-channels.ts';
import { splitterOf } from './framings.ts';

function split(length: number, ringBytes: number, ...chunks: readonly string[]) {
  const channel = receivedChannel(ringBytes);
  channel.splitWith(splitterOf({ name: 'fixed-length', options: { length } }));
  for (const chunk of chunks) {
    channel.append(utf8(chunk), 0);
  }
  return channel;
}

describe('fixed length', () => {
  it('ends a frame after so many bytes', () => {
    expect(heldLines(split(3, 1_024, 'ab', 'c\nde', 'fg'))).toEqual(['abc', '\nde', 'fg']);
  });

  it('marks the last frame when the connection ends in it', () => {
    const channel = split(3, 1_024, 'abcd');
    channel.finishLine();
    expect(heldFrames(channel)).toEqual(['61 62 63', 'INCOMPLETE 64']);
  });

  it('keeps its pace where a frame is longer than a line may be', () => {
    expect(heldFrames(split(10, 32, 'abcdefghijABCDEFGHIJ')).map((frame) => frame.length)).toEqual([32, 14, 32, 14]);
  });

  it.each([0, 1.5, 65_536])('refuses a length of %d', (length) => {
    expect(() => split(length, 1_024)).toThrow('Enter a whole number of bytes from 1 to 65535.');
  });
});
