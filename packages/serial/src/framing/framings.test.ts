import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hexRowsOf } from '../hex-rows.ts';
import { blockOf, bytesOfLine } from '../line-bytes.ts';
import type { LineChannel } from '../line-channel.ts';
import { cutAt, heldFrames, heldLines, latin1, receivedChannel } from '../testing/line-channels.ts';
import { type FramingField, optionFailure } from './framing-definition.ts';
import { framingNamed, framingNames, framings, framingWith, showsDecoded, splitterOf } from './framings.ts';
import type { Splitter } from './splitter.ts';

/** Bytes that often have a meaning in one of the framings. */
const stream = fc
  .array(
    fc.oneof(
      fc.constantFrom(...[0x00, 0x01, 0x02, 0x03, 0x0a, 0x0d, 0x3b, 0x7d, 0x7e, 0xc0, 0xdb, 0xdc, 0xdd, 0xff]),
      fc.integer({ min: 0, max: 255 }),
    ),
    { maxLength: 200 },
  )
  .map((bytes) => Uint8Array.from(bytes));
const cuts = fc.array(fc.nat(200), { maxLength: 30 });

interface Read {
  readonly bytes: Uint8Array;
  /** True: their last line ends after them. */
  readonly isEnd: boolean;
}

const oneRow = Array.from({ length: 16 }, (_, at) => at + 1);
/** Whole frames whose content fills one hex row while their bytes need two: COBS, SLIP, HDLC. */
const wholeFrames = [
  [17, ...oneRow, 0],
  [...oneRow, 0xc0],
  [...oneRow, 0x7e],
].map((bytes) => Uint8Array.from(bytes));
const reads: fc.Arbitrary<readonly Read[]> = fc.array(
  fc.record({
    bytes: fc.oneof(stream, fc.constantFrom(...wholeFrames)),
    isEnd: fc.boolean(),
  }),
  { maxLength: 8 },
);

/** @param places Offsets at which each read is cut into pieces. */
function readInto(channel: LineChannel, all: readonly Read[], places: readonly number[] = []): LineChannel {
  for (const { bytes, isEnd } of all) {
    for (const piece of cutAt(bytes, places)) {
      channel.append(piece, 0);
    }
    if (isEnd) {
      channel.finishLine();
    }
  }
  return channel;
}

function split(splitter: Splitter, chunks: readonly Uint8Array[], ringBytes = 8_192) {
  const channel = receivedChannel(ringBytes);
  channel.splitWith(splitter);
  for (const chunk of chunks) {
    channel.append(chunk, 0);
  }
  return channel;
}

/** Returns options as small as the fields allow, so that short streams have several frames. */
function smallOptions(fields: Readonly<Record<string, FramingField>>): Record<string, unknown> {
  const small = Object.entries(fields).map(([name, field]) => [
    name,
    field.kind === 'number' ? field.least + 2 : undefined,
  ]);
  return Object.fromEntries(small);
}

describe.each(framingNames)('framing %s', (name) => {
  const splitter = () => splitterOf(framingWith(name, smallOptions(framings[name].fields)));

  it('gives the same frames at any chunk size', () => {
    fc.assert(
      fc.property(stream, cuts, (bytes, places) => {
        const whole = split(splitter(), [bytes]);
        const inPieces = split(splitter(), cutAt(bytes, places));
        expect(heldFrames(inPieces)).toEqual(heldFrames(whole));
        expect(heldLines(inPieces)).toEqual(heldLines(whole));
        const byByte = split(splitter(), cutAt(bytes, [...bytes.keys()]));
        expect(heldFrames(byByte)).toEqual(heldFrames(whole));
      }),
    );
  });

  it('loses no byte of any stream, however small the ring', () => {
    fc.assert(
      fc.property(stream, cuts, (bytes, places) => {
        const channel = split(splitter(), cutAt(bytes, places));
        channel.finishLine();
        expect(heldLines(channel).join('')).toBe(latin1(bytes));
        const small = split(splitter(), cutAt(bytes, places), 64);
        expect(latin1(bytes).endsWith(heldLines(small).join(''))).toBe(true);
        expect(heldLines(small).every(({ length }) => length <= 16)).toBe(true);
      }),
    );
  });

  it('gives the same frames at any chunk size, when gaps and closing end frames', () => {
    fc.assert(
      fc.property(reads, cuts, (all, places) => {
        const whole = readInto(split(splitter(), []), all);
        const inPieces = readInto(split(splitter(), []), all, places);
        expect(heldFrames(inPieces)).toEqual(heldFrames(whole));
        expect(heldLines(inPieces)).toEqual(heldLines(whole));
        expect(heldLines(whole).join('')).toBe(all.map(({ bytes }) => latin1(bytes)).join(''));
      }),
    );
  });

  it('leaves no line open that has been finished', () => {
    fc.assert(
      fc.property(reads, (all) => {
        const channel = readInto(split(splitter(), []), [...all, { bytes: Uint8Array.of(0x41), isEnd: true }]);
        expect(channel.isOpen(channel.endLine - 1)).toBe(false);
        const frames = heldFrames(channel);
        const after = Uint8Array.of(0x42, 0x43);
        channel.append(after, 0);
        expect(heldFrames(channel)).toEqual([...frames, ...heldFrames(split(splitter(), [after]))]);
      }),
    );
  });

  it('counts hex rows by the shown bytes of each frame', () => {
    fc.assert(
      fc.property(reads, cuts, (all, places) => {
        const channel = split(splitter(), []);
        for (const read of all) {
          readInto(channel, [read], places);
          let rows = 0;
          for (let line = channel.firstLine; line < channel.endLine; line++) {
            const { from, to } = bytesOfLine(channel, line);
            expect(channel.rowsBefore(line, 'hex')).toBe(rows);
            expect(channel.hexRowsOf(line)).toBe(hexRowsOf(to - from));
            rows += hexRowsOf(to - from);
          }
          expect(channel.rows('hex')).toBe(rows);
        }
      }),
    );
  });

  it('reads many lines at once as it reads each', () => {
    fc.assert(
      fc.property(reads, (all) => {
        const channel = readInto(split(splitter(), []), all);
        if (channel.lines === 0) {
          return;
        }
        const block = blockOf(channel, channel.firstLine, channel.endLine);
        for (let line = channel.firstLine; line < channel.endLine; line++) {
          const { source, from, textEnd, to } = bytesOfLine(channel, line);
          expect(block.bytes.slice(block.startOf(line), block.endOf(line))).toEqual(source.view(from, to).slice());
          expect(block.textEndOf(line) - block.startOf(line)).toBe(textEnd - from);
        }
      }),
    );
  });

  it('starts a new frame after the connection was closed', () => {
    fc.assert(
      fc.property(stream, stream, (before, after) => {
        const channel = split(splitter(), [before]);
        channel.finishLine();
        const lines = channel.endLine;
        channel.append(after, 0);
        expect(heldFrames(channel).slice(lines)).toEqual(heldFrames(split(splitter(), [after])));
      }),
    );
  });

  it('has defaults within its fields, and refuses values outside them', () => {
    const { fields, defaults } = framings[name];
    for (const [option, field] of Object.entries(fields)) {
      expect(optionFailure(field, defaults[option])).toBeNull();
      for (const wrong of [null, undefined, {}, 'nothing like it', Number.NaN]) {
        expect(optionFailure(field, wrong)).toMatch(/^[A-Z].*\.$/);
      }
    }
    expect(framingWith(name).options).toEqual(defaults);
  });

  it('is restored when it was stored, with defaults for unusable values', () => {
    const { fields, defaults } = framings[name];
    const framing = framingWith(name, smallOptions(fields));
    const stored = JSON.parse(JSON.stringify(framing));
    expect(framingWith(stored.name, stored.options)).toEqual(framing);
    const wrong = Object.fromEntries(Object.keys(fields).map((option) => [option, 'nothing like it']));
    expect(framingWith(name, { ...wrong, unknown: 1 }).options).toEqual(defaults);
  });
});

describe('framings', () => {
  it('are found by their names', () => {
    expect(framingNamed('newline')).toBe('newline');
    expect(framingNamed('toString')).toBeNull();
    expect(framingNamed(null)).toBeNull();
  });

  it('state which rows show decoded frames', () => {
    expect(framingNames.filter(showsDecoded)).toEqual(['cobs', 'slip', 'hdlc']);
  });

  it('have titles of their own', () => {
    expect(new Set(framingNames.map((name) => framings[name].title)).size).toBe(framingNames.length);
  });
});
