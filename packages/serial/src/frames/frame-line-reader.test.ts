/** Fields of frames that make curves. */
import { compile } from '@wirebench/frames';
import type { ReadyDecoder } from '@wirebench/frames/ready-decoders';
import { readyReader } from '@wirebench/frames/ready-reader';
import { describe, expect, it } from 'vitest';
import { bytesOf, checkedDecoder, goldenCases } from '../../../frames/src/testing/golden-cases.ts';
import { seriesOfField } from './frame-line-reader.ts';

/** Names of bookkeeping fields of the ready decoders. */
const names = [
  'length',
  'count',
  'id',
  'unit',
  'address',
  'version',
  'label',
  'class',
  'bytes',
  'seq',
  'sys',
  'function',
];

function curvesOf(header: boolean): readonly (string | null)[] {
  const content = checkedDecoder({
    name: 'own',
    title: 'Own',
    framing: { kind: 'length', length: names.length },
    fields: names.map((name) => ({ name, type: 'u8', ...(header && { header }) })),
  });
  const frame = Uint8Array.from(names, (_, index) => index);
  const link = { role: 'notice', to: null, ms: null, missing: 0, related: [] } as const;
  const decoded = compile([content]).conversation().decode(frame, 'frame', link, 'received');
  return decoded.fields.map((field) => seriesOfField(decoded, field));
}

describe('fields of a decoder of its own', () => {
  it('make curves whatever their names are', () => {
    expect(curvesOf(false)).toEqual(names);
  });

  it('make none if the decoder says that they are part of the header', () => {
    expect(curvesOf(true)).toEqual(names.map(() => null));
  });
});

async function headersOf(name: ReadyDecoder) {
  const { reader } = await readyReader(name);
  const conversation = reader.conversation();
  const found = new Set<string>();
  for (const [micros, direction, hex] of goldenCases(name).flatMap(({ chunks }) => chunks)) {
    const side = direction === 'tx' ? 'sent' : 'received';
    const cutter = reader.cutter(side);
    const bytes = bytesOf(hex);
    cutter.push(bytes, 0, bytes.length, micros / 1_000);
    cutter.end();
    for (let piece = cutter.next(), at = 0; piece !== null; at += piece.length, piece = cutter.next()) {
      const frame = bytes.slice(at, at + piece.length);
      const link = conversation.add(frame, piece.kind, side, piece.at, piece.until);
      const decoded = conversation.decode(frame, piece.kind, link, side);
      for (const field of decoded.kind === 'right' ? decoded.fields : []) {
        if (typeof field.value === 'number' && seriesOfField(decoded, field) === null) {
          found.add(field.name);
        }
      }
    }
  }
  return [...found].toSorted();
}

describe('bookkeeping fields of the ready decoders', () => {
  it.each([
    ['modbus', ['address', 'bytes', 'count', 'function', 'unit', 'write_address']],
    ['ubx', ['class', 'id', 'length', 'version']],
    ['slcan', ['id']],
    ['mavlink', ['comp', 'frame.id', 'frame.seq', 'frame.version', 'sys']],
    ['dmx', ['bytes', 'label', 'start_code']],
  ] as const)('make no curve in %s', async (name, headers) => {
    expect(await headersOf(name)).toEqual(headers);
  });
});
