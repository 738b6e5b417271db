import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asciiBytes, hexOf } from '../../core/bytes.ts';
import { fromHex } from '../../testing/from-hex.ts';
import { type CborValue, decodeCbor, encodeCbor } from './cbor.ts';
import { encodeLines, LineDecoder } from './console-lines.ts';
import { decodeSmp, encodeSmp, resultOf, smpCommand } from './smp.ts';

describe('CBOR', () => {
  it.each([
    [0, '00'],
    [23, '17'],
    [24, '1818'],
    [1_000, '1903e8'],
    [1_000_000, '1a000f4240'],
    [1_000_000_000_000, '1b000000e8d4a51000'],
    [-1, '20'],
    [-1_000, '3903e7'],
    [false, 'f4'],
    [true, 'f5'],
    [null, 'f6'],
    [fromHex('01020304'), '4401020304'],
    ['', '60'],
    ['IETF', '6449455446'],
    ['ü', '62c3bc'],
    [[1, 2, 3], '83010203'],
    [
      new Map<string, CborValue>([
        ['a', 1],
        ['b', [2, 3]],
      ]),
      'a26161016162820203',
    ],
  ] as const)('writes and reads %j (RFC 8949, appendix A)', (value, hex) => {
    expect(hexOf(encodeCbor(value))).toBe(hex);
    expect(decodeCbor(fromHex(hex))).toEqual(value);
  });

  it.each([
    ['5f42010243030405ff', fromHex('0102030405')],
    ['7f657374726561646d696e67ff', 'streaming'],
    ['9f018202039f0405ffff', [1, [2, 3], [4, 5]]],
    [
      'bf61610161629f0203ffff',
      new Map<string, CborValue>([
        ['a', 1],
        ['b', [2, 3]],
      ]),
    ],
    ['c074323031332d30332d32315432303a30343a30305a', '2013-03-21T20:04:00Z'],
    ['82f93c0001', [null, 1]],
  ] as const)('reads encodings that only others write: %s (same place)', (hex, value) => {
    expect(decodeCbor(fromHex(hex))).toEqual(value);
  });

  it('is null for a truncated or invalid item', () => {
    const whole = encodeCbor(
      new Map<string, CborValue>([
        ['data', new Uint8Array(40)],
        ['list', ['a', -5, 70_000]],
      ]),
    );
    for (let end = 0; end < whole.length; end++) {
      expect(decodeCbor(whole.subarray(0, end))).toBeNull();
    }
    expect(decodeCbor(fromHex('a1010203'))).toBeNull();
    expect(decodeCbor(fromHex('1c'))).toBeNull();
    expect(decodeCbor(new Uint8Array(100).fill(0x81))).toBeNull();
    expect(decodeCbor(fromHex('1bffffffffffffffff'))).toBeNull();
    expect(() => encodeCbor(0.5)).toThrow(RangeError);
  });

  it('reads back any value', () => {
    const { value } = fc.letrec<{ value: CborValue }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.maxSafeInteger(),
        fc.string(),
        fc.boolean(),
        fc.constant(null),
        fc.uint8Array(),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.array(fc.tuple(fc.string(), tie('value')), { maxLength: 3 }).map((entries) => new Map(entries)),
      ),
    }));
    fc.assert(
      fc.property(value, (input) => {
        expect(decodeCbor(encodeCbor(input))).toEqual(input);
      }),
    );
  });
});

/** Decodes `pieces` in order into packets and text. */
function decodeAll(...pieces: readonly Uint8Array[]): { packets: Uint8Array[]; text: string } {
  const packets: Uint8Array[] = [];
  let text = '';
  const decoder = new LineDecoder({
    packet: (bytes) => packets.push(bytes.slice()),
    text: (bytes) => {
      text += String.fromCharCode(...bytes);
    },
  });
  for (const piece of pieces) {
    decoder.push(piece);
  }
  return { packets, text };
}

const echo = fromHex('0200000900000000a161646568656c6c6f');
const echoLine = '\x06\tABMCAAAJAAAAAKFhZGVoZWxsbyVv\n';
const long = Uint8Array.of(2, 0, 0, 200, 0, 1, 7, 1, ...Array.from({ length: 200 }, (_, index) => index));
const longLines =
  '\x06\tANICAADIAAEHAQABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4fICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj9AQUJDREVGR0hJ' +
  'SktMTU5PUFFS\n' +
  '\x04\x14U1RVVldYWVpbXF1eX2BhYmNkZWZnaGlqa2xtbm9wcXJzdHV2d3h5ent8fX5/gIGCg4SFhoeIiYqLjI2Oj5CRkpOUlZaXmJmam5ydnp+goaKj' +
  'pKWmp6ipqqusra6v\n' +
  '\x04\x14sLGys7S1tre4ubq7vL2+v8DBwsPExcbH5ks=\n';

describe('SMP over console', () => {
  it.each([
    ['one line', echo, echoLine],
    ['several lines', long, longLines],
  ])("writes and reads a packet of %s (lines by Python's binascii.crc_hqx and base64)", (_name, packet, lines) => {
    expect(String.fromCharCode(...encodeLines(packet))).toBe(lines);
    expect(decodeAll(asciiBytes(lines)).packets).toEqual([packet]);
  });

  it('has lines of 127 bytes at most, and any packet is read at any chunk size', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 600 }), fc.nat(50), (packet, size) => {
        const lines = encodeLines(packet);
        for (const line of String.fromCharCode(...lines).split('\n')) {
          expect(line.length).toBeLessThan(127);
        }
        const step = size + 1;
        const pieces = Array.from({ length: Math.ceil(lines.length / step) }, (_, index) =>
          lines.subarray(index * step, (index + 1) * step),
        );
        expect(decodeAll(...pieces).packets).toEqual([packet]);
      }),
    );
  });

  it('is found within the output of a program, with or without a line end before it', () => {
    const { packets, text } = decodeAll(asciiBytes(`*** Booting MCUboot ***\r\nuart:~$ ${echoLine}I: ready\n`));
    expect(packets).toEqual([echo]);
    expect(text).toBe('*** Booting MCUboot ***\r\nuart:~$ I: ready\n');
  });

  it('is also read with carriage returns', () => {
    expect(decodeAll(asciiBytes(longLines.replaceAll('\n', '\r\n'))).packets).toEqual([long]);
  });

  it('is dropped with a damaged, lost or foreign line, and the next packet is read', () => {
    const [first = '', second = '', third = ''] = longLines.split('\n');
    for (const lines of [
      [first.replace('A', 'B'), second, third],
      [first, third],
      [second, third],
      [first, second.replace('U', '!'), third],
      [first, second, second, third],
    ]) {
      expect(decodeAll(asciiBytes(`${lines.join('\n')}\n${echoLine}`)).packets).toEqual([echo]);
    }
  });
});

describe('an SMP message', () => {
  it('has a header of eight bytes, big endian (Zephyr, "SMP Protocol Specification")', () => {
    expect(hexOf(encodeSmp(smpCommand.echo, 0, new Map([['d', 'hello']])))).toBe(hexOf(echo));
    expect(hexOf(encodeSmp(smpCommand.upload, 7, new Map([['off', 0]])))).toBe('0200000600010701a1636f666600');
    expect(hexOf(encodeSmp(smpCommand.imageState, 255, new Map()))).toBe('000000010001ff00a0');
  });

  it('is read as the answer to its request, with result 0 by default', () => {
    const answer = decodeSmp(fromHex('0300000c00010701bf62726300636f66661880ff'));
    expect(answer).toMatchObject({ op: 2, group: 1, id: 1, sequence: 7 });
    expect(answer?.data.get('off')).toBe(128);
    expect(answer && resultOf(answer)).toBe(0);
    const refusal = decodeSmp(fromHex('0100000500000006a162726308'));
    expect(refusal && resultOf(refusal)).toBe(8);
    const grouped = decodeSmp(fromHex('0b00001100010701a163657272a26567726f7570016272630e'));
    expect(grouped && resultOf(grouped)).toBe(-1);
  });

  it('is null for a request, a cut message, and one without a map', () => {
    expect(decodeSmp(echo)).toBeNull();
    expect(decodeSmp(fromHex('01000006000000'))).toBeNull();
    expect(decodeSmp(fromHex('0100000600000006a16272'))).toBeNull();
    expect(decodeSmp(fromHex('010000010000000601'))).toBeNull();
  });
});
