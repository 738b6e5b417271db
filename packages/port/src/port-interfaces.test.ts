import { afterEach, describe, expect, it, vi } from 'vitest';
import { hasSerialPorts, portInterfaces, usesUsbPorts } from './port-interfaces.ts';

const chrome = (system: string, rest = '') =>
  `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0${rest} Safari/537.36`;
const serial = {};
const usb = {};

describe('the interfaces with ports', () => {
  afterEach(() => vi.unstubAllGlobals());

  it.each([
    ['a phone with both', chrome('Linux; Android 10; K', ' Mobile'), { serial, usb }, 2, true],
    ['a tablet before Web Serial', chrome('Linux; Android 10; K'), { usb }, 1, true],
    ['Firefox for Android', 'Mozilla/5.0 (Android 15; Mobile; rv:150.0) Gecko/150.0 Firefox/150.0', {}, 0, false],
    [
      'an iPhone',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1',
      {},
      0,
      false,
    ],
    ['a computer, whose system holds the adapters', chrome('X11; Linux x86_64'), { serial, usb }, 1, false],
    ['a computer without Web Serial', chrome('Windows NT 10.0; Win64; x64'), { usb }, 0, false],
    ['a Chromebook', chrome('X11; CrOS x86_64 14541.0.0'), { serial, usb }, 1, false],
  ])('are counted on %s', (_name, userAgent, parts, count, overUsb) => {
    vi.stubGlobal('navigator', { userAgent, ...parts });
    expect(portInterfaces()).toBe(count);
    expect(hasSerialPorts()).toBe(count > 0);
    expect(usesUsbPorts()).toBe(overUsb);
  });
});
