import { libraryDecoders } from '@wirebench/contract/decoder-library';
import { describe, expect, it } from 'vitest';
import { Overview } from './overview.ts';
import { bytesOf, type Chunk, readChunks } from './testing/golden-cases.ts';

const chunk = (at: number, hex: string): Chunk => ({ at, direction: 'received', bytes: bytesOf(hex) });

/** Two questions of unit 1 with answers, an exception of unit 2, a broken answer and a question without one. */
const chunks = [
  chunk(0, '01 03 00 01 00 01 D5 CA'),
  chunk(30, '01 03 02 00 E7 F8 0E'),
  chunk(500, '01 03 00 01 00 01 D5 CA'),
  chunk(540, '01 03 02 00 E8 B8 0A'),
  chunk(1_000, '02 03 00 01 00 01 D5 F9'),
  chunk(1_020, '02 83 02 30 F1'),
  chunk(1_500, '01 03 00 01 00 01 D5 CA'),
  chunk(1_530, '01 03 02 00 E7 F8 0F'),
  chunk(2_000, '02 03 00 01 00 01 D5 F9'),
];

function overview(): Overview {
  const { pieces, unanswered } = readChunks([libraryDecoders.modbus], chunks, { answerLimit: 200 });
  const seen = new Overview();
  for (const { decoded, link, bytes, at } of pieces) {
    seen.add(decoded, link, bytes, at);
  }
  for (const { index } of unanswered) {
    const question = pieces[index];
    if (question !== undefined) {
      seen.addUnanswered(question.decoded);
    }
  }
  return seen;
}

describe('overview', () => {
  it('has one row for each unit and function, and one for broken frames', () => {
    const rows = overview().rows();
    expect(rows.map(({ key, who, count, exceptions, errors }) => [key, who, count, exceptions, errors])).toEqual([
      ['unit 1, function 3', '01', 5, 0, 0],
      ['unit 2, function 3', '02', 3, 1, 0],
      ['broken frame', '01', 1, 0, 1],
    ]);
    // Answers come when they come: the questions have the cycle.
    expect(rows[0]?.cycle).toBe(750);
    expect(rows[2]?.cycle).toBeNull();
  });

  it('lights the bytes that changed since the frame before', () => {
    const seen = new Overview();
    const { pieces } = readChunks([libraryDecoders.modbus], chunks.slice(0, 4));
    const answers = pieces.filter(({ link }) => link.role === 'answer');
    for (const { decoded, link, bytes, at } of answers) {
      seen.add(decoded, link, bytes, at);
    }
    expect(seen.rows()[0]?.changed).toEqual([4, 5, 6]);
    expect(seen.rows()[0]?.newest.fields.find(({ name }) => name === 'holding.1')?.value).toBe(232);
  });

  it('shows a question only until an answer came', () => {
    const seen = new Overview();
    const { pieces } = readChunks([libraryDecoders.modbus], chunks.slice(0, 3));
    const shown = pieces.map(({ decoded, link, bytes, at }) => {
      seen.add(decoded, link, bytes, at);
      const [row] = seen.rows();
      return [row?.newest.sentence, row?.changed];
    });
    expect(shown).toEqual([
      ['read 1 from 1', []],
      ['read 1: 231', []],
      ['read 1: 231', []],
    ]);
  });

  it('counts everything once more without rows', () => {
    const seen = overview();
    const totals = { frames: 8, exceptions: 1, errors: 1, lost: 0, unanswered: 1, leftOver: 0 };
    expect(seen.totals).toEqual(totals);
    const { pieces } = readChunks([libraryDecoders.modbus], [chunk(0, '00 00 00 00')]);
    for (const { decoded, link, bytes, at } of pieces) {
      seen.add({ ...decoded, kind: 'left-over' }, link, bytes, at);
    }
    expect(seen.totals).toEqual({ ...totals, leftOver: 4 });
    expect(seen.rows()).toHaveLength(3);
  });

  /** Cycle of a message that is sent each `every` ms and arrives at the times that `arrival` gives. */
  const cycleOf = (every: number, count: number, arrival: (sent: number) => number) => {
    const seen = new Overview();
    const [piece] = readChunks([libraryDecoders.modbus], chunks.slice(0, 1)).pieces;
    for (let index = 0; piece !== undefined && index < count; index++) {
      seen.add(piece.decoded, piece.link, piece.bytes, arrival(index * every));
    }
    return seen.rows()[0]?.cycle;
  };
  const inChunksOf = (ms: number) => (sent: number) => ms * Math.ceil((sent + 0.5) / ms);

  it.each([
    ['one each millisecond in chunks of 40 ms', 1, 40, 1],
    ['one each 10 ms in chunks of 16 ms', 10, 16, 10],
    ['one each 100 ms in chunks of 16 ms', 100, 16, 100],
  ])('counts frames that came together: %s', (_name, every, chunkTime, cycle) => {
    expect(Math.abs((cycleOf(every, 2_000, inChunksOf(chunkTime)) ?? 0) / cycle - 1)).toBeLessThan(0.03);
  });

  it('has no cycle of frames that all came together', () => {
    expect(cycleOf(1, 20, () => 40)).toBeNull();
  });

  it('has no cycle without times', () => {
    const seen = new Overview();
    const [piece] = readChunks([libraryDecoders.modbus], chunks.slice(0, 1)).pieces;
    for (let count = 0; piece !== undefined && count < 3; count++) {
      seen.add(piece.decoded, piece.link, piece.bytes, Number.NaN);
    }
    expect(seen.rows()[0]).toMatchObject({ count: 3, cycle: null });
  });

  it('counts questions, answers and their times by device', () => {
    expect(overview().devices()).toEqual([
      {
        who: '01',
        questions: 3,
        answers: 2,
        exceptions: 0,
        errors: 1,
        unanswered: 0,
        shortest: 30,
        mean: 35,
        longest: 40,
      },
      {
        who: '02',
        questions: 2,
        answers: 1,
        exceptions: 1,
        errors: 0,
        unanswered: 1,
        shortest: 20,
        mean: 20,
        longest: 20,
      },
    ]);
  });

  it('keeps a limited number of rows, and counts the rest', () => {
    const seen = new Overview();
    const [piece] = readChunks([libraryDecoders.modbus], chunks.slice(0, 1)).pieces;
    if (piece === undefined) {
      throw new Error('no piece');
    }
    for (let index = 0; index < 5_000; index++) {
      const { decoder, kind, message, sentence, fields } = piece.decoded;
      const decoded = { decoder, kind, message, sentence, fields, key: `row ${index}`, who: String(index) };
      seen.add(decoded, piece.link, piece.bytes, index);
    }
    expect([seen.rows().length, seen.devices().length, seen.omitted]).toEqual([4_096, 4_096, 904]);
  });
});
