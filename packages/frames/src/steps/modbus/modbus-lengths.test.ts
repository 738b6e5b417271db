import { libraryDecoders } from '@wirebench/contract/decoder-library';
import { describe, expect, it } from 'vitest';
import type { Direction } from '../../frame-types.ts';
import { type Chunk, hexOf, readChunks } from '../../testing/golden-cases.ts';
import { modbusFrame as frame } from '../../testing/modbus-frames.ts';

const chunk = (at: number, bytes: Uint8Array, direction: Direction = 'received'): Chunk => ({ at, direction, bytes });
const read = (chunks: readonly Chunk[]) =>
  readChunks([libraryDecoders.modbus], chunks, { answerLimit: 200, byteTime: 1 });

describe('Modbus frames of other lengths', () => {
  it('takes a frame of a known function with a length of its own by its checksum', () => {
    const echo = frame('07 08 00 00 01 02 03 04 05 06');
    const canopen = frame('07 2B 0D 01 02 03 04 05');
    const { pieces } = read([chunk(0, echo), chunk(200, canopen)]);
    expect(pieces.map(({ kind, bytes }) => [kind, hexOf(bytes)])).toEqual([
      ['frame', hexOf(echo)],
      ['frame', hexOf(canopen)],
    ]);
  });

  it('beside other decoders reads frames that only a silence ends, and says those that are broken', () => {
    const vendor = frame('07 41 00 01');
    const lost = frame('07 03 08 0001 0001 FFFF 0001').subarray(0, 9);
    const { nmea, modbus, ubx } = libraryDecoders;
    const chunks = [chunk(0, vendor), chunk(2_000, lost), chunk(4_000, frame('07 03 0001 0004'))];
    const { pieces } = readChunks([nmea, modbus, ubx], chunks, { answerLimit: 200 });
    expect(pieces.map(({ kind, decoded }) => `${kind} ${decoded.who} ${decoded.sentence}`)).toEqual([
      'frame 07 function 65: data 00 01',
      'broken 07 9 bytes, its end is missing',
      'frame 07 read 4 from 1',
    ]);
    expect(pieces[0]?.link.role).toBe('question');
  });

  it.each([
    ['a loopback of several words', '07 08 00 00 01 02 03 04 05 06', '07 diagnostics: data 00 00 01 02 03 04 05 06'],
    ['another transport', '07 2B 0D 01 02 03', '07 read device identification: data 0D 01 02 03'],
    ['a read that lacks a byte', '07 03 00 01 00', '07 read holding registers: data 00 01 00'],
    ['a write that has one more', '07 06 00 01 00 02 00', '07 write single register: data 00 01 00 02 00'],
  ])('takes a sent frame of any length for a question, and its bytes for no fields: %s', (_, hex, sentence) => {
    const { pieces, unanswered } = read([chunk(0, frame(hex), 'sent')]);
    expect(pieces.map(({ link, decoded }) => [link.role, `${decoded.who} ${decoded.sentence}`])).toEqual([
      ['question', sentence],
    ]);
    expect(unanswered).toEqual([{ index: 0, limit: 200 }]);
  });

  it('pairs loopbacks of several words and other transports', () => {
    const loopback = frame('07 08 00 00 01 02 03 04');
    const { pieces } = read([
      chunk(0, loopback, 'sent'),
      chunk(150, loopback),
      chunk(400, frame('07 2B 0D 01 02 03'), 'sent'),
      chunk(550, frame('07 2B 0D 04 05')),
    ]);
    expect(pieces.map(({ link }) => [link.role, link.to])).toEqual([
      ['question', null],
      ['answer', 0],
      ['question', null],
      ['answer', 2],
    ]);
  });

  it('takes a received frame that is neither request nor answer for a notice', () => {
    const { pieces } = read([chunk(0, frame('07 03 00 01 00 01'), 'sent'), chunk(300, frame('08 03 00 01 00'))]);
    expect(pieces[1]?.link).toMatchObject({ role: 'notice', to: null });
  });

  it('says of the exception to a request of another length no more than its function', () => {
    const { pieces } = read([chunk(0, frame('07 03 00 01 00'), 'sent'), chunk(150, frame('07 83 03'))]);
    expect(pieces[1]?.decoded.sentence).toBe('illegal data value: read holding registers');
    expect(pieces[1]?.link.to).toBe(0);
  });
});
