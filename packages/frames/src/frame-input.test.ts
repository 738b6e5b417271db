import { completeDecoder, libraryDecoders } from '@wirebench/contract/decoder-library';
import { checksumSizes, type DecoderDraft } from '@wirebench/contract/decoders';
import { isLong, random } from '@wirebench/test-input';
import { describe, expect, it } from 'vitest';
import { compile } from './compile.ts';
import { frameEncoder } from './frame-input.ts';
import { functions } from './steps/modbus/modbus-shapes.ts';
import { bytesOf, readChunks } from './testing/golden-cases.ts';
import { modbusFrame } from './testing/modbus-frames.ts';

const hexOf = (bytes: Uint8Array) =>
  Array.from(bytes, (byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join(' ');
const hexIn = (text: string) => (/^(?:[\dA-F]{2} ?)+$/i.test(text) ? bytesOf(text) : null);
const typed = (draft: DecoderDraft, text: string) => frameEncoder(completeDecoder(draft))(text, hexIn(text));
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
    [
      '07 06 00 01 00',
      'A request or answer of function 6 that begins like this has 6 bytes without its checksum. These are 5.',
    ],
    [
      '07 03 03 E8 00 01 00',
      'A request or answer of function 3 that begins like this has 6 bytes without its checksum. These are 7.',
    ],
    [
      '07 03 02 E7',
      'A request of function 3 that begins like this has 6 bytes without its checksum, an answer 5. These are 4.',
    ],
    [
      '07 10 00 01 00 02 04 00 0A 01',
      'A request of function 16 that begins like this has 11 bytes without its checksum, an answer 6. These are 10.',
    ],
    [
      '07 0F 00 13',
      'A request of function 15 that begins like this has more than 4 bytes without its checksum, an answer 6. These are 4.',
    ],
    [
      '07 14',
      'A request or answer of function 20 that begins like this has more than 2 bytes without its checksum. These are 2.',
    ],
    [
      '07 2B 0E 01',
      'A request of function 43 that begins like this has 5 bytes without its checksum, an answer more than 4. These are 4.',
    ],
    [
      '07 08 00 0B 00',
      'A request or answer of function 8 that begins like this has 6 bytes without its checksum. These are 5.',
    ],
    [
      '07 14 FF 06',
      'A Modbus frame has up to 254 bytes without its checksum. No frame of function 20 begins like this.',
    ],
    ['07 83 02 00', 'An exception has 3 bytes without its checksum: unit, function and code. These are 4.'],
    [`07 41${' 00'.repeat(253)}`, 'A Modbus frame has up to 254 bytes without its checksum. These are 255.'],
  ])('is refused with its reason: %s', (text, message) => {
    expect(typed(modbus, text)).toEqual({ ok: false, message });
  });
});

describe('typed Modbus bytes', () => {
  it.each([
    ['a function of a vendor', '07 41 00 01'],
    ['a function of a vendor without data', '07 64'],
    ['the longest frame', `07 41${' 5A'.repeat(252)}`],
    ['an answer', '07 03 02 00 E7'],
    ['an exception', '07 83 02'],
    ['an exception with an unknown code', '07 C1 20'],
    ['a loopback of several words', '07 08 00 00 01 02 03 04'],
    ['a reserved diagnostic', '07 08 00 15 00 03 00 00'],
    ['a transport other than the identification', '07 2B 0D 01 02 03'],
    ['a broadcast', '00 10 00 01 00 01 02 00 0A'],
  ])('get their checksum: %s', (_, text) => {
    expect(frameOf(modbus, text)).toBe(hexOf(modbusFrame(text)));
  });

  it('are a frame if their length is right, and else refused with the right one: 2,000 random ones', () => {
    const source = random('typed Modbus bytes');
    const encode = frameEncoder(completeDecoder(modbus));
    const seen = { frames: 0, refused: 0 };
    for (let round = 0; round < 2_000; round++) {
      const code = [...functions.keys()][source.below(functions.size)] as number;
      const bytes = Uint8Array.from({ length: 2 + source.below(14) }, (_, at) =>
        at === 0 ? 7 : at === 1 ? code : source.below(at === 2 ? 16 : 4),
      );
      const input = encode('', bytes);
      const said = `${hexOf(bytes)}: ${input.ok ? 'a frame' : input.message}`;
      const lengths = input.ok
        ? []
        : [...input.message.matchAll(/(?:has|answer) (\d+)/g)].map(([, length]) => Number(length));
      seen[input.ok ? 'frames' : 'refused']++;
      expect(lengths, said).not.toContain(bytes.length);
      for (const length of lengths.filter((one) => one <= 254)) {
        const other = new Uint8Array(length).fill(0);
        other.set(bytes.subarray(0, length));
        expect(encode('', other).ok, `${said}, ${hexOf(other)}`).toBe(true);
      }
      if (input.ok) {
        const pieces = readChunks([modbus], [{ at: 0, direction: 'received', bytes: input.bytes }]).pieces;
        expect(
          pieces.map(({ kind, bytes: { length } }) => [kind, length]),
          said,
        ).toEqual([['frame', input.bytes.length]]);
      }
    }
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(200);
  });

  it('are those of a decoder of one’s own with the step too', () => {
    const own: DecoderDraft = { ...modbus, name: 'own', title: 'Own' };
    expect(frameOf(own, '07 41 00 01')).toBe(frameOf(modbus, '07 41 00 01'));
    expect(frameOf(own, '07 41 00 01')).toMatch(/^07 41 00 01 /);
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

  it('is an NMEA sentence whose address has capitals, and no longer than its decoder reads', () => {
    expect(frameOf(nmea, 'gpgll,4916.45,n')).toBe(frameOf(nmea, 'GPGLL,4916.45,n'));
    expect(typed(nmea, `GPTXT,${'x'.repeat(1_016)}`).ok).toBe(true);
    expect(frameOf(nmea, `GPTXT,${'x'.repeat(1_017)}`)).toBe(
      'With its checksum, this is no sentence of NMEA 0183. A sentence has up to 1,024 characters.',
    );
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

  const plain = (framing: DecoderDraft['framing'], checksum: DecoderDraft['checksum']): DecoderDraft => ({
    name: 'own',
    title: 'Own',
    framing,
    checksum,
  });

  it.each([
    ['before the last byte', { kind: 'gap', ms: 10 }, { kind: 'sum8', at: -2 }, '01 02 03', '01 02 03 03'],
    ['in front', { kind: 'gap', ms: 10 }, { kind: 'sum16', at: 0, from: 2, to: 4 }, '01 02', '00 03 01 02'],
    ['in the middle', { kind: 'length', length: 4 }, { kind: 'xor8', at: 2 }, 'A5 0F 77', 'A5 0F AA 77'],
    ['before an end', { kind: 'length', length: 5, end: ['0D 0A'] }, { kind: 'sum8' }, '01 02 0D 0A', '01 02 03 0D 0A'],
    ['at the last place', { kind: 'gap', ms: 10 }, { kind: 'sum8', at: -1 }, '01 02', '01 02 03'],
  ] as const)(
    'has its checksum where the decoder has it, and every typed byte: %s',
    (_, framing, checksum, text, hex) => {
      expect(frameOf(plain(framing as DecoderDraft['framing'], checksum), text)).toBe(hex);
    },
  );

  it('is read by its decoder with every typed byte in it: all framings, places and sizes', () => {
    const source = random('typed checksums');
    const pick = <Item>(items: readonly Item[]): Item => items[source.below(items.length)] as Item;
    const places = new Map<string, number>();
    for (let round = 0; round < (isLong ? 50_000 : 3_000); round++) {
      const kind = pick(['gap', 'length', 'marked'] as const);
      const [start, end] = kind === 'marked' ? [[0xa5, 0x5a], [0x0d]] : [[], []];
      const checksumKind = pick(['sum8', 'lrc', 'fletcher8', 'crc16-modbus', 'crc32', 'crc'] as const);
      const form = checksumKind === 'crc' ? 'bytes' : pick(['bytes', 'hex'] as const);
      const width = pick([8, 16, 24, 32] as const);
      const own = checksumKind === 'crc' ? { width, polynomial: 1 + source.below(127) } : {};
      const size = (checksumKind === 'crc' ? width / 8 : checksumSizes[checksumKind]) * (form === 'hex' ? 2 : 1);
      const data = 4 + source.below(20);
      const total = start.length + 1 + data + size + end.length;
      const isLast = source.below(4) === 0;
      // Between the byte with the length and the end marker. The checksum covers a range on one side of it.
      const first = start.length + 1;
      const place = isLast ? total - end.length - size : first + source.below(data + 1);
      const isBefore = isLast || source.below(2) === 0;
      const range = isBefore ? [0, place] : [place + size, total];
      const from = (range[0] as number) + source.below((range[1] as number) - (range[0] as number) + 1);
      const isFromEnd = source.below(2) === 0;
      const draft = plain(
        kind === 'gap'
          ? { kind: 'gap', ms: 10 }
          : {
              kind: 'length',
              length: pick([total, { at: start.length, type: 'u8', add: total - data } as const]),
              ...(kind === 'marked' && { start: ['A5 5A'], end: ['0D'] }),
            },
        {
          kind: checksumKind,
          ...own,
          form,
          order: pick(['big', 'little']),
          ...(!isLast && { at: isFromEnd ? place - total : place }),
          from: isFromEnd && from < total ? from - total : from,
          ...(!isBefore && { to: total }),
        },
      );
      const values = Array.from({ length: data }, () => source.below(256));
      const body = Uint8Array.from([...start, data, ...values, ...end]);
      const input = frameEncoder(completeDecoder(draft))('', body);
      const bytes = input.ok ? input.bytes : new Uint8Array();
      const said = `${JSON.stringify(draft)} ${hexOf(body)}: ${input.ok ? hexOf(input.bytes) : input.message}`;
      expect([...bytes.subarray(0, place), ...bytes.subarray(place + size)], said).toEqual([...body]);
      const { pieces } = readChunks([draft], [{ at: 0, direction: 'received', bytes }]);
      expect(pieces, said).toMatchObject([{ kind: 'frame', decoded: { checksum: { from: place, to: place + size } } }]);
      const where = `${kind} ${isLast ? 'last' : isFromEnd ? 'from the end' : 'from the start'} ${isBefore}`;
      places.set(where, (places.get(where) ?? 0) + 1);
    }
    expect(places.size).toBe(15);
    expect(Math.min(...places.values())).toBeGreaterThan(20);
  });

  it.each([
    { kind: 'until', end: ['0D'] },
    { kind: 'lines' },
    { kind: 'cobs' },
    { kind: 'slip' },
  ] as const satisfies readonly DecoderDraft['framing'][])(
    'is refused in framings with escapes or line ends: $kind',
    (framing) => {
      expect(frameOf(plain(framing as DecoderDraft['framing'], { kind: 'sum8' }), '01 02')).toContain(
        'Own has no checksum that can be added',
      );
    },
  );

  it('is refused if its checksum, or the bytes that it covers, lie outside of it', () => {
    const gap = { kind: 'gap', ms: 10 } as const;
    for (const checksum of [
      { kind: 'sum8', at: 9 },
      { kind: 'sum8', at: -9 },
      { kind: 'sum8', from: 5 },
      { kind: 'sum8', at: 1, from: 0, to: 3 },
    ] as const) {
      expect(frameOf(plain(gap, checksum), '01 02 03')).toBe('With their checksum, these bytes are no frame of Own.');
    }
  });

  it('needs its decoder compiled once for all frames', () => {
    const content = completeDecoder(ubx);
    let reads = 0;
    const counting = {
      ...content,
      get messages() {
        reads++;
        return content.messages;
      },
    };
    const encode = frameEncoder(counting);
    expect(encode('', bytesOf('B5 62 0A 04 00 00')).ok).toBe(true);
    const once = reads;
    expect(once).toBeGreaterThan(0);
    for (const text of ['B5 62 0A 04 01 00', 'B5 62 0A 31 00 00', 'B5']) {
      encode('', bytesOf(text));
    }
    expect(reads).toBe(once);
  });

  it('is refused with the reason of a decoder that cannot be compiled, each time', () => {
    const files = [{ use: 'dbc', name: 'bus.dbc', sha256: 'a'.repeat(64) }] as const;
    const encode = frameEncoder(completeDecoder({ ...modbus, steps: ['modbus', 'slcan'], files: [...files] }));
    const refusals = [1, 2].map(() => encode('7 read 1', null));
    expect(refusals[0]).toMatchObject({ ok: false, message: expect.stringContaining('bus.dbc') });
    expect(refusals[1]).toEqual(refusals[0]);
  });

  it('is refused for a decoder without a checksum', () => {
    expect(frameOf(cobs, '01 02')).toBe(
      'COBS has no checksum that can be added to typed bytes. Type whole frames as Hex.',
    );
  });
});
