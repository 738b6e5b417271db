import { isLong } from '@wirebench/test-input';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileQuery, namesOfFrame } from './compare-fields.ts';
import { parseQuery } from './comparison.ts';
import type { DecodedField, DecodedFrame } from './frame-types.ts';

const frame = (fields: readonly Partial<DecodedField>[], decoder = 'modbus'): DecodedFrame => ({
  decoder,
  kind: 'right',
  message: 'read holding registers',
  key: '',
  who: '07',
  sentence: '',
  fields: fields.map((field) => ({ name: 'v', value: null, from: 0, to: 0, ...field })),
});

const matches = (query: string, ...fields: readonly Partial<DecodedField>[]) => {
  const { comparisons } = parseQuery(query, () => true);
  expect(comparisons.length).toBeGreaterThan(0);
  return compileQuery(comparisons)(frame(fields));
};

const parse = (query: string, known = ['speed', 'unit', 'modbus.unit', 'name', 'status']) =>
  parseQuery(query, (name) => known.includes(name));

describe('query over fields', () => {
  it.each([
    ['modbus.unit:7', [['modbus.unit', ':', 7]], ''],
    ['speed>1400', [['speed', '>', 1400]], ''],
    ['speed > 1400 boot', [['speed', '>', 1400]], 'boot'],
    ['boot speed<=-1.5e3', [['speed', '<=', -1500]], 'boot'],
    [
      'speed>=0x10 unit!=3',
      [
        ['speed', '>=', 16],
        ['unit', '!=', 3],
      ],
      '',
    ],
    ['name="left motor" x', [['name', '=', 'left motor']], 'x'],
    ['status:running', [['status', ':', 'running']], ''],
    ['unit=18446744073709551615', [['unit', '=', 18_446_744_073_709_551_615n]], ''],
  ] as const)('%s has comparisons and text', (query, comparisons, text) => {
    const parsed = parse(query);
    expect(parsed.comparisons.map(({ name, operator, value }) => [name, operator, value])).toEqual(comparisons);
    expect(parsed.text).toBe(text);
  });

  it.each(['speed', 'unit 7', 'http://host/', 'key=value', 'speed>fast', 'unit: 7', '12:30:05', 'a  b', 'speed>', ''])(
    '%s stays text',
    (query) => {
      expect(parse(query)).toEqual({ comparisons: [], text: query });
    },
  );

  it('keeps any text that names no field as it is', () => {
    fc.assert(
      fc.property(fc.string(), (query) => {
        expect(parseQuery(query, () => false)).toEqual({ comparisons: [], text: query });
      }),
      { numRuns: isLong ? 5_000 : 200 },
    );
  });
});

describe('comparison', () => {
  it.each([
    ['v:7', { value: 7 }, true],
    ['v:7', { value: 70 }, false],
    ['v=7', { value: 7n }, true],
    ['v!=7', { value: 8 }, true],
    ['v!=7', { value: null }, false],
    ['v<4', { value: 3 }, true],
    ['v<4', { value: null }, false],
    ['v<4', { value: '03' }, true],
    ['v<4', { value: 'three' }, false],
    ['v>18446744073709551614', { value: 18_446_744_073_709_551_615n }, true],
    ['v>18446744073709551615', { value: 18_446_744_073_709_551_615n }, false],
    ['v=9007199254740993', { value: 9_007_199_254_740_993n }, true],
    ['v=9007199254740993', { value: 9_007_199_254_740_992n }, false],
    ['v:23.4', { value: Math.fround(23.4) }, true],
    ['v:77.514603', { value: Math.fround(77.514603) }, true],
    ['v:running', { value: 3, named: 'ready, running' }, true],
    ['v=running', { value: 3, named: 'ready, running' }, true],
    ['v=run', { value: 3, named: 'ready, running' }, false],
    ['v:run', { value: 3, named: 'ready, running' }, true],
    ['v:second', { value: 2, named: 'Second' }, true],
    ['v:on', { value: true }, true],
    ['v:off', { value: true }, false],
    ['v:left', { value: 'Left motor' }, true],
    ['v="left motor"', { value: 'Left motor' }, true],
    ['v>nan', { value: 1 }, false],
  ] as const)('%s of %o is %s', (query, field, expected) => {
    const { comparisons } = parseQuery(query, () => true);
    expect(comparisons.length > 0 && compileQuery(comparisons)(frame([field]))).toBe(expected);
  });

  it('takes the name with its decoder, and not with another one', () => {
    expect(matches('modbus.unit:7', { name: 'unit', value: 7 })).toBe(true);
    expect(matches('MODBUS.Unit:7', { name: 'unit', value: 7 })).toBe(true);
    expect(matches('nmea.unit:7', { name: 'unit', value: 7 })).toBe(false);
  });

  it('finds any element of a repeated field', () => {
    const fields = [1, 2, 3].map((index) => ({ name: `svs.${index}.cno`, value: index * 10 }));
    expect(matches('svs.cno>25', ...fields)).toBe(true);
    expect(matches('svs.1.cno>25', ...fields)).toBe(false);
    expect(matches('svs.3.cno>25', ...fields)).toBe(true);
  });

  it('holds only if all comparisons hold', () => {
    expect(matches('unit:7 v>1', { name: 'unit', value: 7 }, { value: 2 })).toBe(true);
    expect(matches('unit:7 v>1', { name: 'unit', value: 7 }, { value: 1 })).toBe(false);
  });

  it('knows who, the message and the kind of each frame', () => {
    expect(matches('who:7 message:holding kind=right')).toBe(true);
    expect(matches('who:8')).toBe(false);
  });

  it('names the fields of a frame with and without decoder and numbers', () => {
    const names = namesOfFrame(frame([{ name: 'svs.0.cno' }]));
    expect([...names].filter((name) => name.includes('svs'))).toEqual([
      'svs.0.cno',
      'svs.cno',
      'modbus.svs.0.cno',
      'modbus.svs.cno',
    ]);
  });
});
