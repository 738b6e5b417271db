import { describe, expect, it } from 'vitest';
import type { NamedArea, PlanFacts } from '../../../protocol/flash-protocol.ts';
import type { ConnectedBoard } from '../../../workbench/families.ts';
import { type FlashState, initialFlash } from '../state/flash-state.ts';
import { fileFate } from './file-table.tsx';
import type { ListedFile } from './write-list.ts';

const app: ListedFile = {
  id: 1,
  name: 'app.bin',
  size: 0x2000,
  what: 'App',
  offset: 0x10000,
  why: '',
  places: null,
  application: null,
  sha256: '',
  typed: { text: '0x10000', offset: 0x10000, fault: null },
  ranges: [{ offset: 0x10000, length: 0x2000 }],
  end: 0x12000,
};
const slot = { name: 'ota_0', offset: 0x10000, length: 0x100000 };

/** Returns a board whose plan writes the file. */
function planned(area: NamedArea, plan: Partial<PlanFacts> = {}, same = false): FlashState {
  return {
    ...initialFlash,
    phase: 'planned',
    board: { areas: [area] } as unknown as ConnectedBoard,
    plan: {
      refusals: [],
      overridden: [],
      warnings: [],
      eraseAll: false,
      regions: [{ offset: 0x10000, length: 0x2000, file: 'app.bin', same }],
      map: [
        { name: null, offset: 0, length: 0x10000, fate: 'kept' },
        { name: 'ota_0', offset: 0x10000, length: 0x2000, fate: 'written' },
        { name: 'ota_0', offset: 0x12000, length: 0xfe000, fate: 'erased' },
      ],
      toWrite: 0x2000,
      same: 0,
      duration: 1_000,
      ...plan,
    },
  };
}

describe('a file of the plan', () => {
  it('names the program that it replaces, or else the area', () => {
    const board = planned({ ...slot, holds: 'weather-node 1.3.2' });
    expect(fileFate(app, board, false)).toEqual({ text: 'Replaces weather-node 1.3.2', kind: 'write' });
    expect(fileFate(app, planned(slot), false)).toEqual({ text: 'Replaces ota_0', kind: 'write' });
    expect(fileFate(app, planned({ ...slot, isEmpty: true }), false)).toEqual({ text: 'New', kind: 'write' });
    const unnamed = [{ name: null, offset: 0, length: 0x400000, fate: 'written' as const }];
    expect(fileFate(app, planned(slot, { map: unnamed }), false).text).toBe('Will be written');
  });

  it('is called what it is where it can be written anyway', () => {
    const refusal = { files: ['app.bin'], what: '', remedy: '', overridable: true };
    const fate = (code: string) => fileFate(app, planned(slot, { refusals: [{ ...refusal, code }] }), false).text;
    expect(fate('not-an-image')).toBe('Not a program');
    expect(fate('guard-flash')).toBe('Needs your decision');
  });

  it('is the same as on the board, not possible, or for another chip', () => {
    expect(fileFate(app, planned(slot, {}, true), false)).toEqual({ text: 'Same', kind: 'same' });
    const refusal = { code: 'x', files: ['app.bin'], what: '', remedy: '', overridable: false };
    expect(fileFate(app, planned(slot, { refusals: [refusal] }), false)).toEqual({ text: 'Not possible', kind: 'bad' });
    // Nothing of a program for RAM goes into flash.
    expect(fileFate({ ...app, chip: 'RP2040' }, planned(slot, { refusals: [refusal], regions: [] }), false)).toEqual({
      text: 'Not possible',
      kind: 'bad',
    });
    expect(fileFate({ ...app, chip: 'ESP32-C3' }, planned(slot), true).text).toBe('For ESP32-C3');
  });
});
