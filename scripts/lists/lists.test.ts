import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@wirebench/server/testing/temporary-folder.ts';
import { describe, expect, it } from 'vitest';
import { publishedLists } from './published-lists.ts';
import { differencesOf, parseRecord, readRecord, recordText } from './records.ts';

describe('a published list', () => {
  it.each(publishedLists)('$id has a name in the product for every recorded row', ({ id, source, shipped }) => {
    const record = readRecord(id);
    expect(record.source).toBe(source);
    expect(record.date).toMatch(/^20\d\d-\d\d-\d\d$/);
    expect([...record.rows.keys()].filter((key) => shipped(key) === null)).toEqual([]);
  });

  it('has 78 UF2 families, of which the names agree with the shipped ones', () => {
    const { rows } = readRecord('uf2-families');
    const shipped = publishedLists.find(({ id }) => id === 'uf2-families')?.shipped;
    const plain = (text: string) => text.toUpperCase().replaceAll(/[^\dA-Z]/g, '');
    // Our names say which part it is; the published one names a product, or a kind of download.
    const others = [
      'RP2XXXABSOLUTE',
      'RP2XXXDATA',
      'RP2350ARMS',
      'RP2350ARMNS',
      'RP2350RISCV',
      'M0SENSE',
      'MAIXPLAYU4',
    ];
    const vendors = ['CSK4', 'CSK6', 'MIMXRT10XX', 'NRF52832XXAA', 'NRF52832XXAB', 'PY32F071UVK5V3'];
    const differing = [...rows].filter(([key, name]) => !plain(shipped?.(key) ?? '').includes(plain(name)));
    expect(rows.size).toBe(78);
    expect(differing.map(([, name]) => plain(name)).filter((name) => ![...others, ...vendors].includes(name))).toEqual(
      [],
    );
  });
});

/** One or two rows of each source in its own form. */
const samples: Readonly<Record<string, readonly [text: string, rows: Readonly<Record<string, string>>]>> = {
  'uf2-families': ['[{"id": "0x7B3EF230", "short_name": "A"}]', { '0x7b3ef230': 'A' }],
  'esp-chips': ['  ESP_CHIP_ID_ESP32X= 0x0041, /*!< */\n  ESP_CHIP_ID_INVALID = 0xFFFF', { '0x0041': 'ESP32X' }],
  'esp-resets': [
    '    NO_MEAN = 0,\n    ONE_RESET = 1,   /**<1, x*/\n    OTHER_RESET =  9',
    { '0x01': 'ONE_RESET', '0x09': 'OTHER_RESET' },
  ],
  'esp-partitions': [
    "MIN_PARTITION_SUBTYPE_APP_OTA = 0x10\nNUM_PARTITION_SUBTYPE_APP_OTA = 2\nSUBTYPES = {\n  DATA_TYPE: {\n    'nvs': 0x02,\n  },\n}\n",
    { 'data 0x02': 'nvs', 'app 0x10': 'ota_0', 'app 0x11': 'ota_1' },
  ],
  'flash-makers': [
    '#define ONE_ID\t\t0x41\t/* x */\n#define OTHER_ID 0x41\n#define FAR_ID 0x7F41\n',
    { '0x41': 'ONE, OTHER' },
  ],
  'stm-parts': ['#define DEVID_STM32X1XX\t0x4FF\n', { '0x4ff': 'STM32X1XX' }],
  'stm-parts-earlier': ['  STM32_CHIPID_UNKNOWN = 0x000,\n  STM32_CHIPID_X1 = 0x4ff, /* x */', { '0x4ff': 'X1' }],
  'avr-parts': [
    'part\n  desc = "One";\n  signature = 0x1e 0x95 0x0f;\n;\npart parent "one"\n  desc = "Two";\n  signature = 0x1e 0x95 0x0f;\n;',
    { '0x1e950f': 'One, Two' },
  ],
  softdevices: ["'\\n|s140_nrf52_7.3.0|0x123|'", { '0x0123': 's140_nrf52_7.3.0' }],
  'usb-adapters': [
    '# 0403  x\n0403  Maker\n\t6001  Serial thing\n\t6002  Camera\n0404  Other\n\t0001  Serial\n# List of known device classes\nC 00  y\n',
    { '0403': 'Maker', '0403:6001': 'Serial thing' },
  ],
};

describe('the reader of a list', () => {
  it.each(publishedLists)('$id takes its rows from the form of the source', ({ id, read }) => {
    const [text = '', rows = {}] = samples[id] ?? [];
    expect(Object.fromEntries(read(text))).toEqual(rows);
  });

  it.each(publishedLists)('$id refuses a file without rows', ({ read }) => {
    expect(() => read('[]')).toThrow('No row');
  });
});

describe('a record', () => {
  it('keeps its rows through writing and reading', () => {
    const rows = new Map([
      ['0x01', 'A'],
      ['0x02', 'B, C'],
    ]);
    const written = recordText('https://example.org/list', '2026-02-08', rows);
    expect(parseRecord(written)).toEqual({ source: 'https://example.org/list', date: '2026-02-08', rows });
    expect(() => parseRecord('0x01\tA\n')).toThrow('begins with its source');
  });

  it('differs by rows that are new, renamed or gone', () => {
    const before = new Map([
      ['1', 'A'],
      ['2', 'B'],
    ]);
    const now = new Map([
      ['2', 'C'],
      ['3', 'D'],
    ]);
    expect(differencesOf(before, now)).toEqual(['renamed: 2 C, was B', 'new: 3 D', 'gone: 1 A']);
    expect(differencesOf(before, before)).toEqual([]);
  });
});

describe('npm run lists', () => {
  const run = (...given: string[]) =>
    execFileSync(process.execPath, [fileURLToPath(new URL('../lists.ts', import.meta.url)), ...given], {
      encoding: 'utf8',
    });

  it('prints what a newer file has, and what the product does not name', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'uf2families.json');
    writeFileSync(file, '[{"id":"0x12345678","short_name":"NEW"},{"id":"0x7b3ef230","short_name":"BK7231N"}]');
    const printed = run('uf2-families', file);
    expect(printed).toContain('new: 0x12345678 NEW\n');
    expect(printed).toContain('gone: 0x57755a57 STM32F4\n');
    expect(printed).toContain('Not named in the product: 0x12345678 NEW\n');
  });

  it('lists the sources with their dates', () => {
    expect(run()).toContain('uf2-families: 78 rows, as of 2026-02-08\n');
  });
});
