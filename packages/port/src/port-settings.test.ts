import { describe, expect, it } from 'vitest';
import { baudRates, defaultPortSettings, describePortSettings, wireTime } from './port-settings.ts';

describe('port settings', () => {
  it('are the documented ones', () => {
    expect(baudRates).toEqual([9600, 19200, 38400, 57600, 115200, 230400, 460800, 921600]);
    expect(defaultPortSettings).toMatchObject({ baudRate: 115200, dataBits: 8, stopBits: 1, parity: 'none' });
  });

  it('are described as people write them', () => {
    expect(describePortSettings(defaultPortSettings)).toBe('115200 8N1');
    expect(describePortSettings({ ...defaultPortSettings, dataBits: 7, parity: 'odd', stopBits: 2 })).toBe(
      '115200 7O2',
    );
  });

  it('decide how long bytes are on the wire, parity and stop bits included', () => {
    const slow = { ...defaultPortSettings, baudRate: 9_600 };
    expect(wireTime(slow, 960)).toBe(1_000);
    expect(wireTime({ ...slow, parity: 'even', stopBits: 2 }, 960)).toBe(1_200);
    expect(wireTime({ ...slow, dataBits: 7 }, 960)).toBe(900);
  });
});
