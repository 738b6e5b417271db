/**
 * pynmea2 reads the same cells, positions and checksums in random sentences, and calls the same ones damaged; libais reads
 * the same tag blocks. Both run where Debian's Python has them.
 */
import { spawnSync } from 'node:child_process';
import { libraryDecoders } from '@wirebench/contract/decoder-library';
import { isLong, randomNumber } from '@wirebench/test-input';
import { describe, expect, it } from 'vitest';
import { readChunks, type SeenPiece } from '../testing/golden-cases.ts';
import { sentenceRules } from './nmea-sentences.ts';
import { cellNumber } from './testing/pynmea2-names.ts';
import { checksumOf, type RandomSentence, randomSentence } from './testing/random-sentences.ts';

const python = '/usr/bin/python3';
const has = (module: string) => spawnSync(python, ['-c', `import ${module}`], { stdio: 'ignore' }).status === 0;

/** Runs a Python program over lines, and returns what it prints for each, as JSON. */
function ask<T>(program: string, lines: readonly string[]): T[] {
  const { stdout, status, stderr } = spawnSync(python, ['-c', program], {
    input: lines.join('\n'),
    maxBuffer: 1 << 28,
    encoding: 'latin1',
    timeout: 60_000,
  });
  expect([status, stderr]).toEqual([0, '']);
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as T);
}

const pynmea2 = `
import sys, json, pynmea2
for line in sys.stdin.read().split('\\n'):
    try:
        m = pynmea2.parse(line)
    except pynmea2.ChecksumError:
        print('{"damaged": true}')
        continue
    cells = {f[1]: m.data[i] for i, f in enumerate(m.fields) if i < len(m.data)}
    place = {}
    for name in ('latitude', 'longitude'):
        try:
            place[name] = getattr(m, name)
        except (ValueError, AttributeError):
            pass
    print(json.dumps(dict(type=m.sentence_type if hasattr(m, 'talker') else 'P', talker=getattr(m, 'talker', 'P'), cells=cells, **place)))
`;

interface Theirs {
  readonly damaged?: true;
  readonly type: string;
  readonly talker: string;
  readonly cells: Readonly<Record<string, string>>;
  readonly latitude?: number;
  readonly longitude?: number;
}

/** Types whose names pynmea2 has under another sentence or not at all. */
const unknownTypes = new Set(['THS', 'GRS', 'DBK', 'DBS', 'DTM', 'VDM', 'VDO']);

function ours(sentences: readonly RandomSentence[]): SeenPiece[] {
  const bytes = Buffer.from(sentences.map(({ text }) => `${text}\r\n`).join(''), 'latin1');
  return [...readChunks([libraryDecoders.nmea], [{ at: 0, direction: 'received', bytes }]).pieces];
}

const fieldOf = (piece: SeenPiece, name: string) => piece.decoded.fields.find((field) => field.name === name);

describe.runIf(has('pynmea2'))('random sentences in pynmea2', { timeout: 120_000 }, () => {
  it('have the same cells, positions and checksums', () => {
    const types = Object.keys(sentenceRules).filter((type) => !unknownTypes.has(type));
    const sentences = Array.from({ length: isLong ? 10_000 : 1_000 }, () => randomSentence(types));
    const theirs = ask<Theirs>(
      pynmea2,
      sentences.map(({ text }) => text),
    );
    const pieces = ours(sentences);
    expect(pieces).toHaveLength(sentences.length);
    for (const [index, { text, isDamaged }] of sentences.entries()) {
      const piece = pieces[index] as SeenPiece;
      const their = theirs[index] as Theirs;
      expect([text, piece.kind, their.damaged === true]).toEqual([text, isDamaged ? 'broken' : 'frame', isDamaged]);
      if (isDamaged) {
        expect(piece.decoded.fields).toEqual([]);
        continue;
      }
      const type = String(fieldOf(piece, 'type')?.value);
      for (const [name, cell] of Object.entries(their.cells)) {
        if (name === 'subtype') {
          continue;
        }
        const number = cellNumber(type, name);
        const field = piece.decoded.fields.find(({ place }) => place === `cell ${number}`);
        expect([text, name, String(field?.raw ?? field?.value ?? '')]).toEqual([text, name, cell]);
      }
      comparePlace(piece, 'lat', their.latitude);
      comparePlace(piece, 'lon', their.longitude);
    }
  });
});

/** pynmea2 has 0 for an empty position, and takes a missing direction for south or west. */
function comparePlace(piece: SeenPiece, name: 'lat' | 'lon', theirs: number | undefined): void {
  const value = fieldOf(piece, name)?.value;
  if (theirs !== undefined && typeof value === 'number') {
    expect(value).toBeCloseTo(theirs, 7);
  }
}

const libais = `
import sys, json, ais.tag_block as t
for line in sys.stdin.read().split('\\n'):
    queue = t.TagQueue()
    queue.put(line)
    m = queue.get()['matches'][0] if queue.qsize() else {}
    print(json.dumps({'source': m.get('rcvr'), 'time': m.get('time'), 'line': m.get('line_num'), 'destination': m.get('dest'), 'relative_time': m.get('rel_time')}))
`;

describe.runIf(has('ais.tag_block'))('random tag blocks in libais', { timeout: 60_000 }, () => {
  it('have the same source, time, destination and number of the line', () => {
    const below = (limit: number) => Math.floor(randomNumber() * limit);
    const lines = Array.from({ length: isLong ? 10_000 : 500 }, () => {
      const entries = [
        `c:${1_000_000_000 + below(900_000_000)}`,
        ...(below(2) === 0 ? [`n:${1 + below(999)}`] : []),
        ...(below(2) === 0 ? [`r:${below(100_000)}`] : []),
        ...(below(2) === 0 ? [`s:r${below(1_000_000)}`] : []),
      ];
      const content = entries.sort(() => below(3) - 1).join(',');
      const sentence = 'GPGLL,4941.2691,N,11853.7776,E,120000,A,A';
      return `\\${content}*${checksumOf(content).toUpperCase()}\\$${sentence}*${checksumOf(sentence).toUpperCase()}`;
    });
    const theirs = ask<Record<string, unknown>>(libais, lines);
    const pieces = ours(lines.map((text) => ({ text, isDamaged: false })));
    for (const [index, line] of lines.entries()) {
      const names = Object.keys(theirs[index] ?? {});
      const values = names.map((name) => [name, fieldOf(pieces[index] as SeenPiece, `tag.${name}`)?.value ?? null]);
      expect([line, Object.fromEntries(values)]).toEqual([line, theirs[index]]);
    }
  });
});
