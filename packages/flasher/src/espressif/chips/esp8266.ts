/** ESP8266 and ESP8285 (esptool, `targets/esp8266.py`). */
import { bits, type Chip, macOfBytes, type ReadRegister } from './chip.ts';
import { stubOf } from './stub-file.ts';

const OTP = 0x3ff0_0050;
const SPI = 0x6000_0200;

async function identify(read: ReadRegister) {
  const word0 = await read(OTP);
  const word1 = await read(OTP + 4);
  const word2 = await read(OTP + 8);
  const word3 = await read(OTP + 12);
  // Bit 4 or bit 80 of the 128 one-time-programmable bits marks an ESP8285.
  const embedded = bits(word0, 4, 1) === 1 || bits(word2, 16, 1) === 1;
  return {
    model: embedded ? 'ESP8285' : 'ESP8266EX',
    revision: null,
    mac: macOf(word0, word1, word3),
    features: ['Wi-Fi', 'single core', '160 MHz', ...(embedded ? ['embedded flash'] : [])],
  };
}

/**
 * Returns the MAC address. Its first three bytes are one of two of Espressif's prefixes, unless the chip has its own.
 */
function macOf(word0: number, word1: number, word3: number): string {
  const vendor = word3 !== 0 ? word3 & 0xff_ffff : bits(word1, 16, 8) === 0 ? 0x18_fe34 : 0xac_d074;
  return macOfBytes([vendor >>> 16, vendor >>> 8, vendor, word1 >>> 8, word1, word0 >>> 24]);
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
