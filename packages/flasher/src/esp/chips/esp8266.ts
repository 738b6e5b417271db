/** ESP8266 and ESP8285 (esptool, `targets/esp8266.py`). */
import type { Chip, ReadRegister } from './chip.ts';
import { OTP, otpFacts } from './esp8266-otp.ts';
import { stubOf } from './stub-file.ts';

const SPI = 0x6000_0200;

async function identify(read: ReadRegister) {
  const { hasEmbeddedFlash, mac } = otpFacts([
    await read(OTP),
    await read(OTP + 4),
    await read(OTP + 8),
    await read(OTP + 12),
  ]);
  return {
    model: hasEmbeddedFlash ? 'ESP8285' : 'ESP8266EX',
    revision: null,
    mac,
    features: ['Wi-Fi', 'single core', '160 MHz', ...(hasEmbeddedFlash ? ['embedded flash'] : [])],
  };
}

export const esp8266: Chip = {
  name: 'esp8266',
  spi: {
    command: SPI,
    user: SPI + 0x1c,
    user1: SPI + 0x20,
    user2: SPI + 0x24,
    misoLength: null,
    data0: SPI + 0x40,
  },
  extendedBegin: false,
  richRom: false,
  crystal: { kind: 'divider', register: 0x6000_0014, factor: 2, usual: [26, 40] },
  identify,
  security: async () => ({ secureBoot: false, flashEncryption: false }),
  loadStub: async () =>
    stubOf(await import('esptool-js/lib/targets/stub_flasher/esp8266.json', { with: { type: 'json' } })),
  stubResetsBaudRate: true,
};
