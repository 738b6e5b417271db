import type { EspInfo } from '@wirebench/flasher/esp';
import { describe, expect, it } from 'vitest';
import type { EspFacts } from '../../../../../protocol/esp-types.ts';
import { testBoard } from '../../../testing/families.ts';
import { boardFacts } from './board-facts.ts';

const info: EspInfo = {
  chip: 'esp32s3',
  model: 'ESP32-S3 (QFN56)',
  revision: { major: 0, minor: 2 },
  mac: '7c:df:a1:e0:4b:3c',
  features: ['Wi-Fi', 'BLE'],
  crystal: 40,
  flash: { manufacturer: 0xc8, manufacturerName: 'GigaDevice', device: 0x4017, size: 8 * 2 ** 20 },
  security: { secureBoot: false, flashEncryption: false, secureDownload: false },
  link: 'uart',
};
const board = (part: Partial<EspInfo>): EspFacts =>
  testBoard({ demo: false, port: { usbVendorId: 0x10c4, usbProductId: 0xea60 } }, { ...info, ...part });
const facts = (part: Partial<EspInfo> = {}) =>
  Object.fromEntries(boardFacts(board(part)).map(({ name, value }) => [name, value]));

describe('facts of a board', () => {
  it('name chip, flash, bridge and rate', () => {
    expect(facts()).toEqual({
      MAC: '7c:df:a1:e0:4b:3c',
      Flash: '8 MB, GigaDevice',
      Crystal: '40 MHz',
      Features: 'Wi-Fi, BLE',
      Connection: 'CP210x',
      'Stub baud': '921600',
      Security: 'open',
    });
  });

  it('give the number of a flash maker without a published name', () => {
    const flash = { manufacturer: 0x99, manufacturerName: null, device: 0x4017, size: 8 * 2 ** 20 };
    expect(facts({ flash })['Flash']).toBe('8 MB, manufacturer 0x99 (not in the published list of 2026-08-07)');
  });

  it('leave out what the chip does not report, and a rate that means nothing', () => {
    const shown = facts({ mac: null, flash: null, crystal: null, features: [], link: 'usb-serial-jtag' });
    expect(Object.keys(shown)).toEqual(['Connection', 'Security']);
    expect(shown['Connection']).toBe('Built-in USB Serial/JTAG');
  });

  it('warn of what is locked', () => {
    const security = { secureBoot: true, flashEncryption: true, secureDownload: false };
    expect(boardFacts(board({ security })).at(-1)).toEqual({
      name: 'Security',
      value: 'Secure Boot, flash encryption',
      tone: 'warning',
    });
    const silent = { secureBoot: null, flashEncryption: null, secureDownload: false };
    expect(facts({ security: silent })['Security']).toBe('unknown');
  });
});
