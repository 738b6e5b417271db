import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  endLine,
  indexName,
  parseRecordingFileName,
  parseRecordingIndex,
  rawFileName,
  startLine,
  textFileName,
} from './recording-index.ts';

const id = 'wirebench-2026-11-20-14-03-05-2';
const text = (...lines: Uint8Array[]) => lines.map((line) => new TextDecoder().decode(line)).join('');
const start = { kind: 'both', ports: [1, 3], portNames: { 1: 'Motor' }, splitBytes: 1_048_576, startedAt: 5 } as const;

describe('names of recorded files', () => {
  it('give back the recording, the port and the part', () => {
    const parts = fc.option(fc.integer({ min: 1, max: 5_000 }));
    fc.assert(
      fc.property(fc.constantFrom(1 as const, 2 as const, 3 as const, 4 as const), parts, (port, part) => {
        expect(parseRecordingFileName(rawFileName(id, port, part))).toEqual({ id, type: 'raw', port, part });
        expect(parseRecordingFileName(textFileName(id, part))).toEqual({ id, type: 'text', port: null, part });
      }),
    );
    expect(parseRecordingFileName(indexName(id))).toMatchObject({ id, type: 'index' });
  });

  it('are distinguished from names of other files', () => {
    for (const name of ['a.bin', 'a.txt.crswap', 'a-port-5.bin', 'a-port-1.txt', 'a']) {
      expect(parseRecordingFileName(name)).toBeNull();
    }
  });
});

describe('entry of a recording', () => {
  it('has the start alone while the recording runs, then its end', () => {
    expect(parseRecordingIndex(text(startLine(start)))).toEqual({ start, end: null });
    const end = { end: 'stopped', endedAt: 9 } as const;
    expect(parseRecordingIndex(text(startLine(start), endLine(end)))).toEqual({ start, end });
  });

  it('is null or without an end if a crash cut it', () => {
    const whole = text(startLine(start), endLine({ end: 'too-slow', endedAt: 9 }));
    const first = text(startLine(start)).length - 1;
    for (let length = 0; length < whole.length - 1; length++) {
      const parsed = parseRecordingIndex(whole.slice(0, length));
      expect(parsed).toEqual(length < first ? null : { start, end: null });
    }
  });
});
