/** One rule about late answers for every protocol that pairs questions with answers. */
import { libraryDecoders } from '@wirebench/contract/decoder-library';
import type { DecoderDraft } from '@wirebench/contract/decoders';
import { describe, expect, it } from 'vitest';
import type { Direction } from './frame-types.ts';
import { bytesOf, type Chunk, readChunks } from './testing/golden-cases.ts';
import { modbusFrame } from './testing/modbus-frames.ts';

const text = (words: string) => Uint8Array.from(Buffer.from(words));

/** A frame of class, id and payload, with its checksum (u-blox M8, section 32.4). */
function ubx(content: string): Uint8Array {
  const body = bytesOf(content);
  let a = 0;
  let b = 0;
  for (const byte of body) {
    a = (a + byte) & 255;
    b = (b + a) & 255;
  }
  return Uint8Array.of(0xb5, 0x62, ...body, a, b);
}

/** Frames of two bytes: 1 asks, 2 answers, then a tag that both have. */
const ownDecoder: DecoderDraft = {
  name: 'own',
  title: 'Own',
  framing: { kind: 'length', length: 2 },
  fields: [
    { name: 'kind', type: 'u8' },
    { name: 'tag', type: 'u8' },
  ],
  messages: [
    { name: 'ask', when: [{ field: 'kind', is: 1 }], question: true },
    { name: 'answer', when: [{ field: 'kind', is: 2 }], answers: ['ask'] },
  ],
  pairing: { same: ['tag'] },
};

interface Protocol {
  readonly decoder: DecoderDraft;
  readonly question: Uint8Array;
  readonly answer: Uint8Array;
}

const protocols = {
  'Modbus RTU': {
    decoder: libraryDecoders.modbus,
    question: bytesOf('01 03 00 00 00 02 C4 0B'),
    answer: bytesOf('01 03 04 00 07 00 09 8B F4'),
  },
  'an exception of Modbus RTU': {
    decoder: libraryDecoders.modbus,
    question: modbusFrame('07 03 0000 0002'),
    answer: modbusFrame('07 83 02'),
  },
  'a write of Modbus RTU that this side sent': {
    decoder: libraryDecoders.modbus,
    question: modbusFrame('07 06 0001 0002'),
    answer: modbusFrame('07 06 0001 0002'),
  },
  'a decoder of its own': { decoder: ownDecoder, question: bytesOf('01 05'), answer: bytesOf('02 05') },
  AT: { decoder: libraryDecoders.at, question: text('AT+CSQ\r'), answer: text('\r\n+CSQ: 15,99\r\n') },
  'the result of AT': { decoder: libraryDecoders.at, question: text('AT\r'), answer: text('\r\nOK\r\n') },
  SLCAN: { decoder: libraryDecoders.slcan, question: text('V\r'), answer: text('V1013\r') },
  'a confirmation of SLCAN': { decoder: libraryDecoders.slcan, question: text('S6\r'), answer: text('\r') },
  'a poll of UBX': {
    decoder: libraryDecoders.ubx,
    question: ubx('0A 04 00 00'),
    answer: ubx(`0A 04 28 00 ${'41'.repeat(40)}`),
  },
  'an acknowledgement of UBX': {
    decoder: libraryDecoders.ubx,
    question: ubx('06 01 03 00 01 07 01'),
    answer: ubx('05 01 02 00 06 01'),
  },
} as const satisfies Readonly<Record<string, Protocol>>;

const chunk = (at: number, bytes: Uint8Array, direction: Direction): Chunk => ({ at, bytes, direction });

/** Question at 0, then an answer for each time. */
function answersAt({ decoder, question, answer }: Protocol, ...times: readonly number[]) {
  const seen = readChunks(
    [decoder],
    [chunk(0, question, 'sent'), ...times.map((at) => chunk(at, answer, 'received'))],
    {
      answerLimit: 1_000,
    },
  );
  return { ...seen, answers: seen.pieces.slice(1) };
}

describe.each(Object.entries(protocols))('%s', (_name, protocol) => {
  it('pairs a late answer with its question and says that it is late', () => {
    const { answers } = answersAt(protocol, 1_500);
    expect(answers[0]?.link).toMatchObject({ role: 'answer', to: 0, ms: 1_500, isLate: true });
    expect(answers[0]?.unanswered).toEqual([{ index: 0, limit: 1_000 }]);
  });

  it('calls an answer at the end of its limit no late one', () => {
    const { answers } = answersAt(protocol, 1_000);
    expect(answers[0]?.link).toMatchObject({ role: 'answer', to: 0, ms: 1_000 });
    expect(answers[0]?.link.isLate).toBeUndefined();
    expect(answers[0]?.unanswered).toEqual([]);
  });
});

describe('late answers', () => {
  const { decoder, question, answer } = protocols['Modbus RTU'];

  it('have the addresses and names of their question', () => {
    expect(answersAt(protocols['Modbus RTU'], 1_500).answers[0]?.decoded.sentence).toBe('read 0–1: 7, 9');
  });

  it('end after ten limits', () => {
    const to = (at: number) => answersAt(protocols['Modbus RTU'], at).answers[0]?.link.to;
    expect([to(10_000), to(10_001)]).toEqual([0, null]);
  });

  it('belong to a newer question with the same answers', () => {
    const { pieces } = readChunks(
      [decoder],
      [
        chunk(0, question, 'sent'),
        chunk(1_200, question, 'sent'),
        chunk(1_500, answer, 'received'),
        chunk(1_600, answer, 'received'),
      ],
      { answerLimit: 1_000 },
    );
    expect(pieces.map(({ link }) => [link.role, link.to, link.ms])).toEqual([
      ['question', null, null],
      ['question', null, null],
      ['answer', 1, 300],
      ['answer', null, null],
    ]);
  });

  it('belong to their question although another unit was asked and answered', () => {
    const { pieces } = readChunks(
      [decoder],
      [
        chunk(0, question, 'sent'),
        chunk(1_200, modbusFrame('02 03 0000 0001'), 'sent'),
        chunk(1_230, modbusFrame('02 03 02 0001'), 'received'),
        chunk(1_500, answer, 'received'),
      ],
      { answerLimit: 1_000 },
    );
    expect(pieces.map(({ link }) => [link.to, link.isLate ?? false])).toEqual([
      [null, false],
      [null, false],
      [1, false],
      [0, true],
    ]);
  });

  it('are no messages of UBX that came unasked before', () => {
    const { decoder: receiver, question: poll, answer: message } = protocols['a poll of UBX'];
    const { pieces } = readChunks(
      [receiver],
      [chunk(0, message, 'received'), chunk(100, poll, 'sent'), chunk(2_000, message, 'received')],
      { answerLimit: 1_000 },
    );
    expect(pieces.map(({ link }) => link.role)).toEqual(['notice', 'question', 'notice']);
  });
});
