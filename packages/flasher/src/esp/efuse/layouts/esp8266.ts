/**
 * One-time-programmable bits of the ESP8266 (esptool, `targets/esp8266.py`). Espressif publishes no names for them, so
 * these are descriptive. The chip has neither secure boot nor flash encryption.
 */
import { OTP } from '../../chips/esp8266-otp.ts';
import { type EfuseLayout, fieldsOf } from '../efuse-layout.ts';

export const esp8266: EfuseLayout = {
  base: OTP,
  blocks: [{ name: 'BLOCK0', offset: 0, words: 4, readProtection: [] }],
  errors: { kind: 'none' },
  calibrated: { kind: 'never' },
  purposes: {},
  values: {},
  fields: fieldsOf(`
[flash]
EMBEDDED_FLASH_A 0 4 1
FLASH_MAX_TEMP 0 5 1
EMBEDDED_FLASH_B 0 80 1
EMBEDDED_FLASH_SIZE 0 121 3
[MAC]
MAC_LOW 0 24 24
MAC_PREFIX_CHOICE 0 48 8
MAC_PREFIX 0 96 24
MAC = MAC_LOW MAC_PREFIX_CHOICE MAC_PREFIX
`),
};
