import type { DecodedPlace } from '@wirebench/symbols';
import { describe, expect, it } from 'vitest';
import type { Incident } from '../../../../protocol/bench/crash-part.ts';
import type { ListedFile } from '../../../../workbench/crash/symbol-files.ts';
import { filesVerdict } from './incident-view.tsx';

const incident: Incident = { id: 1, port: 1, at: 0, until: 0, severity: 'fault', chip: 'esp32', hash: null, lines: [] };
const file = (id: number, machine: 'xtensa' | 'riscv' = 'xtensa'): ListedFile => {
  const state = { kind: 'open', facts: { machine, hash: 'ab', codeRanges: [], damagedUnits: 0 } } as const;
  return { id, name: `${id}.elf`, size: 1, state };
};
const place: DecodedPlace = { file: 1, frames: [{}] };

describe('verdict on the open ELF files', () => {
  it('reports that a file is missing, or is null while it is read', () => {
    const facts = { matches: {}, places: [], incident };
    expect(filesVerdict({ ...facts, files: [] })).toBe('no-file');
    const failed: ListedFile = { ...file(1), state: { kind: 'failed', message: 'no ELF' } };
    expect(filesVerdict({ ...facts, files: [failed] })).toBe('no-file');
    const reading: ListedFile = { ...file(1), state: { kind: 'reading', fraction: 0.5 } };
    expect(filesVerdict({ ...facts, files: [reading] })).toBeNull();
    expect(filesVerdict({ ...facts, files: [file(1)] })).toBeNull();
  });

  it('is positive if the right file is open, whatever the others are', () => {
    const files = [file(1, 'riscv'), file(2)];
    expect(filesVerdict({ files, matches: { 1: 'other', 2: 'same' }, places: [place], incident })).toBe('this-build');
  });

  it('names the fault: processor, build, or addresses', () => {
    const wrong = (machine: 'xtensa' | 'riscv', match: 'other' | 'unknown', found: DecodedPlace | null) =>
      filesVerdict({ files: [file(1, machine)], matches: { 1: match }, places: [found], incident });
    expect(wrong('riscv', 'unknown', place)).toBe('other-machine');
    expect(wrong('xtensa', 'other', null)).toBe('other-build');
    expect(wrong('xtensa', 'other', place)).toBe('other-build');
    expect(wrong('xtensa', 'unknown', null)).toBe('no-address');
    expect(wrong('xtensa', 'unknown', place)).toBe('build-unknown');
  });

  it('ignores the processor if the chip is unknown', () => {
    const facts = { files: [file(1, 'riscv')], matches: { 1: 'unknown' }, places: [place] } as const;
    expect(filesVerdict({ ...facts, incident: { ...incident, chip: null } })).toBe('build-unknown');
  });
});
