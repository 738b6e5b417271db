import { makeReceipt, type Receipt, receiptTitle } from '@wirebench/flasher/receipt';
import { receiptText } from '@wirebench/flasher/receipt/text';
import { describe, expect, it } from 'vitest';
import type { FileFacts } from '../../../protocol/flash-protocol.ts';
import { testReport } from '../../../protocol/testing/write-report.ts';
import { testBoard } from '../testing/families.ts';
import { forgetBoard, readHistory, remember } from './history.ts';
import { receiptsCsv } from './receipt.ts';

const board = testBoard({
  name: 'ESP32-S3',
  model: 'ESP32-S3 (QFN56)',
  id: '7c:df:a1:e0:4b:3c',
  demo: false,
});
const report = testReport({
  regions: [
    { offset: 0x30000, length: 0x20000, outcome: 'same', proof: { kind: 'md5', value: 'b'.repeat(32) } },
    { offset: 0x10000, length: 0x20000, outcome: 'verified', proof: { kind: 'md5', value: 'a'.repeat(32) } },
  ],
  written: 0x20000,
  same: 0x20000,
  sent: 90_000,
  duration: 1_530,
});
const file: FileFacts & { address: number } = {
  id: 1,
  name: 'app.bin',
  size: 0x40000,
  what: 'App',
  offset: 0x10000,
  why: '',
  places: null,
  application: 'weather-node 1.4.0',
  sha256: 'c'.repeat(64),
  address: 0x10000,
};
const receipt = (part: Partial<Receipt> = {}): Receipt => ({
  ...makeReceipt({ board, idName: 'MAC', report, files: [file], release: null, at: Date.UTC(2026, 10, 20, 12) }),
  ...part,
});

describe('receipt', () => {
  it('leads from the file to the hash that the board told, with board and time', () => {
    expect(receiptText(receipt())).toBe(`Wirebench flash receipt
time     2026-11-20T12:00:00.000Z
board    ESP32-S3 (ESP32-S3 (QFN56))
mac      7c:df:a1:e0:4b:3c
firmware weather-node 1.4.0
result   written and verified
bytes    131072 written, 131072 there already, in 1.5 s
file     0x10000 262144 bytes app.bin
         SHA-256 ${'c'.repeat(64)}
flash    0x10000 131072 bytes MD5 ${'a'.repeat(32)}
flash    0x30000 131072 bytes MD5 ${'b'.repeat(32)}
`);
  });

  it('never claims what the board could not report', () => {
    expect(receiptText(receipt({ state: 'unverified', id: null }))).toContain('result   written, not verified');
  });

  it('does not call written what was there already', () => {
    expect(receiptText(receipt({ written: 0 }))).toContain('result   already there and verified');
  });

  it.each([
    ['a write without a file', { files: [] }, 'changes without a firmware file'],
    [
      'files without names',
      { files: [{ name: '', offset: 0, size: 1, sha256: '' }] },
      'changes without a firmware file',
    ],
    ['an application without a name', { application: ' ' }, 'app.bin'],
    [
      'one nameless file of two',
      { files: ['', 'nvs.bin'].map((name) => ({ name, offset: 0, size: 1, sha256: '' })) },
      'nvs.bin',
    ],
  ])('has a title for %s', (_, part, title) => {
    const shown = receipt({ application: null, ...part });
    expect(receiptTitle(shown)).toBe(title);
    expect(receiptText(shown)).toContain(`firmware ${title}\n`);
  });

  it('says so when a file has no hash', () => {
    const file = { name: 'app.bin', offset: 0, size: 1, sha256: '' };
    expect(receiptText(receipt({ files: [file] }))).toContain('app.bin\n         no SHA-256\n');
  });

  it('is a line of a table, in which no cell is a formula', () => {
    const csv = receiptsCsv([receipt({ release: { name: '=cmd', version: '1,2' } })]);
    expect(csv.split('\r\n')[1]).toBe(
      `2026-11-20T12:00:00.000Z,verified,ESP32-S3,7c:df:a1:e0:4b:3c,no,"'=cmd 1,2",131072,131072,1.530,${'c'.repeat(64)}`,
    );
  });
});

describe('history', () => {
  const storage = () => {
    const items = new Map<string, string>();
    return {
      getItem: (key: string) => items.get(key) ?? null,
      setItem: (key: string, value: string) => void items.set(key, value),
      removeItem: (key: string) => void items.delete(key),
    };
  };

  it('knows which board got what, the newest first', () => {
    const kept = storage();
    remember(receipt(), kept);
    remember(receipt({ application: 'weather-node 1.5.0', at: '2026-11-21T12:00:00.000Z' }), kept);
    expect(readHistory(kept).map(({ board, firmware }) => [board, firmware])).toEqual([
      ['7c:df:a1:e0:4b:3c', 'weather-node 1.5.0'],
      ['7c:df:a1:e0:4b:3c', 'weather-node 1.4.0'],
    ]);
  });

  it('has no line for a demo board, nor for one without an id', () => {
    const kept = storage();
    remember(receipt({ demo: true }), kept);
    remember(receipt({ id: null }), kept);
    expect(readHistory(kept)).toEqual([]);
  });

  it('distinguishes a board that got the firmware from one that had it', () => {
    const kept = storage();
    remember(receipt(), kept);
    remember(receipt({ written: 0 }), kept);
    expect(readHistory(kept).map(({ already = false }) => already)).toEqual([true, false]);
  });

  it('survives what another version or a hand has written', () => {
    const kept = storage();
    kept.setItem('wirebench.flash-history', '{');
    expect(readHistory(kept)).toEqual([]);
    kept.setItem('wirebench.flash-history', '[{"board":1},null]');
    expect(readHistory(kept)).toEqual([]);
  });

  it('forgets one board without forgetting the others', () => {
    const kept = storage();
    remember(receipt(), kept);
    remember(receipt({ id: '24:0a:c4:5e:01:7f' }), kept);
    remember(receipt({ at: '2026-11-21T12:00:00.000Z' }), kept);
    forgetBoard('7c:df:a1:e0:4b:3c', kept);
    expect(readHistory(kept).map(({ board }) => board)).toEqual(['24:0a:c4:5e:01:7f']);
    forgetBoard('24:0a:c4:5e:01:7f', kept);
    expect(readHistory(kept)).toEqual([]);
  });
});
