/** Adapters of RS-485 lines that return what is sent: the echo of a request is never its answer. */
import { libraryDecoders } from '@wirebench/contract/decoder-library';
import { isLong, random } from '@wirebench/test-input';
import { describe, expect, it } from 'vitest';
import { compile } from '../../compile.ts';
import type { Direction, FrameLink } from '../../frame-types.ts';
import { checkedDecoder } from '../../testing/golden-cases.ts';
import { modbusFrame as frame } from '../../testing/modbus-frames.ts';

const LIMIT = 200;

/** A line whose frames are 20 ms apart. */
class Line {
  readonly #conversation = compile([checkedDecoder(libraryDecoders.modbus)], { answerLimit: LIMIT }).conversation();
  #now = 0;
  #count = 0;

  add(bytes: Uint8Array, direction: Direction = 'received', isBroken = false): { index: number; link: FrameLink } {
    this.#now += 20;
    const kind = isBroken ? 'broken' : 'frame';
    const link = this.#conversation.add(bytes, kind, direction, this.#now, this.#now + 5);
    return { index: this.#count++, link };
  }

  /** Role, and the index of the question. */
  roleOf(body: string, direction: Direction = 'received', isBroken = false): string {
    const { link } = this.add(frame(body), direction, isBroken);
    return link.to === null ? link.role : `${link.role} to ${link.to}`;
  }

  wait(ms: number): readonly { readonly index: number }[] {
    this.#now += ms;
    return this.#conversation.unanswered(this.#now);
  }
}

/** Sends a read whose echo comes, and its answer. */
function showEcho(line: Line): void {
  expect(line.roleOf('07 03 0001 0001', 'sent')).toBe('question');
  expect(line.roleOf('07 03 0001 0001')).toBe('notice');
  expect(line.roleOf('07 03 02 00E7')).toBe('answer to 0');
}

const repeated = [
  ['5', '07 05 0003 FF00'],
  ['6', '07 06 0001 0002'],
  ['8', '07 08 0000 A537'],
  ['8 with several words', '07 08 0000 0102 0304'],
  ['21', '07 15 09 06 0004 0007 0001 06AF'],
  ['22', '07 16 0004 00F2 0025'],
  ['100, which is unknown', '07 64 01'],
  ['1, whose answer may look the same', '07 01 0300 0014'],
] as const;

describe('an adapter that returns what is sent', () => {
  it.each(repeated)('has an echo before the answer that repeats the request of function %s', (_, write) => {
    const line = new Line();
    showEcho(line);
    expect(line.roleOf(write, 'sent')).toBe('question');
    expect(line.roleOf(write)).toBe('notice');
    expect(line.roleOf(write)).toBe('answer to 3');
    expect(line.wait(1_000)).toEqual([]);
  });

  it.each(repeated)('misses the answer of function %s if only the echo comes', (_, write) => {
    const line = new Line();
    showEcho(line);
    line.roleOf(write, 'sent');
    expect(line.roleOf(write)).toBe('notice');
    expect(line.wait(1_000)).toEqual([{ index: 3, limit: LIMIT }]);
  });

  it.each(['00 06 0001 0002', '00 05 0003 FF00', '00 10 0001 0001 02 000A', '00 16 0004 00F2 0025'])(
    'returns a broadcast, which is no request of another master: %s',
    (broadcast) => {
      const line = new Line();
      expect(line.roleOf(broadcast, 'sent')).toBe('question');
      expect(line.roleOf(broadcast)).toBe('notice');
      // Another master would be heard asking.
      line.wait(1_000);
      expect(line.roleOf('08 06 0001 0002')).toBe('answer');
    },
  );

  it('is noticed by the second of two frames that repeat the first write', () => {
    const line = new Line();
    const write = '07 06 0001 0002';
    expect(line.roleOf(write, 'sent')).toBe('question');
    expect(line.roleOf(write)).toBe('answer to 0');
    expect(line.roleOf(write)).toBe('answer');
    line.wait(1_000);
    expect([line.roleOf(write, 'sent'), line.roleOf(write), line.roleOf(write)]).toEqual([
      'question',
      'notice',
      'answer to 3',
    ]);
  });

  it('may lose echoes, and has none after three answers without', () => {
    const line = new Line();
    showEcho(line);
    const answer = (to: number) => {
      line.roleOf('07 03 0001 0001', 'sent');
      expect(line.roleOf('07 03 02 00E7')).toBe(`answer to ${to}`);
    };
    answer(3);
    answer(5);
    line.roleOf('07 06 0001 0002', 'sent');
    expect(line.roleOf('07 06 0001 0002')).toBe('notice');
    // An echo with its answer behind it shows that there still are echoes.
    expect(line.roleOf('07 06 0001 0002')).toBe('answer to 7');
    answer(10);
    answer(12);
    line.roleOf('07 06 0001 0002', 'sent');
    expect([line.roleOf('07 06 0001 0002'), line.roleOf('07 06 0001 0002')]).toEqual(['notice', 'answer to 14']);
    answer(17);
    answer(19);
    answer(21);
    line.roleOf('07 06 0001 0002', 'sent');
    expect(line.roleOf('07 06 0001 0002')).toBe('answer to 23');
  });

  it('may damage an echo, which is not the damaged answer', () => {
    const line = new Line();
    showEcho(line);
    line.roleOf('07 06 0001 0002', 'sent');
    line.roleOf('07 06 0001 0003', 'received', true);
    expect(line.roleOf('07 06 0001 0002')).toBe('answer to 3');
  });

  it('returns answers of a device on this port, which are no requests', () => {
    const line = new Line();
    const write = '07 06 0001 0002';
    expect(line.roleOf('07 03 0001 0001')).toBe('question');
    expect(line.roleOf('07 03 02 00E7', 'sent')).toBe('answer to 0');
    expect(line.roleOf('07 03 02 00E7')).toBe('notice');
    expect(line.roleOf(write)).toBe('question');
    expect(line.roleOf(write, 'sent')).toBe('answer to 3');
    expect(line.roleOf(write)).toBe('notice');
    expect(line.wait(1_000)).toEqual([]);
  });

  it('returns a read of the queue at address 0, which is no answer', () => {
    const line = new Line();
    line.roleOf('07 18 0000', 'sent');
    expect(line.roleOf('07 18 0000')).toBe('notice');
    expect(line.roleOf('07 18 0006 0002 01B8 1284')).toBe('answer to 0');
  });
});

/** A request, and its answer; null: a broadcast has none. */
function exchange(source: ReturnType<typeof random>): { request: Uint8Array; answer: Uint8Array | null } {
  const unit = source.below(8);
  const word = (value: number) => [value >> 8, value & 0xff];
  const address = word(source.below(4) * 256 + source.below(3));
  const value = word(source.below(3));
  const bytes = (count: number) => Array.from({ length: count }, () => source.below(256));
  const count = 1 + source.below(24);
  const same = (...body: readonly number[]) => ({ request: body, answer: body });
  const code = ([1, 2, 3, 4, 5, 6, 7, 8, 11, 15, 16, 17, 21, 22, 23, 24, 43, 100] as const)[source.below(18)] as number;
  const make = () => {
    switch (code) {
      case 1:
      case 2: {
        const size = Math.ceil(count / 8);
        return { request: [...address, ...word(count)], answer: [size, ...bytes(size)] };
      }
      case 3:
      case 4:
        return { request: [...address, ...word(count)], answer: [2 * count, ...bytes(2 * count)] };
      case 5:
        return same(...address, source.below(2) * 0xff, 0);
      case 6:
        return same(...address, ...value);
      case 7:
        return { request: [], answer: bytes(1) };
      case 8:
        return same(0, 0, ...value, ...bytes(2 * source.below(2)));
      case 11:
        return { request: [], answer: bytes(4) };
      case 15:
        return { request: [...address, 0, 5, 1, source.below(32)], answer: [...address, 0, 5] };
      case 16:
        return { request: [...address, 0, 1, 2, ...value], answer: [...address, 0, 1] };
      case 17:
        return { request: [], answer: [2, ...bytes(2)] };
      case 21:
        return same(9, 6, 0, 4, 0, 7, 0, 1, ...value);
      case 22:
        return same(...address, 0, 0xf2, ...value);
      case 23:
        return {
          request: [...address, ...word(count), 0, 14, 0, 1, 2, ...value],
          answer: [2 * count, ...bytes(2 * count)],
        };
      case 24:
        return { request: address, answer: [0, 4, 0, 1, ...bytes(2)] };
      case 43:
        return { request: [14, 1, 0], answer: [14, 1, 1, 0, 0, 1, 0, 1, source.below(256)] };
      default:
        return { request: value, answer: source.below(2) === 0 ? value : bytes(1) };
    }
  };
  const { request, answer } = make();
  const isRefused = source.below(10) === 0;
  return {
    request: frame([unit, code, ...request]),
    answer: unit === 0 ? null : frame(isRefused ? [unit, code + 128, 2] : [unit, code, ...answer]),
  };
}

describe('random conversations of a master', () => {
  it.each([
    ['with an echo, whole', true, 0],
    ['with an echo, with lost frames', true, 6],
    ['without an echo, whole', false, 0],
    ['without an echo, with lost frames', false, 6],
  ] as const)('pair a request with its answer or with none: %s', (_, hasEcho, lostOf) => {
    const source = random(`echoes ${hasEcho} ${lostOf}`);
    const isLost = () => lostOf > 0 && source.below(lostOf) === 0;
    const seen = { answers: 0, paired: 0 };
    for (let round = 0; round < (isLong ? 20_000 : 500); round++) {
      const line = new Line();
      if (hasEcho) {
        showEcho(line);
      }
      /** Echoes that were lost since the last one with its answer, up to two. */
      let lost = 0;
      for (let turn = 0; turn < 12; turn++) {
        const { request, answer } = exchange(source);
        const said = `round ${round}, turn ${turn}: ${Buffer.from(request).toString('hex')}`;
        const asked = line.add(request, 'sent');
        expect(asked.link.role, said).toBe('question');
        const isEchoLost = hasEcho && lost < 2 && isLost();
        const isAnswerLost = answer === null || isLost();
        lost = isEchoLost ? lost + 1 : isAnswerLost && answer !== null ? lost : 0;
        if (hasEcho && !isEchoLost) {
          expect(line.add(request).link, said).toMatchObject({ role: 'notice', to: null });
        }
        if (!isAnswerLost) {
          const { link } = line.add(answer);
          expect([asked.index, null], said).toContain(link.to);
          seen.answers++;
          seen.paired += link.to === null ? 0 : 1;
        }
        // A master waits for the answer, or asks again before the limit.
        const wait = source.below(3) === 0 ? LIMIT + 100 : 20;
        const missing = line.wait(wait).map(({ index }) => index);
        expect(answer !== null || !missing.includes(asked.index), said).toBe(true);
      }
    }
    expect(seen.paired / seen.answers).toBeGreaterThan(lostOf === 0 ? 0.999 : hasEcho ? 0.9 : 0.97);
  });
});
