/** Every row of the golden file of MAVLink, as it came and cut again at random. */
import { libraryDecoders } from '@wirebench/contract/decoder-library';
import { isLong } from '@wirebench/test-input';
import { beforeAll, describe, expect, it } from 'vitest';
import type { DecodedField, FrameSettings } from '../frame-types.ts';
import { loadBuiltInFile } from '../ready-reader.ts';
import {
  bytesOf,
  type Chunk,
  chunksOf,
  type GoldenCase,
  goldenCases,
  hexOf,
  readChunks,
  recut,
  type SeenPiece,
} from '../testing/golden-cases.ts';

const files = new Map<string, Uint8Array>();

beforeAll(async () => {
  for (const { sha256 } of libraryDecoders.mavlink.files ?? []) {
    files.set(sha256, (await loadBuiltInFile(sha256)) ?? new Uint8Array(0));
  }
});

function read(chunks: readonly Chunk[], key?: unknown) {
  const settings: FrameSettings =
    typeof key === 'string' ? { files, keys: new Map([['mavlink', bytesOf(key)]]) } : { files };
  return readChunks([libraryDecoders.mavlink], chunks, settings);
}

const headerNames = new Map([
  ['frame.version', 'version'],
  ['frame.seq', 'seq'],
  ['sys', 'sys'],
  ['comp', 'comp'],
  ['frame.id', 'id'],
  ['crc', 'crc'],
]);

function plain({ value }: DecodedField): unknown {
  if (value instanceof Uint8Array) {
    return [...value];
  }
  return typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value))
    ? String(value).replace('NaN', 'nan').replace('Infinity', 'inf')
    : value;
}

/** Says what a piece is, in the words of the golden file. */
function described({ bytes, link, decoded }: SeenPiece): Record<string, unknown> {
  const header = decoded.fields.filter(({ name }) => headerNames.has(name));
  const values: Record<string, unknown> = {};
  for (const field of decoded.fields.filter((one) => !header.includes(one) && !/^signature|^payload$/.test(one.name))) {
    const [, list] = /^(\w+)\.\d+$/.exec(field.name) ?? [];
    values[list ?? field.name] =
      list === undefined ? plain(field) : [...((values[list] ?? []) as unknown[]), plain(field)];
  }
  const signature = decoded.fields.find(({ name }) => name === 'signature')?.value;
  return {
    hex: hexOf(bytes),
    ...Object.fromEntries(header.map((field) => [headerNames.get(field.name), field.value])),
    ...(Object.keys(values).length > 0 ? { name: decoded.message, fields: values } : {}),
    ...(signature === undefined ? {} : { signature }),
    ...(link.missing > 0 ? { lost: link.missing } : {}),
  };
}

/** States of a signature that the golden file gives by the kind of the case alone. */
const signatures: Readonly<Record<string, string>> = { signed: 'right', 'signed, signature wrong': 'wrong' };

function compare(golden: GoldenCase, chunks: readonly Chunk[]): void {
  const { pieces } = read(chunks, golden.settings?.['key']);
  const seen = pieces.filter(({ kind }) => kind !== 'left-over').map(described);
  expect(seen).toHaveLength(golden.frames.length);
  for (const [index, frame] of golden.frames.entries()) {
    const signature = signatures[golden.kind];
    // The file says version 2 for right frames of version 1, which begin with FE.
    const version = String(frame['hex']).startsWith('fe') ? 1 : 2;
    expect(seen[index], `frame ${index}`).toEqual({
      ...frame,
      version,
      ...(signature === undefined ? {} : { signature }),
    });
  }
}

const cases = goldenCases('mavlink');

describe('golden frames of MAVLink', () => {
  it('has 169 frames in 115 cases', () => {
    expect([cases.reduce((sum, { frames }) => sum + frames.length, 0), cases.length]).toEqual([169, 115]);
  });

  it.each(cases.map((golden) => [`${golden.case}, ${golden.kind}`, golden] as const))('%s', (_, golden) => {
    compare(golden, chunksOf(golden));
    for (let round = 0; round < (isLong ? 20 : 2); round++) {
      compare(golden, recut(chunksOf(golden)));
    }
  });
});
