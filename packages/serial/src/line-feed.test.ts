import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineFeed } from './line-feed.ts';
import { cutAt, latin1, receivedChannel, utf8 } from './testing/line-channels.ts';

/** Returns the text of each line of the feed, until it has no more. */
function rest(feed: LineFeed): string[] {
  const texts: string[] = [];
  for (let slice = feed.read(); slice !== null; slice = feed.read()) {
    const { bytes } = slice;
    texts.push(...slice.lines.map(({ start, end }) => latin1(bytes.subarray(start, end))));
  }
  return texts;
}

describe('line feed', () => {
  it('gives each line once, when it has an end, without its ending', () => {
    const channel = receivedChannel();
    const feed = new LineFeed(channel);
    channel.append(utf8('one\ntwo\r\nthr'), 1);
    expect(rest(feed)).toEqual(['one', 'two']);
    expect(feed.complete).toBe(true);
    channel.append(utf8('ee\n\n'), 2);
    expect(feed.complete).toBe(false);
    expect(rest(feed)).toEqual(['three', '']);
    expect(feed.read()).toBeNull();
  });

  it('says of each line when it began and where it is on the timeline', () => {
    const channel = receivedChannel(1_024, 2, { next: 40 });
    const feed = new LineFeed(channel);
    channel.append(utf8('a'), 10);
    channel.append(utf8('b\nc\n'), 20);
    expect(feed.read()?.lines).toEqual([
      { start: 0, end: 2, sequence: 40, at: 10 },
      { start: 3, end: 4, sequence: 41, at: 20 },
    ]);
  });

  it('begins with what is there already, and goes on behind what has left the ring', () => {
    const channel = receivedChannel(64);
    channel.append(utf8('before\n'), 1);
    const feed = new LineFeed(channel);
    expect(rest(feed)).toEqual(['before']);
    for (let line = 0; line < 100; line++) {
      channel.append(utf8(`line ${line}\n`), 2);
    }
    const texts = rest(feed);
    expect(texts.length).toBe(channel.lines);
    expect(texts.at(-1)).toBe('line 99');
  });

  it('goes on after the log was cleared', () => {
    const channel = receivedChannel();
    const feed = new LineFeed(channel);
    channel.append(utf8('gone\n'), 1);
    channel.clear();
    channel.append(utf8('here\n'), 2);
    expect(rest(feed)).toEqual(['here']);
  });

  it('gives a line that is longer than a slice as a whole, and the others in slices', () => {
    const channel = receivedChannel(16 << 20);
    const feed = new LineFeed(channel);
    const long = 'x'.repeat(1 << 20);
    channel.append(utf8(`${long}\n${'short\n'.repeat(5_000)}`), 1);
    expect(feed.read()?.lines).toHaveLength(1);
    expect(feed.read()?.lines).toHaveLength(2_048);
    expect(rest(feed)).toHaveLength(5_000 - 2_048);
  });

  it('gives the same lines however the bytes were cut', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', '\n', '\r\n', '\r'), { maxLength: 60 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, fc.array(fc.nat({ max: 80 })), (input, cuts) => {
        const whole = receivedChannel(4_096);
        whole.append(utf8(input), 1);
        const expected = rest(new LineFeed(whole));
        const cut = receivedChannel(4_096);
        const feed = new LineFeed(cut);
        const got = cutAt(utf8(input), cuts).flatMap((piece) => {
          cut.append(piece, 1);
          return rest(feed);
        });
        expect(got).toEqual(expected);
      }),
    );
  });
});
