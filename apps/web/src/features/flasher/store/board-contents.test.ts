import { md5, wholeChange } from '@wirebench/flasher/core';
import { beforeEach, describe, expect, it } from 'vitest';
import { contentsOf, dropContents, keepContents, noteConnection, noteWrite } from './board-contents.ts';

const SECTOR = 0x1000;
const nvs = { offset: 0x9000, bytes: new Uint8Array(2 * SECTOR).fill(1) };
const storage = { offset: 0x20000, bytes: new Uint8Array(SECTOR).fill(2) };
const change = {
  name: 'nvs',
  range: { offset: nvs.offset, length: nvs.bytes.length },
  basis: md5(nvs.bytes),
  erases: [{ offset: 0x9000, length: SECTOR }],
  writes: [{ offset: 0xa000, bytes: new Uint8Array(SECTOR).fill(7) }],
};
const written = { state: 'complete', written: SECTOR } as const;
const area = (offset: number, length: number) => ({ name: 'x', offset, length, fate: 'written' as const });
const plan = { eraseAll: false, map: [area(0x9000, 2 * SECTOR)] };
const known = (offset: number) => contentsOf(1).entries.get(offset)?.bytes;

describe('known contents of a board after a write', () => {
  beforeEach(() => {
    dropContents(1, false);
    noteConnection(1);
    for (const { offset, bytes } of [nvs, storage]) {
      keepContents(1, offset, bytes);
    }
  });

  it('are the written and verified bytes, so that the editor stays open', () => {
    noteWrite(1, { report: written, plan, changes: [change], isRead: true });
    const expected = new Uint8Array(2 * SECTOR).fill(7);
    expected.fill(0xff, 0, SECTOR);
    expect(known(nvs.offset)).toEqual(expected);
    expect(contentsOf(1).entries.get(nvs.offset)?.md5).toBe(md5(expected));
    expect(known(storage.offset)).toEqual(storage.bytes);
    expect(contentsOf(1).written).toBe(false);
  });

  it('are the restored backup if the whole partition was replaced', () => {
    const bytes = new Uint8Array(SECTOR).fill(9);
    const restore = wholeChange('nvs', change.range, bytes);
    noteWrite(1, { report: written, plan, changes: [restore], isRead: true });
    expect(known(nvs.offset)?.subarray(0, SECTOR)).toEqual(bytes);
    expect(known(nvs.offset)?.[SECTOR]).toBe(0xff);
  });

  it('exclude contents that other files were written over', () => {
    noteWrite(1, { report: written, plan: { ...plan, map: [area(0x20000, SECTOR)] }, changes: [], isRead: true });
    expect(known(storage.offset)).toBeUndefined();
    expect(known(nvs.offset)).toEqual(nvs.bytes);
  });

  it('exclude a change that was made from other contents', () => {
    noteWrite(1, { report: written, plan, changes: [{ ...change, erases: [], basis: 'f'.repeat(32) }], isRead: true });
    expect(known(nvs.offset)).toBeUndefined();
  });

  it.each([
    ['could not be verified', { state: 'unverified', written: SECTOR } as const, plan],
    ['erased everything first', written, { ...plan, eraseAll: true }],
  ])('are empty if the write %s', (_what, report, plan) => {
    noteWrite(1, { report, plan, changes: [change], isRead: true });
    expect(contentsOf(1).entries.size).toBe(0);
  });

  it('are unchanged if everything was already there', () => {
    noteWrite(1, { report: { state: 'complete', written: 0 }, plan, changes: [], isRead: false });
    expect(known(nvs.offset)).toEqual(nvs.bytes);
    expect(contentsOf(1).written).toBe(false);
  });
});
