import { describe, expect, it } from 'vitest';
import { boardText, chipsOf, guardPhrases, listText } from './release-builds.ts';

describe('the boards of a build', () => {
  it('are named by their chip alone without guards', () => {
    expect(boardText({ deviceModel: 'esp32c3', guards: {} })).toBe('ESP32-C3');
  });

  it('are named with each guard in plain words', () => {
    const guards = { flashSize: 8 * 1_048_576, psram: true, minRevision: 301, connection: 'usb' } as const;
    expect(boardText({ deviceModel: 'esp32s3', guards })).toBe(
      'ESP32-S3 with at least 8 MB of flash, PSRAM, chip revision 3.1 or newer and a USB connection',
    );
    expect(guardPhrases({ psram: false, connection: 'uart' })).toEqual(['no PSRAM', 'a UART connection']);
  });

  it('list a chip once, in the order of the builds', () => {
    expect(chipsOf([{ deviceModel: 'esp32' }, { deviceModel: 'esp32c3' }, { deviceModel: 'esp32' }])).toEqual([
      'ESP32',
      'ESP32-C3',
    ]);
  });

  it('are joined with commas and a last word', () => {
    expect(listText([])).toBe('');
    expect(listText(['a'])).toBe('a');
    expect(listText(['a', 'b'], 'or')).toBe('a or b');
    expect(listText(['a', 'b', 'c'])).toBe('a, b and c');
  });
});
