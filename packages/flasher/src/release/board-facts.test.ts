import { describe, expect, it } from 'vitest';
import type { EspInfo } from '../espressif/esp-info.ts';
import { espBoardFacts } from './board-facts.ts';

const info: EspInfo = {
  chip: 'esp32s3',
  model: 'ESP32-S3 (QFN56)',
  revision: { major: 0, minor: 2 },
  mac: '24:0a:c4:00:01:10',
  features: ['Wi-Fi', 'BT 5 (LE)', 'embedded PSRAM 8 MB'],
  crystal: 40,
  flash: { manufacturer: 0xef, manufacturerName: 'Winbond', device: 0x4018, size: 16_777_216 },
  security: { secureBoot: null, flashEncryption: null, secureDownload: false },
  link: 'usb-serial-jtag',
};

describe('facts of an Espressif board', () => {
  it('have the flash, the revision, embedded PSRAM and the connection', () => {
    expect(espBoardFacts(info)).toEqual({
      family: 'esp',
      model: 'esp32s3',
      flashSize: 16_777_216,
      psram: true,
      revision: 2,
      connection: 'usb',
    });
  });

  it('leave PSRAM open where it can be beside the chip, and deny it where the chip has no interface for it', () => {
    expect(espBoardFacts({ ...info, features: [] }).psram).toBeNull();
    expect(espBoardFacts({ ...info, chip: 'esp32c3', features: [] }).psram).toBe(false);
  });

  it('are open where a board in Secure Download Mode reports nothing', () => {
    expect(espBoardFacts({ ...info, revision: null, flash: null, features: [], link: 'uart' })).toEqual({
      family: 'esp',
      model: 'esp32s3',
      flashSize: null,
      psram: null,
      revision: null,
      connection: 'uart',
    });
  });
});
