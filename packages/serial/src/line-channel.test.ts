import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hexRowsOf } from './hex-rows.ts';
import type { LineChannel } from './line-channel.ts';
import { cutAt, heldLines, latin1, receivedChannel, utf8 } from './testing/line-channels.ts';

/** Any bytes, with many newlines and carriage returns. */
const wireBytes = fc
  .array(fc.oneof(fc.constantFrom(0x0a, 0x0d, 0x61), fc.integer({ min: 0, max: 255 })), {
    maxLength: 300,
    size: 'large',
  })
  .map((bytes) => Uint8Array.from(bytes));
const cuts = fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 12 });

function channelOf(reads: readonly Uint8Array[], ringBytes = 4_096): LineChannel {
  const channel = receivedChannel(ringBytes);
  for (const read of reads) {
    channel.append(read, 0);
  }
  return channel;
}

describe('line splitter', () => {
  it('keeps a \\r\\n together that two reads cut apart', () => {
    expect(heldLines(channelOf([utf8('one\r'), utf8('\ntwo\r\n')]))).toEqual(['one\r\n', 'two\r\n']);
  });

  it('keeps a \\n\\r together, also when two reads cut it apart, and dates the next line by its own first byte', () => {
    const channel = receivedChannel();
    channel.append(utf8('one\n\rtwo\n'), 1);
    channel.append(utf8('\r'), 2);
    expect(heldLines(channel)).toEqual(['one\n\r', 'two\n\r']);
    expect(channel.isOpen(1)).toBe(false);
    channel.append(utf8('\n\rthree'), 3);
    expect(heldLines(channel)).toEqual(['one\n\r', 'two\n\r', '\n\r', 'three']);
    expect([channel.timeOf(2), channel.timeOf(3)]).toEqual([3, 3]);
    expect([0, 1, 2, 3].map((line) => channel.endingOf(line))).toEqual([2, 2, 2, 0]);
  });

  it('takes every \\r before a \\n for a part of the ending', () => {
    const channel = channelOf([utf8('one\r'), utf8('\r\ntwo\r\n\r\nthree\r\n\rfour\n')]);
    expect(heldLines(channel)).toEqual(['one\r\r\n', 'two\r\n', '\r\n', 'three\r\n', '\rfour\n']);
    expect(channel.endingOf(0)).toBe(3);
  });

  it('adds no \\r to the ending of a line that was finished or cleared', () => {
    const channel = channelOf([utf8('one\n')]);
    channel.finishLine();
    channel.append(utf8('\rtwo\n'), 0);
    expect(heldLines(channel)).toEqual(['one\n', '\rtwo\n']);
    channel.clear();
    channel.append(utf8('\rthree\n'), 0);
    expect(heldLines(channel)).toEqual(['three\n']);
    channel.restoreCleared();
    expect(heldLines(channel)).toEqual(['one\n', '\rtwo\n\r', 'three\n']);
  });

  it('leaves a lone \\r in its line', () => {
    expect(heldLines(channelOf([utf8('10 %\r20 %\r'), utf8('30 %\r\n')]))).toEqual(['10 %\r20 %\r30 %\r\n']);
  });

  it('gives a line of a megabyte without a newline as one line', () => {
    const channel = receivedChannel(8 * 1024 * 1024);
    for (let reads = 0; reads < 256; reads++) {
      channel.append(new Uint8Array(4_096).fill(0x78), reads);
    }
    expect(channel.lines).toBe(1);
    expect(channel.endOf(0)).toBe(1024 * 1024);
    expect(channel.timeOf(0)).toBe(0);
  });

  it('shows a prompt as a line before it has an end', () => {
    const channel = channelOf([utf8('login: ')]);
    expect(heldLines(channel)).toEqual(['login: ']);
    expect(channel.isOpen(0)).toBe(true);
    channel.append(utf8('root\n'), 5);
    expect(heldLines(channel)).toEqual(['login: root\n']);
    expect(channel.isOpen(0)).toBe(false);
  });

  it('splits any bytes the same way however the reads fall', () => {
    fc.assert(
      fc.property(wireBytes, cuts, (bytes, places) => {
        expect(heldLines(channelOf(cutAt(bytes, places)))).toEqual(heldLines(channelOf([bytes])));
      }),
    );
  });

  it('loses nothing: all lines together are the bytes that came', () => {
    fc.assert(
      fc.property(wireBytes, cuts, (bytes, places) => {
        const lines = heldLines(channelOf(cutAt(bytes, places)));
        expect(lines.join('')).toBe(latin1(bytes));
        expect(lines.slice(0, -1).every((line) => /^[^\n]*\n\r?$/.test(line))).toBe(true);
      }),
    );
  });

  it('cuts a line that outgrows a quarter of its ring, at the same place however the reads fall', () => {
    fc.assert(
      fc.property(wireBytes, cuts, (bytes, places) => {
        const small = heldLines(channelOf(cutAt(bytes, places), 64));
        expect(small).toEqual(heldLines(channelOf([bytes], 64)));
        expect(small.every((line) => line.length <= 16)).toBe(true);
        expect(latin1(bytes).endsWith(small.join(''))).toBe(true);
      }),
    );
  });

  it('cuts an endless line into lines of just a quarter of its ring', () => {
    const channel = channelOf([utf8('x'.repeat(20)), utf8('x'.repeat(20))], 64);
    expect(heldLines(channel).map((line) => line.length)).toEqual([16, 16, 8]);
  });

  it('begins a new line where the open one was finished from outside', () => {
    const channel = channelOf([utf8('half a li')]);
    channel.finishLine();
    channel.append(utf8('new\n'), 9);
    expect(heldLines(channel)).toEqual(['half a li', 'new\n']);
    expect(channel.timeOf(1)).toBe(9);
  });
});

describe('full ring', () => {
  it('drops the oldest lines whole, and counts them', () => {
    const channel = channelOf(
      ['line 1\n', 'line 2\n', 'line 3\n', 'line 4\n', 'line 5\n'].map((line) => utf8(line)),
      32,
    );
    expect(heldLines(channel)).toEqual(['line 2\n', 'line 3\n', 'line 4\n', 'line 5\n']);
    expect(channel.droppedLines).toBe(1);
  });

  it('holds the newest lines that fit, for any input', () => {
    fc.assert(
      fc.property(fc.array(wireBytes, { maxLength: 6 }), fc.integer({ min: 64, max: 256 }), (reads, ringBytes) => {
        const channel = channelOf(reads, ringBytes);
        const all = reads.map((read) => latin1(read)).join('');
        const held = heldLines(channel).join('');
        expect(all.endsWith(held)).toBe(true);
        expect(held.length).toBeLessThanOrEqual(ringBytes);
        expect(channel.lines + channel.droppedLines).toBe(channel.endLine);
        const dropped = all.length - held.length;
        expect(dropped === 0 || held.length > ringBytes / 4).toBe(true);
      }),
    );
  });

  it('counts hex rows of held lines only', () => {
    fc.assert(
      fc.property(fc.array(wireBytes, { maxLength: 6 }), (reads) => {
        const channel = channelOf(reads, 256);
        const rows = heldLines(channel).reduce((sum, line) => sum + hexRowsOf(line.length), 0);
        expect(channel.rows('hex')).toBe(rows);
        expect(channel.rows('text')).toBe(channel.lines);
      }),
    );
  });
});

describe('a long stream', () => {
  it('is found again line by line when most of it is gone', () => {
    const channel = receivedChannel(256 * 1024);
    const text = (line: number) => `line ${line}\n`;
    for (let line = 0; line < 60_000; line++) {
      channel.append(utf8(text(line)), line);
    }
    const { firstLine, endLine } = channel;
    expect(endLine).toBe(60_000);
    expect(firstLine).toBeGreaterThan(30_000);
    expect(heldLines(channel)).toEqual(
      Array.from({ length: endLine - firstLine }, (_, line) => text(firstLine + line)),
    );
    for (let line = firstLine; line < endLine; line += 97) {
      expect(channel.timeOf(line)).toBe(line);
      expect(channel.lineAtSequence(line)).toBe(line);
      expect(channel.lineAtOffset(channel.endOf(line) - 1)).toBe(line);
      expect(channel.rowsBefore(line, 'hex')).toBe(line - firstLine);
    }
  });
});

describe('entries', () => {
  it('keep bytes that were sent at once as one line, including newlines', () => {
    const channel = receivedChannel();
    channel.appendEntry(utf8('a\nb\n'), 1);
    channel.appendEntry(utf8('no ending'), 2);
    channel.appendEntry(utf8(''), 3);
    expect(heldLines(channel)).toEqual(['a\nb\n', 'no ending', '']);
    expect(channel.isOpen(2)).toBe(false);
  });

  it('fall into several lines when they are larger than a line may be', () => {
    const channel = receivedChannel(64);
    channel.appendEntry(utf8('x'.repeat(40)), 1);
    expect(heldLines(channel).map((line) => line.length)).toEqual([16, 16, 8]);
  });
});

type Step =
  | { readonly kind: 'append'; readonly bytes: Uint8Array }
  | { readonly kind: 'clear' | 'restore' | 'forget' }
  | { readonly kind: 'resize'; readonly size: number };

const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('append' as const), bytes: wireBytes }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('clear' as const, 'restore' as const) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('forget' as const) }) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('resize' as const), size: fc.constantFrom(64, 100, 256, 512) }),
    },
  ),
  { maxLength: 20 },
);

function take(channel: LineChannel, step: Step): void {
  if (step.kind === 'append') {
    channel.append(step.bytes, 0);
  } else if (step.kind === 'resize') {
    channel.resize(step.size);
  } else {
    const acts = { clear: 'clear', restore: 'restoreCleared', forget: 'forgetCleared' } as const;
    channel[acts[step.kind]]();
  }
}

const hexRowsHeld = (channel: LineChannel) =>
  heldLines(channel).reduce((sum, { length }) => sum + hexRowsOf(length), 0);

describe('undoing a clear', () => {
  it('restores every line, before those that came since', () => {
    const channel = receivedChannel(1_024);
    channel.append(utf8('one\ntwo\nopen'), 0);
    channel.clear();
    channel.append(utf8(' rest\nthree\n'), 1);
    channel.restoreCleared();
    expect(heldLines(channel)).toEqual(['one\n', 'two\n', 'open', ' rest\n', 'three\n']);
    expect([channel.lines, channel.droppedLines]).toEqual([5, 0]);
  });

  it('counts lines that no longer fit as dropped, and keeps all that came since', () => {
    const channel = receivedChannel(64);
    channel.append(utf8('11111111111\n22222222222\n33333333333\n'), 0);
    channel.clear();
    channel.append(utf8('44444444444\n55555555555\n66666666666\n'), 1);
    expect(channel.droppedLines).toBe(0);
    channel.restoreCleared();
    expect(heldLines(channel).map(([digit]) => digit)).toEqual(['2', '3', '4', '5', '6']);
    expect(channel.droppedLines).toBe(1);
  });

  it('undoes two clears in a row together', () => {
    const channel = receivedChannel();
    for (const line of ['one\n', 'two\n']) {
      channel.append(utf8(line), 0);
      channel.clear();
    }
    channel.restoreCleared();
    expect(heldLines(channel)).toEqual(['one\n', 'two\n']);
  });

  it('cannot be done once it is forgotten', () => {
    const channel = channelOf([utf8('one\n')]);
    channel.clear();
    channel.forgetCleared();
    channel.restoreCleared();
    expect(heldLines(channel)).toEqual([]);
    channel.append(utf8('two\n'), 0);
    expect(heldLines(channel)).toEqual(['two\n']);
  });

  it('keeps bytes, rows and counters consistent through any changes', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const channel = receivedChannel(256);
        let came = '';
        for (const step of all) {
          take(channel, step);
          came += step.kind === 'append' ? latin1(step.bytes) : '';
          expect(came.endsWith(heldLines(channel).join(''))).toBe(true);
          expect(channel.rows('hex')).toBe(hexRowsHeld(channel));
        }
        const before = heldLines(channel).join('');
        channel.clear();
        expect([channel.lines, channel.droppedLines, channel.rows('hex')]).toEqual([0, 0, 0]);
        channel.restoreCleared();
        expect(heldLines(channel).join('').endsWith(before)).toBe(true);
      }),
    );
  });

  it('accounts for every line since the last one that was forgotten', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const channel = receivedChannel(256);
        let forgotten = 0;
        for (const step of all.filter(({ kind }) => kind !== 'forget')) {
          take(channel, step);
        }
        channel.restoreCleared();
        expect(channel.lines + channel.droppedLines).toBe(channel.endLine - forgotten);
        forgotten = channel.endLine;
        channel.clear();
        channel.forgetCleared();
        channel.append(utf8('one\ntwo\n'), 0);
        channel.clear();
        channel.restoreCleared();
        expect(channel.lines + channel.droppedLines).toBe(channel.endLine - forgotten);
      }),
    );
  });
});

describe('clearing and resizing', () => {
  it('forgets everything, but never uses an ordinal or a sequence number again', () => {
    const counter = { next: 0 };
    const channel = receivedChannel(64, 1, counter);
    channel.append(utf8('one\ntwo\nopen'), 0);
    channel.clear();
    expect(channel.lines).toBe(0);
    channel.append(utf8(' rest\n'), 1);
    expect(heldLines(channel)).toEqual([' rest\n']);
    expect(channel.firstLine).toBe(3);
    expect(channel.sequenceOf(3)).toBe(3);
  });

  it('keeps the newest lines that fit a new size, larger or smaller', () => {
    fc.assert(
      fc.property(wireBytes, wireBytes, fc.constantFrom(64, 100, 256, 512), (before, after, size) => {
        const channel = channelOf([before], 400);
        const held = heldLines(channel).join('');
        channel.resize(size);
        const kept = heldLines(channel).join('');
        expect(held.endsWith(kept)).toBe(true);
        expect(kept.length).toBeLessThanOrEqual(size);
        channel.append(after, 1);
        expect((kept + latin1(after)).endsWith(heldLines(channel).join(''))).toBe(true);
      }),
    );
  });

  it('begins a new line when the open one does not fit the new size', () => {
    const channel = channelOf([utf8(`old\n${'x'.repeat(90)}`)], 400);
    channel.resize(64);
    expect(heldLines(channel)).toEqual([]);
    channel.append(utf8('rest\nnew\n'), 1);
    expect(heldLines(channel)).toEqual(['rest\n', 'new\n']);
  });

  it('changes nothing when there is no memory for the new size', () => {
    const channel = channelOf([utf8('kept\n')]);
    expect(() => channel.resize(Number.MAX_SAFE_INTEGER)).toThrow(RangeError);
    expect(heldLines(channel)).toEqual(['kept\n']);
  });
});
