import { describe, expect, it } from 'vitest';
import type { EspInfo } from '../esp/esp-info.ts';
import { espBoardFacts, nrfBoardFacts } from './board-facts.ts';
import { chooseBuild } from './release-build.ts';

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

describe('facts of a Nordic board', () => {
  const secure = nrfBoardFacts({ part: 'nRF52833', flashSize: 524_288, link: 'usb' });
  const build = (flashSize?: number) => ({ deviceFamily: 'nrf', deviceModel: 'nrf52', guards: { flashSize } });

  it('have the part, its flash and the connection', () => {
    expect(secure).toEqual({ family: 'nrf', model: 'nrf52833', flashSize: 524_288, connection: 'usb' });
  });

  it('refuse a build that requires more flash, and choose the one that fits', () => {
    expect(chooseBuild([build(1_048_576)], secure)).toMatchObject({
      kind: 'refused',
      reason: 'flash-size',
      sentence: 'This nRF52833 has 512 KB of flash, but the release is for nRF52833 with 1 MB of flash or more.',
    });
    const small = build(524_288);
    expect(chooseBuild([build(1_048_576), small], secure)).toMatchObject({ kind: 'chosen', build: small });
  });

  it('leave the decision to a person where the bootloader does not report the flash', () => {
    const silent = nrfBoardFacts({ part: null, flashSize: null, link: 'usb' });
    const large = build(1_048_576);
    expect(chooseBuild([large], silent)).toMatchObject({ kind: 'refused', candidates: [large] });
  });
});
