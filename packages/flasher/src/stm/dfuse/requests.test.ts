import { describe, expect, it } from 'vitest';
import { fromHex } from '../../testing/from-hex.ts';
import { commandBytes, commands, parseConfiguration, parseStatus, parseString, states } from './requests.ts';

const viewOf = (hex: string) => {
  const bytes = fromHex(hex);
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
};

describe('commands of AN3156', () => {
  it.each([
    ['set address pointer', commandBytes(commands.setAddress, 0x0800_4000), '2100400008'],
    ['erase a sector', commandBytes(commands.erase, 0x0802_0000), '4100000208'],
    ['erase everything', commandBytes(commands.erase), '41'],
    ['read unprotect', commandBytes(commands.readUnprotect), '92'],
  ])('%s', (_name, bytes, expected) => {
    expect(bytes).toEqual(fromHex(expected));
  });
});

describe('the status of a device', () => {
  it('reports its poll timeout in milliseconds', () => {
    expect(parseStatus(viewOf('00e803000400'))).toEqual({ status: 0, pollTimeout: 1_000, state: states.downloadBusy });
  });

  it('is null when it is truncated', () => {
    expect(parseStatus(viewOf('00e80300'))).toBeNull();
    expect(parseStatus(undefined)).toBeNull();
  });
});

describe('descriptors', () => {
  // Configuration, two alternate settings and functional descriptor of an STM32F407.
  const configuration = '09022400010100c032' + '0904000000fe010204' + '0904000100fe010205' + '09210bff0000081a01';

  it('report the transfer size, and the string of each setting', () => {
    const { transferSize, names } = parseConfiguration(viewOf(configuration));
    expect(transferSize).toBe(2_048);
    expect([...names]).toEqual([
      ['0.0', 4],
      ['0.1', 5],
    ]);
  });

  it('are read up to their damage', () => {
    expect(parseConfiguration(viewOf('0902240001')).names.size).toBe(0);
    expect(parseConfiguration(viewOf('000000')).transferSize).toBeNull();
  });

  it('are UTF-16 for strings', () => {
    expect(parseString(viewOf('0803400041002f00'))).toBe('@A/');
    expect(parseString(viewOf('ff0340'))).toBe('');
  });
});
