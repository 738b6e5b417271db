import { describe, expect, it } from 'vitest';
import { linesFor, stmEntries } from './entry.ts';

describe('the control lines', () => {
  it.each([
    ['usual', { dtr: true, rts: true }, { dtr: false, rts: true }, { dtr: false, rts: false }],
    ['swapped', { dtr: true, rts: true }, { dtr: true, rts: false }, { dtr: false, rts: false }],
    ['direct', { dtr: true, rts: false }, { dtr: false, rts: false }, { dtr: false, rts: true }],
    ['direct-swapped', { dtr: false, rts: true }, { dtr: false, rts: false }, { dtr: true, rts: false }],
    ['inverted', { dtr: false, rts: false }, { dtr: true, rts: false }, { dtr: true, rts: true }],
    ['inverted-swapped', { dtr: false, rts: false }, { dtr: false, rts: true }, { dtr: true, rts: true }],
  ] as const)('have the levels of %s wires', (name, inReset, bootloader, program) => {
    const entry = stmEntries[name];
    expect(linesFor(entry, { inReset: true, boot0: true })).toEqual(inReset);
    expect(linesFor(entry, { inReset: false, boot0: true })).toEqual(bootloader);
    expect(linesFor(entry, { inReset: false, boot0: false })).toEqual(program);
  });
});
