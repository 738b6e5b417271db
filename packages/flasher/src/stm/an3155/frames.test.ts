import { describe, expect, it } from 'vitest';
import { fromHex } from '../../testing/from-hex.ts';
import { crcOfWords } from './crc-words.ts';
import {
  commandFrame,
  commands,
  dataFrame,
  eraseAllFrame,
  eraseFrame,
  extendedEraseAll,
  extendedEraseFrame,
  readLengthFrame,
  specialEraseFrame,
  wordFrame,
  xorOf,
} from './frames.ts';
import { parseGet, parseId } from './replies.ts';

describe('frames of AN3155', () => {
  it.each([
    ['Get', commands.get, '00ff'],
    ['Get Version', commands.getVersion, '01fe'],
    ['Get ID', commands.getId, '02fd'],
    ['Read Memory', commands.readMemory, '11ee'],
    ['Go', commands.go, '21de'],
    ['Write Memory', commands.writeMemory, '31ce'],
    ['Erase', commands.erase, '43bc'],
    ['Extended Erase', commands.extendedErase, '44bb'],
    ['Write Protect', commands.writeProtect, '639c'],
    ['Write Unprotect', commands.writeUnprotect, '738c'],
    ['Readout Protect', commands.readoutProtect, '827d'],
    ['Readout Unprotect', commands.readoutUnprotect, '926d'],
    ['Get Checksum', commands.getChecksum, 'a15e'],
  ])('%s is its code and the complement', (_name, code, frame) => {
    expect(commandFrame(code)).toEqual(fromHex(frame));
  });

  it.each([
    ['an address, highest byte first', wordFrame(0x0800_0000), '0800000008'],
    ['another one', wordFrame(0x1fff_f7e0), '1ffff7e0f7'],
    ['a whole block to read', readLengthFrame(256), 'ff00'],
    ['four bytes to read', readLengthFrame(4), '03fc'],
    ['four bytes to write', dataFrame(fromHex('01020304')), '030102030407'],
    ['one page', eraseFrame([5]), '000505'],
    ['three pages', eraseFrame([1, 2, 4]), '0201020405'],
    ['everything', eraseAllFrame(), 'ff00'],
    ['two pages of the extended erase', extendedEraseFrame([0x0102, 0x00ff]), '0001010200fffd'],
    ['everything of the extended erase', specialEraseFrame(extendedEraseAll), 'ffff00'],
  ])('%s', (_name, frame, expected) => {
    expect(frame).toEqual(fromHex(expected));
  });

  it('end with a byte that makes the XOR of all data zero', () => {
    expect(xorOf(dataFrame(Uint8Array.from({ length: 256 }, (_, index) => index * 7)))).toBe(0);
  });
});

describe('answers of the bootloader', () => {
  it('to Get are its version and its commands', () => {
    const facts = parseGet(fromHex('310001021121314463738292'));
    expect(facts.version).toBe('3.1');
    expect(facts.commands.has(commands.extendedErase)).toBe(true);
    expect(facts.commands.has(commands.erase)).toBe(false);
  });

  it('to Get ID are a product id of twelve bits', () => {
    expect(parseId(fromHex('0413'))).toBe(0x413);
  });
});

describe('the CRC of words', () => {
  it.each([
    ['the word 0', '00000000', 0xc704_dd7b],
    // Result of every STM32's CRC unit for its own reset value.
    ['the word FFFFFFFF', 'ffffffff', 0x0000_0000],
    ['the word 12345678', '78563412', 0xdf8a_8a2b],
  ])('has the expected value for %s', (_name, bytes, expected) => {
    expect(crcOfWords(fromHex(bytes))).toBe(expected);
  });

  it('reads words little endian', () => {
    expect(crcOfWords(fromHex('0102030405060708'))).not.toBe(crcOfWords(fromHex('0403020108070605')));
  });
});
