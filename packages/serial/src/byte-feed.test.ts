import { describe, expect, it } from 'vitest';
import { ByteFeed } from './byte-feed.ts';
import { LineChannel } from './line-channel.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (read: Uint8Array) => new TextDecoder().decode(read);

function feedOf(ringBytes: number) {
  const channel = new LineChannel({ name: 'received-1', port: 1, direction: 'received' }, { next: 0 }, ringBytes);
  return { channel, feed: new ByteFeed(channel) };
}

describe('ByteFeed', () => {
  it('reads what was received, from any held offset on', () => {
    const { channel, feed } = feedOf(1_024);
    channel.append(bytes('one\ntwo'), 0);
    channel.append(bytes(' three'), 1);
    expect(text(feed.read(0, 100))).toBe('one\ntwo three');
    expect(text(feed.read(4, 3))).toBe('two');
    expect(feed.read(feed.end, 100)).toHaveLength(0);
  });

  it('refuses bytes that have left the ring or have not come', () => {
    const { channel, feed } = feedOf(64);
    for (let line = 0; line < 20; line++) {
      channel.append(bytes(`line ${line}\n`), line);
    }
    expect(feed.start).toBeGreaterThan(0);
    expect(() => feed.read(feed.start - 1, 1)).toThrow(RangeError);
    expect(() => feed.read(feed.end + 1, 1)).toThrow(RangeError);
    expect(text(feed.read(feed.start, 1_000))).toMatch(/^line \d+\n(line \d+\n)+$/);
  });

  it('begins the last bytes after a line ending, so that no escape sequence is cut', () => {
    const { channel, feed } = feedOf(1_024);
    channel.append(bytes('first line\n\x1b[31mred\x1b[0m\nlast'), 0);
    expect(text(feed.read(feed.lastFrom(12, 12), 100))).toBe('last');
    expect(feed.lastFrom(1_000, 100)).toBe(0);
    expect(text(feed.read(feed.lastFrom(3, 3), 100))).toBe('ast');
  });

  it('leaves out what was cleared', () => {
    const { channel, feed } = feedOf(1_024);
    channel.append(bytes('before\n'), 0);
    channel.clear();
    channel.append(bytes('after\n'), 1);
    expect(text(feed.read(feed.lastFrom(1_000, 100), 100))).toBe('after\n');
  });
});
