import { libraryDecoders } from '@wirebench/contract/decoder-library';
import type { DecoderDraft } from '@wirebench/contract/decoders';
import { describe, expect, it } from 'vitest';
import { compile } from '../../compile.ts';
import type { Direction } from '../../frame-types.ts';
import { bytesOf, type Chunk, checkedDecoder, hexOf, readChunks } from '../../testing/golden-cases.ts';
import { modbusFrame as frame } from '../../testing/modbus-frames.ts';
import { numbersInAllOrders } from './registers.ts';

const chunk = (at: number, bytes: Uint8Array, direction: Direction = 'received'): Chunk => ({ at, direction, bytes });

function read(chunks: readonly Chunk[], more: Partial<DecoderDraft> = {}, answerLimit = 200) {
  return readChunks([{ ...libraryDecoders.modbus, ...more }], chunks, { answerLimit, byteTime: 1 });
}

const sentences = (chunks: readonly Chunk[], more?: Partial<DecoderDraft>) =>
  read(chunks, more).pieces.map(({ decoded }) => `${decoded.who} ${decoded.sentence}`);

describe('Modbus RTU', () => {
  it('keeps an answer of 117 bytes whole whose pieces are 16 ms apart', () => {
    const request = bytesOf('01 03 00 F3 00 38 B4 2B');
    const answer = frame(
      `01 03 70 ${Array.from({ length: 56 }, (_, index) => (index + 1).toString(16).padStart(4, '0')).join('')}`,
    );
    expect(answer).toHaveLength(117);
    const { pieces } = read([chunk(0, request), chunk(40, answer.subarray(0, 62)), chunk(56, answer.subarray(62))]);
    expect(pieces.map(({ decoded }) => decoded.checksum)).toEqual([
      { from: 6, to: 8 },
      { from: 115, to: 117 },
    ]);
    expect(pieces.map(({ kind, link }) => [kind, link.role, link.to])).toEqual([
      ['frame', 'question', null],
      ['frame', 'answer', 0],
    ]);
    const registers = pieces[1]?.decoded.fields.filter(({ name }) => name.startsWith('holding.')) ?? [];
    expect(registers).toHaveLength(56);
    expect(registers[0]).toMatchObject({ name: 'holding.243', value: 1, place: '243', from: 3, to: 5 });
    expect(registers.at(-1)).toMatchObject({ name: 'holding.298', value: 56 });
  });

  it('pairs the requests of another master after one was sent, heard before or not', () => {
    const round = (at: number) => [
      chunk(at, frame('07 03 00 00 00 01')),
      chunk(at + 20, frame(`07 03 02 00 ${(at / 100).toString(16).padStart(2, '0')}`)),
    ];
    const written = [chunk(1_000, frame('0C 05 00 0B FF 00')), chunk(1_020, frame('0C 05 00 0B FF 00'))];
    const own = [chunk(400, frame('07 03 00 01 00 01'), 'sent'), chunk(420, frame('07 03 02 00 E7'))];
    expect(sentences([...round(0), ...own, ...round(800)])).toEqual([
      '07 read 1 from 0',
      '07 read 0: 0',
      '07 read 1 from 1',
      '07 read 1: 231',
      '07 read 1 from 0',
      '07 read 0: 8',
    ]);
    expect(sentences([...own, ...round(800), ...round(900), ...written]).slice(2)).toEqual([
      '07 read 1 from 0',
      '07 read 0: 8',
      '07 read 1 from 0',
      '07 read 0: 9',
      '12 write coil 11: on',
      '12 wrote coil 11: on',
    ]);
  });

  it('takes the echo of a request by an adapter for no answer and no other request', () => {
    const own = frame('07 03 00 01 00 01');
    const seen = read([chunk(0, own, 'sent'), chunk(5, own), chunk(20, frame('07 03 02 00 E7'))]).pieces;
    expect(seen.map(({ link }) => [link.role, link.to])).toEqual([
      ['question', null],
      ['notice', null],
      ['answer', 0],
    ]);
    expect(seen.map(({ decoded }) => decoded.sentence)).toEqual(['read 1 from 1', 'read 1 from 1', 'read 1: 231']);
  });

  it('gives an answer to the request that it fits, of two that wait at the same unit', () => {
    const other = frame('07 03 0000 0004');
    const own = frame('07 03 0001 0003');
    const answers = [frame('07 03 08 0001 0002 0003 0004'), frame('07 03 06 0005 0006 0007')];
    const { pieces } = read([
      chunk(0, other),
      chunk(10, own, 'sent'),
      ...answers.map((bytes, index) => chunk(40 + 30 * index, bytes)),
    ]);
    expect(pieces.map(({ link, decoded }) => [link.to, decoded.sentence]).slice(2)).toEqual([
      [0, 'read 0–3: 1, 2, 3, 4'],
      [1, 'read 1–3: 5, 6, 7'],
    ]);
  });

  it('cuts a request and its answer out of one chunk', () => {
    const seen = sentences([chunk(0, bytesOf('01 03 00 80 00 02 C5 E3 01 03 04 0D F2 07 BC 5A ED'))]);
    expect(seen).toEqual(['01 read 2 from 128', '01 read 128–129: 3570, 1980']);
  });

  it('reads a float with swapped words', () => {
    const registers: DecoderDraft['registers'] = [{ name: 'v', address: 10, type: 'f32', order: 'cdab' }];
    const { pieces } = read([chunk(0, frame('01 03 00 0A 00 02')), chunk(20, frame('01 03 04 07 7A 42 9B'))], {
      registers,
    });
    const [, answer] = pieces;
    expect(answer?.decoded.fields.find(({ name }) => name === 'v')?.value).toBeCloseTo(77.514603, 5);
    expect(answer?.decoded.sentence).toBe('read 10–11: v 77.514603');
  });

  it('shows a number in four orders, with its neighbours', () => {
    const registers = bytesOf('0001 077A 429B 0002');
    const all = numbersInAllOrders(registers, 9, 10, 'f32');
    expect(all.map(({ address, order }) => `${address} ${order}`)).toEqual([
      ...['10 abcd', '10 cdab', '10 badc', '10 dcba'],
      ...['9 abcd', '9 cdab', '9 badc', '9 dcba'],
      ...['11 abcd', '11 cdab', '11 badc', '11 dcba'],
    ]);
    expect(all[1]?.value).toBeCloseTo(77.514603, 5);
    expect(numbersInAllOrders(registers, 9, 10, 'u64').map(({ value }) => value)).toEqual([
      0x0001_077a_429b_0002n,
      0x0002_429b_077a_0001n,
      0x0100_7a07_9b42_0200n,
      0x0200_9b42_7a07_0100n,
    ]);
  });

  it.each([
    ['1', '07 01 00 01 00 0A', '07 01 02 CD 01', ['07 read coil 10 from 1', '07 read coil 1–10: 1011001110']],
    ['2', '07 02 00 01 00 08', '07 02 01 CD', ['07 read discrete 8 from 1', '07 read discrete 1–8: 10110011']],
    [
      '3',
      '07 03 9C 41 00 04',
      '07 03 08 00E7 0000 000C 0004',
      ['07 read 4 from 40001', '07 read 40001–40004: 231, 0, 12, 4'],
    ],
    ['4', '07 04 00 1E 00 01', '07 04 02 FFFF', ['07 read input 1 from 30', '07 read input 30: 65535']],
    ['5', '07 05 00 03 FF 00', '07 05 00 03 FF 00', ['07 write coil 3: on', '07 wrote coil 3: on']],
    ['6', '07 06 00 63 00 02', '07 06 00 63 00 02', ['07 write 99: 2', '07 wrote 99: 2']],
    ['7', '07 07', '07 07 6D', ['07 read exception status', '07 read exception status: status 109']],
    ['8', '07 08 00 00 A5 37', '07 08 00 00 A5 37', ['07 diagnostics', '07 diagnostics: sub_function 0, data 42295']],
    [
      '11',
      '07 0B',
      '07 0B FFFF 0108',
      ['07 get comm event counter', '07 get comm event counter: status 65535, events 264'],
    ],
    [
      '12',
      '07 0C',
      '07 0C 08 0000 0108 0121 20 00',
      ['07 get comm event log', '07 get comm event log: data 08 00 00 01 08 01 21 20 00'],
    ],
    [
      '15',
      '07 0F 00 13 00 0A 02 CD 01',
      '07 0F 00 13 00 0A',
      ['07 write coil 19–28: 1011001110', '07 wrote coil 19–28'],
    ],
    ['16', '07 10 00 01 00 02 04 000A 0102', '07 10 00 01 00 02', ['07 write 1–2: 10, 258', '07 wrote 1–2']],
    ['17', '07 11', '07 11 03 41 42 FF', ['07 report server id', '07 report server id: data 03 41 42 FF']],
    [
      '20',
      '07 14 07 06 0004 0001 0002',
      '07 14 06 05 06 0DFE 0020',
      ['07 read file record: data 07 06 00 04 00 01 00 02', '07 read file record: data 06 05 06 0D FE 00 20'],
    ],
    [
      '21',
      '07 15 09 06 0004 0007 0001 06AF',
      '07 15 09 06 0004 0007 0001 06AF',
      [
        '07 write file record: data 09 06 00 04 00 07 00 01 06 AF',
        '07 write file record: data 09 06 00 04 00 07 00 01 06 AF',
      ],
    ],
    [
      '22',
      '07 16 0004 00F2 0025',
      '07 16 0004 00F2 0025',
      ['07 mask 4: and 00F2, or 0025', '07 mask 4: and 00F2, or 0025'],
    ],
    [
      '23',
      '07 17 0003 0002 000E 0001 02 00FF',
      '07 17 04 00FE 0ACD',
      ['07 read 2 from 3, write 14: 255', '07 read 3–4: 254, 2765'],
    ],
    [
      '24',
      '07 18 04DE',
      '07 18 0006 0002 01B8 1284',
      ['07 read fifo queue', '07 read fifo queue: count 2, value.0 440, value.1 4740'],
    ],
    [
      '43',
      '07 2B 0E 01 00',
      '07 2B 0E 01 01 00 00 02 00 02 41 42 01 01 43',
      ['07 read device identification', '07 identification: AB, C'],
    ],
    ['100, which is unknown', '07 64 01 02', '07 64 03', ['07 function 100: data 01 02', '07 function 100: data 03']],
  ] as const)('reads request and answer of function %s', (_name, request, answer, lines) => {
    const { pieces } = read([chunk(0, frame(request)), chunk(30, frame(answer))]);
    expect(pieces.map(({ decoded }) => `${decoded.who} ${decoded.sentence}`)).toEqual(lines);
    expect(pieces.map(({ kind, link }) => [kind, link.role, link.to])).toEqual([
      ['frame', 'question', null],
      ['frame', 'answer', 0],
    ]);
  });

  it('says an exception in words, with what was asked for', () => {
    const { pieces } = read([chunk(0, frame('07 03 9C41 0004')), chunk(30, frame('07 83 02'))]);
    expect(pieces[1]?.decoded).toMatchObject({
      kind: 'exception',
      who: '07',
      sentence: 'illegal data address: read 4 from 40001',
      key: 'unit 7, function 3',
    });
    expect(pieces[1]?.link).toMatchObject({ role: 'answer', to: 0, ms: 22 });
  });

  it('takes no values from a frame with a wrong checksum', () => {
    const broken = Uint8Array.from(frame('07 03 02 00 E7'), (byte, index) => byte ^ (index === 4 ? 1 : 0));
    const { pieces } = read([chunk(0, frame('07 03 0001 0001')), chunk(30, broken)]);
    expect(pieces[1]?.decoded).toMatchObject({
      kind: 'broken',
      who: '07',
      fields: [],
      sentence: '7 bytes, wrong checksum',
    });
  });

  it('takes a frame of another unit for no answer', () => {
    const { pieces, unanswered } = read([chunk(0, frame('07 03 0001 0001')), chunk(30, frame('08 03 02 00 E7'))]);
    expect(pieces[1]?.link).toMatchObject({ role: 'answer', to: null });
    expect(unanswered).toEqual([{ index: 0, limit: 200 }]);
  });

  it('takes equal bytes within the limit for the answer, and later ones for the request again', () => {
    const write = frame('07 06 0001 0002');
    const roles = (at: number) => read([chunk(0, write), chunk(at, write)]).pieces[1]?.link.role;
    expect(roles(208)).toBe('answer');
    expect(roles(209)).toBe('question');
  });

  it('keeps the limit where the caller does not ask for missing answers', () => {
    const conversation = compile([checkedDecoder(libraryDecoders.modbus)], { answerLimit: 200 }).conversation();
    const write = frame('07 06 0001 0002');
    const roles = [0, 300, 400].map((at) => conversation.add(write, 'frame', 'received', at, at).role);
    expect(roles).toEqual(['question', 'question', 'answer']);
  });

  it('takes equal bytes after the limit on a master for a late answer, since only the master asks', () => {
    const write = frame('07 06 0001 0002');
    const { pieces } = read([chunk(0, write, 'sent'), chunk(300, write)]);
    expect(pieces.map(({ link, unanswered }) => [link.role, link.to, unanswered.length])).toEqual([
      ['question', null, 0],
      ['answer', 0, 1],
    ]);
  });

  it('shows all registers of an answer that has more or fewer than were asked for', () => {
    const seen = sentences([
      chunk(0, frame('07 03 0001 0001')),
      chunk(20, frame('07 03 04 0005 0006')),
      chunk(60, frame('07 01 0001 0004')),
      chunk(90, frame('07 01 02 05 01')),
    ]);
    expect(seen[1]).toBe('07 read 1–2: 5, 6');
    expect(seen[3]).toBe('07 read coil 1–16: 1010000010000000');
  });

  it('ends the own fields of a decoder before the checksum', () => {
    const fields = (more: object) => [{ name: 'mine', at: 2, ...more }] as DecoderDraft['fields'];
    const mine = (more: object) =>
      read([chunk(0, frame('07 41 00 01 02 03'))], { fields: fields(more) })
        .pieces[0]?.decoded.fields.filter(({ name }) => name.startsWith('mine'))
        .map(({ value, from, to }) => [value, from, to]);
    expect(mine({ type: 'bytes', length: 'rest' })).toEqual([[bytesOf('00 01 02 03'), 2, 6]]);
    expect(mine({ type: 'u16', count: 'rest' })).toEqual([
      [1, 2, 4],
      [0x0203, 4, 6],
    ]);
  });

  it('takes the end of a frame at the start of a log for no frame', () => {
    const rest = frame('07 03 08 0001 0001 FFFF 0001').subarray(3);
    const { pieces } = read([chunk(0, rest), chunk(200, frame('07 03 0001 0001'))]);
    expect(pieces.map(({ kind }) => kind)).toEqual(['left-over', 'frame']);
  });

  it('takes a frame whose bytes were lost for a broken one', () => {
    const lost = frame('07 03 08 0001 0001 FFFF 0001').subarray(0, 9);
    const { pieces } = read([
      chunk(0, frame('07 03 0001 0004')),
      chunk(30, lost),
      chunk(300, frame('07 03 0001 0004')),
    ]);
    expect(pieces.map(({ kind }) => kind)).toEqual(['frame', 'broken', 'frame']);
  });

  it('knows requests that come in, and answers that go out', () => {
    const request = (value: number) => frame(`07 06 0001 000${value}`);
    const { pieces } = read([
      chunk(0, request(1), 'sent'),
      chunk(300, request(2)),
      chunk(320, request(2), 'sent'),
      chunk(600, request(3)),
      chunk(620, request(3), 'sent'),
    ]);
    expect(pieces.slice(3).map(({ link }) => [link.role, link.to])).toEqual([
      ['question', null],
      ['answer', 3],
    ]);
  });

  it('waits for no answer to a broadcast', () => {
    expect(read([chunk(0, frame('00 06 0001 0002'))]).unanswered).toEqual([]);
  });

  it('reports each question without an answer once', () => {
    const { pieces, unanswered } = read([
      chunk(0, frame('07 03 0001 0001')),
      chunk(20, frame('08 03 0001 0001')),
      chunk(400, frame('07 03 0001 0001')),
    ]);
    expect(pieces[2]?.unanswered).toEqual([
      { index: 0, limit: 200 },
      { index: 1, limit: 200 },
    ]);
    expect(unanswered).toEqual([{ index: 2, limit: 200 }]);
  });

  it('keeps an answer whole whose registers contain a frame', () => {
    const inner = hexOf(frame('07 03 0001 0001'));
    const answer = frame(`07 03 08 ${inner}`);
    const { pieces } = read([
      chunk(0, frame('07 03 0001 0004')),
      chunk(30, answer.subarray(0, 12)),
      chunk(46, answer.subarray(12)),
    ]);
    expect(pieces.map(({ bytes }) => hexOf(bytes))).toEqual([hexOf(frame('07 03 0001 0004')), hexOf(answer)]);
  });

  it('names registers of one unit and of all, with scale, unit, flags and text', () => {
    const registers: DecoderDraft['registers'] = [
      { name: 'current', address: 2, scale: 0.01, unit: 'A' },
      { name: 'own', device: 7, address: 2, scale: 0.1, unit: 'A' },
      { name: 'status', address: 3, type: 'bits', flags: { '0': 'ready', '1': 'running', '7': 'fault' } },
      { name: 'gear', address: 4, values: { '2': 'second' } },
      { name: 'label', address: 5, type: 'text', length: 2 },
      { name: 'too_long', address: 6, type: 'u64' },
    ];
    const answer = (unit: string) => frame(`${unit} 03 0C 0001 0138 0003 0002 4142 4300`);
    const seen = sentences(
      [
        chunk(0, frame('07 03 0001 0006')),
        chunk(20, answer('07')),
        chunk(60, frame('08 03 0001 0006')),
        chunk(90, answer('08')),
      ],
      { registers },
    );
    expect(seen[1]).toBe('07 read 1–6: 1, own 31.2 A, status ready, running, gear second, label ABC');
    expect(seen[3]).toBe('08 read 1–6: 1, current 3.12 A, status ready, running, gear second, label ABC');
  });
});
