/** Modbus RTU frames at random, read by tshark, pymodbus and crcmod. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { libraryDecoders } from '@wirebench/contract/decoder-library';
import { isLong, random } from '@wirebench/test-input';
import { describe, expect, it } from 'vitest';
import { calculatorOf } from '../../checksums.ts';
import { numberReader } from '../../numbers.ts';
import { pcapngFrame, pcapngStart } from '../../pcapng.ts';
import { type Chunk, hexOf, readChunks, type SeenPiece } from '../../testing/golden-cases.ts';
import { isInstalled, pythonWith, runJudge } from '../../testing/judges.ts';
import { modbusFrame } from '../../testing/modbus-frames.ts';

const FRAMES = isLong ? 10_000 : 600;
const source = random('modbus judges');

const pick = <Item>(items: readonly Item[]): Item => items[source.below(items.length)] as Item;
const word = (value: number) => [value >> 8, value & 0xff];
const words = (count: number) =>
  Array.from({ length: count }, () => word(pick([0, 1, 0xffff, source.below(65_536)]))).flat();
const bits = (count: number) => Array.from({ length: Math.ceil(count / 8) }, () => source.below(256));

const checked = (bytes: readonly number[]) => [...modbusFrame(bytes)];

interface Exchange {
  readonly request: readonly number[];
  readonly answer: readonly number[];
}

/** A request and its answer, or an exception. Unit 1 to 247. */
function exchange(): Exchange {
  const unit = 1 + source.below(247);
  const code = pick([1, 2, 3, 4, 5, 6, 15, 16, 22, 23]);
  const address = source.below(65_000);
  const count = 1 + source.below(pick([4, 100]));
  const head = [unit, code, ...word(address)];
  const value = word(code === 5 ? pick([0, 0xff00]) : source.below(65_536));
  const pair = (): Exchange => {
    switch (code) {
      case 1:
      case 2: {
        const data = bits(count);
        return { request: [...head, ...word(count)], answer: [unit, code, data.length, ...data] };
      }
      case 3:
      case 4:
        return { request: [...head, ...word(count)], answer: [unit, code, 2 * count, ...words(count)] };
      case 5:
      case 6:
        return { request: [...head, ...value], answer: [...head, ...value] };
      case 15:
        return {
          request: [...head, ...word(count), Math.ceil(count / 8), ...bits(count)],
          answer: [...head, ...word(count)],
        };
      case 16:
        return { request: [...head, ...word(count), 2 * count, ...words(count)], answer: [...head, ...word(count)] };
      case 22: {
        const masks = [...value, ...word(source.below(65_536))];
        return { request: [...head, ...masks], answer: [...head, ...masks] };
      }
      default: {
        const written = 1 + source.below(9);
        return {
          request: [...head, ...word(count), ...word(address), ...word(written), 2 * written, ...words(written)],
          answer: [unit, code, 2 * count, ...words(count)],
        };
      }
    }
  };
  const { request, answer } = pair();
  const isRefused = source.below(10) === 0;
  return {
    request: checked(request),
    answer: checked(isRefused ? [unit, code | 0x80, pick([1, 2, 3, 4, 6])] : answer),
  };
}

interface Sample {
  readonly bytes: Uint8Array;
  readonly isDamaged: boolean;
}

/** @param damagedOf One of so many frames is damaged; 0: none is. */
function samples(damagedOf = 12): Sample[] {
  return Array.from({ length: FRAMES / 2 }, () => exchange()).flatMap(({ request, answer }) =>
    [request, answer].map((frame) => {
      const isDamaged = damagedOf > 0 && source.below(damagedOf) === 0;
      const bytes = Uint8Array.from(frame);
      if (isDamaged) {
        const at = frame.length - 1 - source.below(2);
        bytes[at] = (bytes[at] as number) ^ (1 + source.below(255));
      }
      return { bytes, isDamaged };
    }),
  );
}

/** Reads frames as a listening port does, 150 ms apart. */
function readFrames(frames: readonly Sample[]): readonly SeenPiece[] {
  const chunks = frames.map(({ bytes }, index): Chunk => ({ at: index * 150, direction: 'received', bytes }));
  const { pieces } = readChunks([libraryDecoders.modbus], chunks, { answerLimit: 200 });
  expect(pieces.map(({ bytes }) => hexOf(bytes))).toEqual(frames.map(({ bytes }) => hexOf(bytes)));
  return pieces;
}

/** Reads frames as a master does whose adapter returns what it sends. The first answer shows that it does. */
function readWithEcho(frames: readonly Sample[]): readonly SeenPiece[] {
  const first = [
    [7, 3, 0, 1, 0, 1],
    [7, 3, 2, 0, 231],
  ].map((bytes) => ({ bytes: Uint8Array.from(checked(bytes)) }));
  const chunks = [...first, ...frames].flatMap(({ bytes }, index): Chunk[] => {
    const at = index * 150;
    const received: Chunk = { at: at + 20, direction: 'received', bytes };
    return index % 2 === 0 ? [{ at, direction: 'sent', bytes }, received] : [received];
  });
  const { pieces } = readChunks([libraryDecoders.modbus], chunks, { answerLimit: 200 });
  const isEcho = ({ link, direction }: SeenPiece) => direction === 'received' && link.role === 'notice';
  expect(pieces.filter(isEcho)).toHaveLength(1 + frames.length / 2);
  const own = pieces.filter((piece) => !isEcho(piece)).slice(2);
  expect(own.map(({ bytes }) => hexOf(bytes))).toEqual(frames.map(({ bytes }) => hexOf(bytes)));
  expect(own.map(({ link: { role, to } }) => [role, to !== null])).toEqual(
    frames.map((_, index) => (index % 2 === 0 ? ['question', false] : ['answer', true])),
  );
  return own;
}

const valuesOf = ({ decoded }: SeenPiece, pattern: RegExp) =>
  decoded.fields
    .filter(({ name }) => pattern.test(name))
    .map(({ value }) => (typeof value === 'boolean' ? Number(value) : value));

const fieldOf = ({ decoded }: SeenPiece, name: string) => decoded.fields.find((field) => field.name === name)?.value;

describe.runIf(isInstalled('tshark', '--version'))('Modbus RTU beside tshark', () => {
  it('has the same checksums, functions, addresses and values', { timeout: 300_000 }, () => {
    const frames = samples();
    const pieces = readFrames(frames);
    const folder = mkdtempSync(join(tmpdir(), 'wirebench-frames-'));
    try {
      const file = join(folder, 'frames.pcapng');
      const captured = pieces.map(({ bytes, direction, at }) =>
        pcapngFrame({ bytes, decoder: 'modbus', direction, at }),
      );
      writeFileSync(file, Buffer.concat([pcapngStart('wirebench'), ...captured]));
      const names = [
        'mbrtu.crc16.status',
        'mbrtu.unit_id',
        'modbus.func_code',
        'modbus.reference_num',
        'modbus.word_cnt',
        'modbus.bit_cnt',
        'modbus.regval_uint16',
        'modbus.bitval',
        'modbus.exception_code',
      ];
      const fields = names.flatMap((name) => ['-e', name]);
      const options = ['-o', 'mbrtu.crc_verification:TRUE', '-T', 'fields', '-E', 'separator=;', '-E', 'occurrence=a'];
      const lines = runJudge('tshark', ['-r', file, ...options, ...fields], '')
        .trimEnd()
        .split('\n');
      expect(lines).toHaveLength(pieces.length);
      let compared = 0;
      for (const [index, piece] of pieces.entries()) {
        const [status, unit, code, address, wordCount, bitCount, registers = '', coils = '', exception] = (
          lines[index] ?? ''
        ).split(';');
        expect(piece.kind === 'frame' ? '1' : '0').toBe(status);
        expect(Number(unit)).toBe(Number(piece.decoded.who));
        if (piece.kind !== 'frame') {
          continue;
        }
        expect(Number(code) & 0x7f).toBe(fieldOf(piece, 'function'));
        if (piece.decoded.kind === 'exception') {
          expect(Number(exception)).toBe(fieldOf(piece, 'exception'));
          continue;
        }
        const { role } = piece.link;
        const functionCode = fieldOf(piece, 'function') as number;
        // tshark takes 8 bytes for an answer with 3 bytes of bits if they can be one.
        const isAmbiguous = functionCode <= 2 && piece.bytes[2] === 3;
        if (role === 'question' && functionCode <= 4 && !isAmbiguous) {
          expect([Number(address), Number(functionCode <= 2 ? bitCount : wordCount)]).toEqual([
            fieldOf(piece, 'address'),
            fieldOf(piece, 'count'),
          ]);
          compared++;
        }
        if (role === 'answer' && (functionCode === 3 || functionCode === 4) && registers !== '') {
          expect(registers.split(',').map(Number)).toEqual(valuesOf(piece, /^(holding|input|value)\.\d+$/));
          compared++;
        }
        if (role === 'answer' && functionCode <= 2 && coils !== '' && piece.link.to !== null) {
          const seen = valuesOf(piece, /^(coil|discrete)\.\d+$/);
          expect(
            coils
              .split(',')
              .slice(0, seen.length)
              .map((text) => Number(text === 'True' || text === '1')),
          ).toEqual(seen);
          compared++;
        }
      }
      expect(compared).toBeGreaterThan(FRAMES / 10);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

const pymodbus = pythonWith('pymodbus');

/** Reads `{ hex, isRequest }` from lines of JSON, and writes what pymodbus reads in each. */
const pymodbusReader = `
import json, sys
from pymodbus.factory import ServerDecoder, ClientDecoder
server, client = ServerDecoder(), ClientDecoder()
def number(value):
    return int(value) if isinstance(value, bool) else value
for line in sys.stdin:
    row = json.loads(line)
    pdu = bytes.fromhex(row["hex"])[1:-2]
    message = (server if row["isRequest"] else client).decode(pdu)
    out = {}
    for name in ("address", "count", "value", "values", "registers", "bits", "read_address", "read_count", "write_address", "write_registers", "and_mask", "or_mask", "exception_code"):
        if hasattr(message, name):
            value = getattr(message, name)
            out[name] = [number(one) for one in value] if isinstance(value, (list, tuple)) else number(value)
    print(json.dumps(out))
`;

describe.runIf(pymodbus !== undefined)('Modbus RTU beside pymodbus', () => {
  it.each([
    ['both sides of a line', () => readFrames(samples().filter(({ isDamaged }) => !isDamaged))],
    ['a line that returns what is sent', () => readWithEcho(samples(0))],
  ])('has the same addresses, counts and values: %s', { timeout: 300_000 }, (_, readAll) => {
    const pieces = readAll().filter(({ link }) => link.role === 'question' || link.to !== null);
    const rows = pieces.map(({ bytes, link }) =>
      JSON.stringify({ hex: hexOf(bytes), isRequest: link.role === 'question' }),
    );
    const lines = runJudge(pymodbus as string, ['-c', pymodbusReader], rows.join('\n'))
      .trimEnd()
      .split('\n');
    expect(lines).toHaveLength(pieces.length);
    for (const [index, piece] of pieces.entries()) {
      const theirs = JSON.parse(lines[index] ?? '') as Record<string, number | number[]>;
      const code = fieldOf(piece, 'function');
      const isRequest = piece.link.role === 'question';
      const registers = valuesOf(piece, /^(holding|input)\.\d+$/);
      const coils = valuesOf(piece, /^(coil|discrete)\.\d+$/);
      if (piece.decoded.kind === 'exception') {
        expect(theirs['exception_code']).toBe(fieldOf(piece, 'exception'));
      } else if (code === 23 && isRequest) {
        expect([
          theirs['read_address'],
          theirs['read_count'],
          theirs['write_address'],
          theirs['write_registers'],
        ]).toEqual([fieldOf(piece, 'address'), fieldOf(piece, 'count'), fieldOf(piece, 'write_address'), registers]);
      } else if (code === 22) {
        expect([theirs['address'], theirs['and_mask'], theirs['or_mask']]).toEqual(
          ['address', 'and_mask', 'or_mask'].map((name) => fieldOf(piece, name)),
        );
      } else if (code === 5 || code === 6) {
        expect([theirs['address'], theirs['value']]).toEqual([
          fieldOf(piece, 'address'),
          (code === 5 ? coils : registers)[0],
        ]);
      } else if (isRequest || code === 15 || code === 16) {
        // Its request to write coils has no count.
        const count = theirs['count'] ?? (theirs['values'] as number[] | undefined)?.length;
        expect([theirs['address'], count]).toEqual([fieldOf(piece, 'address'), fieldOf(piece, 'count')]);
        if (isRequest && (code === 15 || code === 16)) {
          expect(theirs['values']).toEqual(code === 15 ? coils : registers);
        }
      } else if (code === 1 || code === 2) {
        expect((theirs['bits'] as number[]).slice(0, coils.length)).toEqual(coils);
      } else {
        expect(theirs['registers']).toEqual(registers);
      }
    }
  });

  const typeNames = {
    u32: '32bit_uint',
    i32: '32bit_int',
    u64: '64bit_uint',
    i64: '64bit_int',
    f32: '32bit_float',
    f64: '64bit_float',
  } as const;
  const orders = { abcd: ['>', '>'], cdab: ['>', '<'], badc: ['<', '>'], dcba: ['<', '<'] } as const;
  const payloadReader = `
import json, sys
from pymodbus.payload import BinaryPayloadDecoder
for line in sys.stdin:
    row = json.loads(line)
    decoder = BinaryPayloadDecoder.fromRegisters(row["registers"], byteorder=row["byte"], wordorder=row["word"])
    print(repr(getattr(decoder, "decode_" + row["type"])()))
`;

  it('has the same numbers of several registers in all four orders', { timeout: 300_000 }, () => {
    const rows = Array.from({ length: FRAMES / 2 }, () => {
      const type = pick(Object.keys(typeNames) as (keyof typeof typeNames)[]);
      const order = pick(Object.keys(orders) as (keyof typeof orders)[]);
      const registers = words(type.endsWith('32') ? 2 : 4);
      return { type, order, bytes: Uint8Array.from(registers) };
    });
    const input = rows.map(({ type, order, bytes }) =>
      JSON.stringify({
        type: typeNames[type],
        byte: orders[order][0],
        word: orders[order][1],
        registers: Array.from(
          { length: bytes.length / 2 },
          (_, index) => ((bytes[2 * index] as number) << 8) | (bytes[2 * index + 1] as number),
        ),
      }),
    );
    const lines = runJudge(pymodbus as string, ['-c', payloadReader], input.join('\n'))
      .trimEnd()
      .split('\n');
    expect(lines).toHaveLength(rows.length);
    for (const [index, { type, order, bytes }] of rows.entries()) {
      const theirs = lines[index] ?? '';
      const value = numberReader(type, order)(bytes, 0);
      if (typeof value === 'bigint') {
        expect(value).toBe(BigInt(theirs));
      } else {
        expect(value).toBe(theirs === 'nan' ? Number.NaN : Number(theirs.replace('inf', 'Infinity')));
      }
    }
  });
});

const crcmod = pythonWith('crcmod');

describe.runIf(crcmod !== undefined)('checksums beside crcmod', () => {
  const names = {
    crc8: 'crc-8',
    'crc8-maxim': 'crc-8-maxim',
    'crc16-modbus': 'modbus',
    'crc16-arc': 'crc-16',
    'crc16-ccitt-false': 'crc-ccitt-false',
    'crc16-xmodem': 'xmodem',
    'crc16-kermit': 'kermit',
    'crc16-x25': 'x-25',
    'crc16-mcrf4xx': 'crc-16-mcrf4xx',
    'crc16-usb': 'crc-16-usb',
    crc32: 'crc-32',
    crc32c: 'crc-32c',
    'crc32-mpeg2': 'crc-32-mpeg',
  } as const;
  const reader = `
import json, sys, crcmod.predefined
functions = {}
for line in sys.stdin:
    row = json.loads(line)
    if row["name"] not in functions:
        functions[row["name"]] = crcmod.predefined.mkCrcFun(row["name"])
    print(functions[row["name"]](bytes.fromhex(row["hex"])))
`;

  it.each(Object.entries(names) as [keyof typeof names, string][])(
    '%s is the same',
    { timeout: 100_000 },
    (kind, name) => {
      const calculate = calculatorOf(kind);
      const inputs = Array.from({ length: FRAMES / 10 }, () => bits(8 * source.below(90)));
      const rows = inputs.map((bytes) => JSON.stringify({ name, hex: hexOf(Uint8Array.from(bytes)) }));
      const lines = runJudge(crcmod as string, ['-c', reader], rows.join('\n'))
        .trimEnd()
        .split('\n');
      expect(lines.map(Number)).toEqual(inputs.map((bytes) => calculate(Uint8Array.from(bytes), 0, bytes.length)));
    },
  );
});
