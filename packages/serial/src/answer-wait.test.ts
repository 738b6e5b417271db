import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AnswerWait } from './answer-wait.ts';
import { cutAt, latin1, utf8 } from './testing/line-channels.ts';

/** Few different bytes, so that answers often begin, break off and overlap. */
const few = (minLength: number, maxLength: number) =>
  fc
    .array(fc.constantFrom(0x00, 0x0d, 0x0a, 0x4f, 0x4b), { minLength, maxLength })
    .map((bytes) => Uint8Array.from(bytes));
const cuts = fc.array(fc.nat({ max: 80 }), { maxLength: 12 });

/** Returns the offset of the answer's end in the whole stream; -1 if it never came. */
function endOf(answer: Uint8Array, pieces: readonly Uint8Array[]): number {
  const wait = new AnswerWait(answer);
  let before = 0;
  for (const piece of pieces) {
    const end = wait.take(piece);
    if (end !== -1) {
      return before + end;
    }
    before += piece.length;
  }
  return -1;
}

describe('answer', () => {
  it('is found where a plain search finds it, however the bytes are cut', () => {
    fc.assert(
      fc.property(few(1, 6), few(0, 80), cuts, (answer, stream, at) => {
        const start = latin1(stream).indexOf(latin1(answer));
        expect(endOf(answer, cutAt(stream, at))).toBe(start === -1 ? -1 : start + answer.length);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is found byte by byte', () => {
    const stream = utf8('AT\r\nBUSY\r\nOK\r\n');
    expect(endOf(utf8('OK'), cutAt(stream, [...stream.keys()]))).toBe(12);
  });

  it('is found if it begins inside a partial match', () => {
    expect(endOf(utf8('aab'), [utf8('aa'), utf8('ab')])).toBe(4);
    expect(endOf(utf8('\r\nOK'), [utf8('\r'), utf8('\r\nO'), utf8('K')])).toBe(5);
  });

  it('may be any bytes, 00 and FF included', () => {
    const all = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    expect(endOf(all, [all.subarray(0, 1), all.subarray(1, 255), all.subarray(255)])).toBe(256);
    expect(endOf(all, [all.subarray(0, 255)])).toBe(-1);
  });

  it('leaves the bytes behind it, so that a second one is found there', () => {
    const wait = new AnswerWait(utf8('ok'));
    const stream = utf8('ok..ok');
    const first = wait.take(stream);
    expect(first).toBe(2);
    expect(wait.take(stream.subarray(first))).toBe(4);
  });

  it('does not change with the array it was made from', () => {
    const answer = utf8('ok');
    const wait = new AnswerWait(answer);
    answer.fill(0);
    expect(wait.take(utf8('ok'))).toBe(2);
  });

  it('cannot be empty', () => {
    expect(() => new AnswerWait(new Uint8Array())).toThrow(RangeError);
  });
});
