import { describe, expect, it } from 'vitest';
import { readSwitch } from './read-switch.ts';

describe('switch', () => {
  it.each([true, 'true', 'True', 1, '1', 'on', 'yes', ' YES '])('is on for %j', (value) => {
    expect(readSwitch(value)).toBe(true);
  });

  it.each([false, 'false', 'FALSE', 0, '0', 'off', 'no'])('is off for %j', (value) => {
    expect(readSwitch(value)).toBe(false);
  });

  it.each([undefined, null, '', 2, Number.NaN, 'maybe', 'constructor', [true], { true: true }])(
    'is unknown for %j',
    (value) => {
      expect(readSwitch(value)).toBeNull();
    },
  );
});
