import { describe, expect, it } from 'vitest';
import { testFamily } from '../testing/families.ts';
import { fileOffset, placeText } from './offset-text.ts';

const { addresses } = testFamily;
const file = { offset: 0x10000, why: 'The usual partition tables put apps here.' };
const unknown = { offset: null, why: 'Nothing in this file says where it goes.' };

describe('offset of a file', () => {
  it('is the detected one until the user types another', () => {
    expect(fileOffset(file, undefined, addresses)).toEqual({ text: '0x10000', offset: 0x10000, fault: null });
    expect(fileOffset(file, ' 0x20000 ', addresses)).toMatchObject({ offset: 0x20000, fault: null });
  });

  it('has a reason when it is unknown', () => {
    expect(fileOffset(unknown, undefined, addresses)).toEqual({
      text: '',
      offset: null,
      fault: 'Nothing in this file says where it goes. Enter its offset.',
    });
  });

  it.each([
    ['', 'Enter an offset.'],
    ['10000', 'The 0x prefix is missing. Use 0x10000.'],
    ['0xhello', 'Enter an address such as 0x10000.'],
    ['0x10001', 'Must be a multiple of 0x1000.'],
  ])('refuses %j', (typed, fault) => {
    expect(fileOffset(file, typed, addresses)).toEqual({ text: typed, offset: null, fault });
  });
});

it('an address in the memory beside the flash is named with the address in it', () => {
  const withEeprom = { ...addresses, beside: { name: 'EEPROM', start: 0x81_0000 } };
  expect([0x1000, 0x81_0010].map((address) => placeText(address, withEeprom))).toEqual(['0x1000', 'EEPROM 0x10']);
  expect(placeText(0x81_0010, addresses)).toBe('0x810010');
});
