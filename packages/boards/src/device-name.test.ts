import { describe, expect, it } from 'vitest';
import { deviceName } from './device-name.ts';

describe('device name', () => {
  it('knows common bridges, else the vendor, else the ids', () => {
    expect(deviceName({ usbVendorId: 0x10c4, usbProductId: 0xea60 })).toBe('CP210x');
    expect(deviceName({ usbVendorId: 0x2341, usbProductId: 0x0043 })).toBe('Arduino');
    expect(deviceName({ usbVendorId: 0x1a86, usbProductId: 0xfe0c })).toBe('WCH');
    expect(deviceName({ usbVendorId: 0x2e8a, usbProductId: 0x000c })).toBe('Debug Probe');
    expect(deviceName({ usbVendorId: 0x0abc, usbProductId: 0x000d })).toBe('0ABC:000D');
  });

  it('has a word for ports that are not on USB', () => {
    expect(deviceName({})).toBe('Serial port');
    expect(deviceName({ bluetoothServiceClassId: 0x1101 })).toBe('Bluetooth port');
  });
});
