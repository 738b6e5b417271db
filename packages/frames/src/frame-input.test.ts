import { completeDecoder, libraryDecoders } from '@wirebench/contract/decoder-library';
import type { DecoderDraft } from '@wirebench/contract/decoders';
import { random } from '@wirebench/test-input';
import { describe, expect, it } from 'vitest';
import { compile } from './compile.ts';
import { encodeFrame } from './frame-input.ts';
import { bytesOf } from './testing/golden-cases.ts';

const hexOf = (bytes: Uint8Array) =>
  Array.from(bytes, (byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join(' ');
const hexIn = (text: string) => (/^(?:[\dA-F]{2} ?)+$/i.test(text) ? bytesOf(text) : null);
const typed = (draft: DecoderDraft, text: string) => encodeFrame(completeDecoder(draft), text, hexIn(text));
const { modbus, nmea, ubx, cobs } = libraryDecoders;

/** Returns the frame in hex digits, or the sentence of the refusal. */
function frameOf(draft: DecoderDraft, text: string): string {
  const input = typed(draft, text);
  return input.ok ? hexOf(input.bytes) : input.message;
}

/** Returns a request in the words of its row. */
function wordsOf(bytes: Uint8Array): string {
  const reader = compile([completeDecoder(modbus)]);
  const cutter = reader.cutter('sent');
  cutter.push(bytes, 0, bytes.length, 0);
  cutter.end();
  const piece = cutter.next();
  expect(piece).toMatchObject({ kind: 'frame', length: bytes.length });
  const conversation = reader.conversation();
  const link = conversation.add(bytes, 'frame', 'sent', 0, 0);
  const { who, sentence } = conversation.decode(bytes, 'frame', { ...link, role: 'question' }, 'sent');
  return `${who} ${sentence}`;
}

describe('a typed Modbus request', () => {
  it.each([
    ['7 read 4 from 40001', '07 03 9C 41 00 04 3A 2B'],
    ['01 read 2 from 128', '01 03 00 80 00 02 C5 E3'],
    ['1 read 243–298', '01 03 00 F3 00 38 B4 2B'],
    ['1 read holding registers 2', '01 03 00 02 00 01 25 CA'],
    ['17 read coils 37 from 19', '11 01 00 13 00 25 0E 84'],
    ['17 read discrete 22 from 196', '11 02 00 C4 00 16 BA A9'],
    ['17 read input 8', '11 04 00 08 00 01 B2 98'],
    ['17 write coil 172: on', '11 05 00 AC FF 00 4E 8B'],
    ['17 write 1: 3', '11 06 00 01 00 03 9A 9B'],
    ['17 write coils 19–28: 1011001110', '11 0F 00 13 00 0A 02 CD 01 BF 0B'],
    ['17 WRITE 1-2 = 10, 258', '11 10 00 01 00 02 04 00 0A 01 02 C6 F0'],
    ['11 06 00 01 00 03', '11 06 00 01 00 03 9A 9B'],
  ])('%s', (text, hex) => {
    expect(frameOf(modbus, text)).toBe(hex);
  });

  it('has the words of its row: 300 random ones', () => {
    const source = random('typed requests');
    const below = (limit: number) => source.below(limit);
    for (let round = 0; round < 300; round++) {
      const unit = 1 + below(247);
      const first = below(60_000);
      const count = 1 + below(100);
      const who = String(unit).padStart(2, '0');
      const range = count === 1 ? `${first}` : `${first}–${first + count - 1}`;
      const table = ['', 'input ', 'coil ', 'discrete '][below(4)];
      const values = Array.from({ length: count }, () => below(65_536));
      const bits = values.map((value) => value & 1).join('');
      for (const text of [
        `${who} read ${table}${count} from ${first}`,
        ...(count <= 16 ? [`${who} write ${range}: ${values.join(', ')}`] : []),
        ...(count > 1 && count <= 64 ? [`${who} write coil ${range}: ${bits}`] : []),
        `${who} write coil ${first}: ${count % 2 === 0 ? 'on' : 'off'}`,
      ]) {
        const input = typed(modbus, text);
        expect(input.ok && wordsOf(input.bytes)).toBe(text);
      }
    }
  });

  it.each([
    ['read 4 from 40001', 'Begin with the number of the unit: 7 read 4 from 0, or 7 write 10: 250.'],
    ['0 read 1 from 0', 'A unit is a number from 1 to 247.'],
    ['248 write 1: 0', 'A unit is a number from 0, which is all of them, to 247.'],
    ['7 read speed', 'Say how many from where: 7 read 4 from 0, or 7 write 10: 250.'],
    ['7 read 126 from 0', 'One request reads 1 to 125 values of this kind.'],
    ['7 read 9–8', 'One request reads 1 to 125 values of this kind.'],
    ['7 read 2 from 65535', 'Addresses are 0 to 65535.'],
    ['7 write input 1: 2', 'Input registers can only be read.'],
    ['7 write 1: 65536', 'Say where and what: 7 write 10: 250. Values are numbers from −32768 to 65535.'],
    ['7 write 1–3: 1, 2', 'The addresses are 3, the values 2.'],
    ['hello', 'Type a request, such as 7 read 4 from 0, or unit, function and data as hex digits.'],
    ['07 06 00 01 00', 'With their checksum, these bytes are no frame of Modbus RTU.'],
  ])('is refused with its reason: %s', (text, message) => {
    expect(typed(modbus, text)).toEqual({ ok: false, message });
  });
});

describe('a typed frame', () => {
  it('is an NMEA sentence with start, checksum and line end, whatever checksum was typed', () => {
    const frame = hexOf(new TextEncoder().encode('$GPGLL,4916.45,N,12311.12,W,225444,A*31\r\n'));
    for (const text of ['GPGLL,4916.45,N,12311.12,W,225444,A', '$GPGLL,4916.45,N,12311.12,W,225444,A*00']) {
      expect(frameOf(nmea, text)).toBe(frame);
    }
    expect(frameOf(nmea, '12 34')).toContain('Type a sentence');
  });

  it('is a UBX message with its checksum if everything else is there', () => {
    expect(frameOf(ubx, 'B5 62 0A 04 00 00')).toBe('B5 62 0A 04 00 00 0E 34');
    expect(frameOf(ubx, 'B5 62 0A 04 01 00')).toBe('With their checksum, these bytes are no frame of UBX.');
  });

  it.each(['big', 'little'] as const)('has the checksum of a decoder of one’s own in its order: %s', (order) => {
    const own: DecoderDraft = {
      name: 'own',
      title: 'Own',
      framing: { kind: 'length', start: ['A5'], length: { at: 1, type: 'u8', add: 4 } },
      checksum: { kind: 'crc16-xmodem', order },
    };
    const frame = frameOf(own, 'A5 02 01 02');
    expect(frame).toHaveLength('A5 02 01 02 00 00'.length);
    const bytes = bytesOf(frame);
    const cutter = compile([completeDecoder(own)]).cutter('received');
    cutter.push(bytes, 0, bytes.length, 0);
    expect(cutter.next()).toMatchObject({ kind: 'frame', length: 6 });
  });

  it('is refused for a decoder without a checksum', () => {
    expect(frameOf(cobs, '01 02')).toBe(
      'COBS has no checksum that can be added to typed bytes. Type whole frames as Hex.',
    );
  });
});
