import { libraryDecoders } from '@wirebench/contract/decoder-library';
import type { DecoderDraft } from '@wirebench/contract/decoders';
import { isLong, randomNumber } from '@wirebench/test-input';
import { describe, expect, it } from 'vitest';
import type { DecodedField, DecodedFrame } from '../../frame-types.ts';
import {
  type Chunk,
  chunksOf,
  type GoldenCase,
  goldenCases,
  hexOf,
  readChunks,
  type SeenPiece,
} from '../../testing/golden-cases.ts';
import { word } from './register-tables.ts';

interface GoldenRegister {
  readonly unit: number;
  readonly table: string;
  readonly addr: number;
  readonly unitName?: string;
  readonly bits?: Readonly<Record<string, string>>;
}

interface ModbusSettings {
  readonly baud: number;
  readonly timeout_ms: number;
  readonly map?: readonly GoldenRegister[];
}

const settingsOf = ({ settings }: GoldenCase) => settings as unknown as ModbusSettings;

function decoderOf(golden: GoldenCase): DecoderDraft {
  const registers = (settingsOf(golden).map ?? []).map(({ unit, addr, unitName, bits, ...more }) => ({
    ...more,
    device: unit,
    address: addr,
    ...(unitName !== undefined && { unit: unitName }),
    ...(bits !== undefined && { flags: bits }),
  }));
  return { ...libraryDecoders.modbus, registers: registers as NonNullable<DecoderDraft['registers']> };
}

/** Eight bits with start, stop and parity. */
const byteTimeOf = (golden: GoldenCase) => 11_000 / settingsOf(golden).baud;

function read(golden: GoldenCase, chunks: readonly Chunk[] = chunksOf(golden)) {
  const settings = settingsOf(golden);
  return readChunks([decoderOf(golden)], chunks, { byteTime: byteTimeOf(golden), answerLimit: settings.timeout_ms });
}

const shownValue = (value: DecodedField['value']): unknown =>
  typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value))
    ? String(value).replace('Infinity', 'inf').replace('NaN', 'nan')
    : value;

const numberOf = ({ fields }: DecodedFrame, name: string) => fields.find((field) => field.name === name)?.value;

/** Values of registers, from the bytes that the fields name. */
function valuesOf({ decoded, bytes }: SeenPiece): number[] {
  return decoded.fields
    .filter(({ place, name }) => place !== undefined || /^(holding|value)\.\d+$/.test(name))
    .flatMap(({ from, to }) => Array.from({ length: (to - from) / 2 }, (_, index) => word(bytes, from + 2 * index)));
}

const bitsOf = ({ fields }: DecodedFrame) =>
  fields
    .filter(({ name }) => /^(coil|discrete)\.\d+$/.test(name))
    .map(({ value }) => (value === true ? '1' : '0'))
    .join('');

const named = (field: DecodedField | undefined, isList: boolean) =>
  isList ? (field?.named ?? '').split(', ').filter((name) => name !== '') : shownValue(field?.value ?? null);

/** Compares a piece with what the golden file has of it. Index maps the file's frames to pieces. */
function compare(
  piece: SeenPiece,
  golden: Readonly<Record<string, unknown>>,
  indexOf: (frame: number) => number,
): void {
  const { decoded, link } = piece;
  const seen: Record<string, unknown> = {};
  for (const key of Object.keys(golden)) {
    switch (key) {
      case 'what':
        seen[key] =
          piece.kind === 'left-over'
            ? 'no frame'
            : piece.kind === 'broken'
              ? 'broken'
              : decoded.kind === 'exception'
                ? 'exception'
                : link.role === 'question'
                  ? 'request'
                  : 'answer';
        break;
      case 'hex':
        seen[key] = hexOf(piece.bytes);
        break;
      case 'dir':
        seen[key] = piece.direction === 'sent' ? 'tx' : 'rx';
        break;
      case 't':
        seen[key] = Math.round(piece.at * 1_000);
        break;
      case 'ms':
        seen[key] = link.ms === null ? null : Math.round(link.ms * 10) / 10;
        break;
      case 'to':
        seen[key] =
          link.to === null
            ? null
            : golden['to'] !== undefined && indexOf(golden['to'] as number) === link.to
              ? golden['to']
              : `piece ${link.to}`;
        break;
      case 'crc':
        seen[key] = piece.kind === 'frame' ? 'right' : 'wrong';
        break;
      case 'unit':
        seen[key] = Number(decoded.who);
        break;
      case 'values':
        seen[key] = valuesOf(piece);
        break;
      case 'bits':
        seen[key] = bitsOf(decoded);
        break;
      case 'value':
        seen[key] = decoded.fields.find(({ name }) => /^(coil|holding)\.\d+$/.test(name))?.value;
        break;
      case 'from':
        seen[key] = Number(decoded.fields.find(({ place }) => place !== undefined)?.place?.split('–')[0]);
        break;
      case 'objects':
        seen[key] = decoded.fields.filter(({ name }) => name.startsWith('object.')).map(({ value }) => value);
        break;
      case 'named': {
        const wanted = golden['named'] as Readonly<Record<string, unknown>>;
        seen[key] = Object.fromEntries(
          Object.entries(wanted).map(([name, value]) => [
            name,
            named(
              decoded.fields.find((field) => field.name === name),
              Array.isArray(value),
            ),
          ]),
        );
        break;
      }
      default:
        seen[key] = shownValue(numberOf(decoded, key) ?? null);
    }
  }
  expect(seen).toEqual(golden);
}

function check(golden: GoldenCase, seen: ReturnType<typeof read>): void {
  const frames = golden.frames.filter(({ what }) => what !== 'no answer');
  const pieces = seen.pieces.map((piece, index) => ({ piece, index }));
  // Bytes that are no frame may be grouped in any way.
  const isListed = ({ kind }: SeenPiece) => kind !== 'left-over' || frames.some(({ what }) => what === 'no frame');
  const listed = pieces.filter(({ piece }) => isListed(piece));
  expect(listed.map(({ piece }) => hexOf(piece.bytes))).toEqual(frames.map(({ hex }) => hex));
  const indexOf = (frame: number) => listed[frames.indexOf(golden.frames[frame] ?? {})]?.index ?? -1;
  for (const [index, frame] of frames.entries()) {
    compare(listed[index]?.piece as SeenPiece, frame, indexOf);
  }
  const missing = [...seen.pieces.flatMap(({ unanswered }) => unanswered), ...seen.unanswered];
  const wanted = golden.frames.filter(({ what }) => what === 'no answer');
  expect(missing).toEqual(wanted.map(({ to, after_ms }) => ({ index: indexOf(to as number), limit: after_ms })));
}

/** Cuts chunks again at random. Each piece has the time at which its first byte was on the line. */
function recutInTime(golden: GoldenCase): Chunk[] {
  return chunksOf(golden).flatMap(({ at, direction, bytes }) => {
    const parts: Chunk[] = [];
    for (let from = 0; from < bytes.length; ) {
      const to = Math.min(bytes.length, from + 1 + Math.floor(randomNumber() ** 2 * 30));
      parts.push({ at: at + from * byteTimeOf(golden), direction, bytes: bytes.subarray(from, to) });
      from = to;
    }
    return parts;
  });
}

const cases = goldenCases('modbus');

describe('golden Modbus frames', () => {
  it.each(cases.map((golden) => [golden.case, golden.kind, golden] as const))('%s: %s', (_case, _kind, golden) => {
    check(golden, read(golden));
  });

  it.each(Array.from({ length: isLong ? 20 : 2 }))('are the same however the stream is cut', () => {
    for (const golden of cases) {
      check(golden, read(golden, recutInTime(golden)));
    }
  });
});
