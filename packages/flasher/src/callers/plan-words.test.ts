import { describe, expect, it } from 'vitest';
import type { Fate } from '../core/flash-plan.ts';
import { erasedFlash, eraseText, figures, planText, resultText, titleOf, wholeFlashText } from './plan-words.ts';

const report = {
  state: 'complete',
  regions: [],
  written: 2_048,
  same: 1_024,
  sent: 0,
  duration: 530,
  repeated: 0,
} as const;
const plan = {
  refusals: [],
  warnings: [],
  files: [],
  kept: [],
  erased: [],
  eraseAll: false,
  toWrite: 2_048,
  same: 1_024,
  duration: 4_200,
  map: [],
} as const;

const area = (name: string | null, fate: Fate) => ({ offset: 0, length: 0x1000, name, fate });

describe('the result of a write', () => {
  it('says what was written, and what was there', () => {
    expect(resultText(report)).toBe('2 KB written and verified in 0.5 s, 1 KB were there already.');
  });

  it('claims no write where everything was there', () => {
    expect(resultText({ ...report, written: 0, same: 3_072 })).toBe(
      'Nothing had to be written: all 3 KB were there already, verified in 0.5 s.',
    );
  });

  it('says of an erase what was erased', () => {
    expect(resultText(report, 'erase')).toBe('2 KB erased and verified in 0.5 s, 1 KB were erased already.');
    expect(resultText({ ...report, written: 0, same: 3_072 }, 'erase')).toBe(
      'Nothing had to be erased: all 3 KB were erased already, verified in 0.5 s.',
    );
  });

  it('claims no verification that the board cannot give', () => {
    for (const written of [0, 2_048]) {
      expect(resultText({ ...report, written, state: 'unverified' })).not.toContain('verified');
    }
  });
});

describe('a plan', () => {
  it('says what is written and skipped, and how long it takes', () => {
    expect(planText(plan)).toBe(
      '2 KB are written. 1 KB are on the board already and are skipped. This takes about 4 s.',
    );
  });

  it('says that the whole flash is erased', () => {
    const map = [area('app0', 'written'), area('nvs', 'erased'), area(null, 'erased')];
    expect(planText({ ...plan, eraseAll: true, same: 0, map })).toContain('The whole flash is erased, then 2 KB');
  });

  it('names the settings that stay although everything else is erased', () => {
    const map = [area('nvs', 'restored'), area('nvs_keys', 'restored'), area(null, 'erased'), area('nvs', 'written')];
    expect(planText({ ...plan, eraseAll: true, map })).toContain(
      'All flash except the stored settings (nvs and nvs_keys) is erased, then 2 KB',
    );
    expect(erasedFlash({ map }, false)).toBe('all flash except the stored settings');
    expect(erasedFlash({ map: [area(null, 'restored')] })).toBe('all flash except the stored settings');
  });

  it('names the bootloader that no erase takes', () => {
    const map = [area(null, 'written'), area(null, 'erased'), area('bootloader', 'kept')];
    expect(planText({ ...plan, eraseAll: true, map })).toContain(
      'All flash except the bootloader is erased, then 2 KB',
    );
  });

  it('says that nothing has to be written', () => {
    expect(planText({ ...plan, toWrite: 0 })).toBe('All 1 KB are on the board already. Nothing has to be written.');
    expect(planText({ ...plan, toWrite: 0 }, 'erase')).toBe('All 1 KB are erased already. Nothing has to be erased.');
  });

  it('says what an erase takes, and what is erased already', () => {
    expect(planText(plan, 'erase')).toBe(
      '2 KB are erased. 1 KB are erased already and are skipped. This takes about 4 s.',
    );
  });
});

it('figures are left out while they are unknown', () => {
  expect(figures(0, 0, null, null)).toEqual({ bytes: '', speed: '', left: '' });
  expect(figures(0, 4_096, 0, Number.POSITIVE_INFINITY)).toMatchObject({ speed: '', left: '' });
  expect(figures(0, 4_096, Number.NaN, Number.NaN)).toMatchObject({ speed: '', left: '' });
  expect(figures(1_024, 4_096, 88_400, 1_500)).toEqual({
    bytes: '1 KB of 4 KB',
    speed: '88.4 kB/s',
    left: '1.5 s left',
  });
});

it('a release without a version has its name alone', () => {
  expect([titleOf('Lamp', ''), titleOf('Lamp', '1.2')]).toEqual(['Lamp', 'Lamp 1.2']);
});

describe('an erase without a plan', () => {
  it('says what it takes and what stays', () => {
    expect(eraseText('stm', null)).toBe(
      'The program, its settings and all data are erased. The board does not start again until firmware is written to it.',
    );
    expect(eraseText('avr', null)).toBe(
      'The program is erased. The bootloader and the EEPROM stay as they are. The board does not start again until firmware is written to it.',
    );
    expect(eraseText('avr', { offset: 0, length: 0x80 })).toBe('Everything from 0x0 to 0x7F is erased.');
    expect([wholeFlashText('avr'), wholeFlashText('esp')]).toEqual([
      'all flash except the bootloader',
      'the whole flash',
    ]);
  });
});
