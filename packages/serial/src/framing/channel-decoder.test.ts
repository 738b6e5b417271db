import { VirtualClock } from '@wirebench/clock';
import type { FrameCutter, Piece } from '@wirebench/frames';
import { describe, expect, it } from 'vitest';
import { heldFrames, heldLines, receivedChannel, utf8 } from '../testing/line-channels.ts';
import { ChannelFraming } from './channel-framing.ts';

/**
 * Cuts `<abc>` as a frame, and anything else as a left-over. An opened bracket without its end within four bytes or 50 ms
 * is a left-over of its own, and what follows it is looked at again.
 */
class BracketCutter implements FrameCutter {
  #waiting: { readonly byte: number; readonly at: number }[] = [];
  #isOver = false;
  #now = 0;

  get deadline(): number | null {
    const last = this.#waiting.at(-1);
    return last === undefined ? null : last.at + 50;
  }

  push(bytes: Uint8Array, from: number, to: number, at: number): void {
    for (const byte of bytes.subarray(from, to)) {
      this.#waiting.push({ byte, at });
    }
    this.#isOver = false;
  }

  next(): Piece | null {
    const text = String.fromCharCode(...this.#waiting.map(({ byte }) => byte));
    if (text === '') {
      return null;
    }
    const open = text.indexOf('<');
    if (open !== 0) {
      return open === -1 ? this.#take(text.length, 'left-over') : this.#take(open, 'left-over');
    }
    const end = text.indexOf('>');
    if (end !== -1 && end <= 4) {
      return this.#take(end + 1, text[1] === '!' ? 'broken' : 'frame');
    }
    return text.length > 4 || this.#isOver ? this.#take(1, 'left-over') : null;
  }

  expire(now: number): void {
    this.#now = now;
    this.#isOver = this.deadline !== null && now >= this.deadline;
  }

  end(): void {
    this.#isOver = true;
  }

  #take(length: number, kind: Piece['kind']): Piece {
    const taken = this.#waiting.splice(0, length);
    return { length, kind, at: taken[0]?.at ?? this.#now, until: taken.at(-1)?.at ?? this.#now };
  }
}

function cut() {
  const clock = new VirtualClock(1_000);
  const channel = receivedChannel(64 * 1024);
  const pieces: string[] = [];
  let gaps = 0;
  const framer = new ChannelFraming(clock, channel, () => gaps++);
  framer.set({ name: 'newline', options: {} });
  const decoder = {
    cutter: new BracketCutter(),
    isText: false,
    onPiece: (line: number, { kind }: Piece) => pieces.push(`${line} ${kind}`),
    read: () => null,
  };
  framer.decode(decoder);
  const receive = (text: string) => framer.received(utf8(text), clock.now());
  return { clock, channel, framer, decoder, pieces, receive, gaps: () => gaps };
}

describe('lines that a decoder cuts', () => {
  it('are its frames and what is between them, several in one read and one in several', () => {
    const { channel, pieces, receive } = cut();
    receive('x<a><bc>y');
    receive('<d');
    receive('e>');
    expect(heldLines(channel)).toEqual(['x', '<a>', '<bc>', 'y', '<de>']);
    expect(pieces).toEqual(['0 left-over', '1 frame', '2 frame', '3 left-over', '4 frame']);
  });

  it('hold all bytes, also where a frame begins inside a broken one', () => {
    const { channel, receive } = cut();
    receive('<a<b>');
    receive('<ab');
    receive('cd<e>');
    expect(heldLines(channel).join('')).toBe('<a<b><abcd<e>');
    expect(heldLines(channel)).toContain('<e>');
  });

  it('have the time of their own first byte', async () => {
    const { clock, channel, receive } = cut();
    receive('<ab');
    await clock.advance(10);
    receive('c<d');
    await clock.advance(10);
    receive('>');
    const times = heldLines(channel).map((text, line) => [text, channel.timeOf(line)]);
    expect(times.at(-1)).toEqual(['<d>', 1_010]);
    expect(times[0]?.[1]).toBe(1_000);
  });

  it('end when nothing comes, and the reader of rows hears of it', async () => {
    const { clock, channel, receive, gaps } = cut();
    receive('<ab');
    await clock.advance(49);
    expect(channel.isOpen(0)).toBe(true);
    await clock.advance(1);
    expect(heldLines(channel)).toEqual(['<', 'ab']);
    expect(channel.isOpen(1)).toBe(false);
    expect(gaps()).toBe(1);
  });

  it('are marked as faulty if their checksum is wrong', () => {
    const { channel, receive } = cut();
    receive('<!><a>');
    expect(heldFrames(channel)).toEqual(['INVALID 3C 21 3E', '3C 61 3E']);
  });

  it('begin and end with the decoder; text goes on by its framing', () => {
    const { channel, framer, decoder, receive } = cut();
    framer.decode(null);
    receive('one\ntw');
    framer.decode({ ...decoder, cutter: new BracketCutter() });
    receive('<a><b');
    framer.decode(null);
    receive('three\n');
    expect(heldLines(channel)).toEqual(['one\n', 'tw', '<a>', '<', 'b', 'three\n']);
  });

  it('leave nothing behind when the log is cleared in the middle of a frame', () => {
    const { channel, receive } = cut();
    receive('<a');
    channel.clear();
    receive('b><c>');
    expect(heldLines(channel)).toEqual(['b>', '<c>']);
  });

  it('stay whole while the oldest leave the ring', () => {
    const { channel, receive } = cut();
    for (let round = 0; round < 30_000; round++) {
      receive('<ab><c');
      receive('>');
    }
    const lines = heldLines(channel);
    expect(channel.droppedLines).toBeGreaterThan(0);
    expect(new Set(lines)).toEqual(new Set(['<ab>', '<c>']));
  });
});
