import { describe, expect, it } from 'vitest';
import { readTerminalAddress } from './address-strip.tsx';

describe('address of a ready terminal', () => {
  it('brings every setting that it names, and no other', () => {
    expect(
      readTerminalAddress('?baud=74880&data=7&parity=even&stop=2&ending=crlf&name=GNSS%20M10&filter=port:1%20wifi'),
    ).toEqual({
      settings: { baudRate: 74_880, dataBits: 7, parity: 'even', stopBits: 2 },
      lineEnding: 'crlf',
      name: 'GNSS M10',
      filter: 'port:1 wifi',
      wrong: [],
    });
    expect(readTerminalAddress('?baud=9600')?.settings).toEqual({ baudRate: 9_600 });
  });

  it('asks for nothing when nothing in it is known', () => {
    expect(readTerminalAddress('')).toBeNull();
    expect(readTerminalAddress('?jkit=42&utm_source=mail')).toBeNull();
  });

  it('takes words in capitals, as people write them', () => {
    expect(readTerminalAddress('?parity=Even&ending=CRLF')).toMatchObject({
      settings: { parity: 'even' },
      lineEnding: 'crlf',
    });
  });

  it.each([
    ['baud=0', 'baud is "0", but must be a whole number from 1 to 4294967295.'],
    ['baud=1e3', 'baud is "1e3", but must be a whole number from 1 to 4294967295.'],
    ['baud=', 'baud is "", but must be a whole number from 1 to 4294967295.'],
    ['data=9', 'data is "9", but must be 7 or 8.'],
    ['stop=1.5', 'stop is "1.5", but must be 1 or 2.'],
    ['parity=mark', 'parity is "mark", but must be none, even or odd.'],
    ['ending=lfcr', 'ending is "lfcr", but must be none, lf, cr or crlf.'],
    [`name=${'n'.repeat(33)}`, `name is "${'n'.repeat(33)}", but must be at most 32 characters.`],
  ])('names the wrong value of %s and leaves it out', (query, sentence) => {
    expect(readTerminalAddress(`?${query}`)).toEqual({
      settings: {},
      lineEnding: undefined,
      name: undefined,
      filter: undefined,
      wrong: [sentence],
    });
  });

  it('says why an expression cannot be looked for', () => {
    const address = readTerminalAddress('?filter=/(/&baud=9600');
    expect(address?.filter).toBeUndefined();
    expect(address?.settings).toEqual({ baudRate: 9_600 });
    expect(address?.wrong).toHaveLength(1);
    expect(address?.wrong[0]).toMatch(/^filter cannot be used\. ./);
  });

  it('keeps what is right beside what is wrong, and cuts a long value short', () => {
    const address = readTerminalAddress(`?baud=9600&parity=${'x'.repeat(500)}`);
    expect(address?.settings).toEqual({ baudRate: 9_600 });
    expect(address?.wrong[0]?.length).toBeLessThan(100);
  });
});
