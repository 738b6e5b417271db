import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joinField, splitField, withoutChip } from './find-field.tsx';

describe('chips of the find field', () => {
  it('are the scopes at its beginning, once a space stands behind them', () => {
    expect(splitField('port:1,2 level:error wifi')).toEqual({ chips: ['port:1,2', 'level:error'], rest: 'wifi' });
    expect(splitField('port:2')).toEqual({ chips: [], rest: 'port:2' });
    expect(splitField('port:2 ')).toEqual({ chips: ['port:2'], rest: '' });
  });

  it('stay while what is behind them is half typed', () => {
    expect(splitField('port:1 /unfin')).toEqual({ chips: ['port:1'], rest: '/unfin' });
  });

  it('exclude invalid scopes, and scopes at other places', () => {
    expect(splitField('port:7 wifi').chips).toEqual([]);
    expect(splitField('wifi port:1 ').chips).toEqual([]);
    expect(splitField('"port:1 "').chips).toEqual([]);
  });

  it('are removed one by one', () => {
    expect(withoutChip(splitField('port:1 dir:rx wifi'), 0)).toBe('dir:rx wifi');
    expect(withoutChip(splitField('port:1 dir:rx wifi'), 1)).toBe('port:1 wifi');
  });

  it('and the rest are the field again, but for the spaces between', () => {
    const words = fc.array(fc.constantFrom('port:1', 'port:9', 'dir:tx', 'wifi', '/a b/', 'level:info'), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(words, (parts) => {
        const text = parts.join(' ');
        expect(joinField(splitField(text))).toBe(text);
      }),
    );
  });
});
