import { expect, it } from 'vitest';
import { otpFacts } from './esp8266-otp.ts';

const bit = (index: number) => 2 ** index;

// Read by esptool 5.3.1 (`targets/esp8266.py`: `get_chip_description`, `read_mac`) from the same words.
it.each([
  [[0x0300_0000, 0x0000_0102, 0, 0x005c_cf7f], 'ESP8266EX', '5c:cf:7f:01:02:03', null],
  [[0x0300_0000, 0x0000_0102, 0, 0], 'ESP8266EX', '18:fe:34:01:02:03', null],
  [[0x0300_0000, 0x0001_0102, 0, 0], 'ESP8266EX', 'ac:d0:74:01:02:03', null],
  [[bit(4), 0, 0, 0], 'ESP8285N08', '18:fe:34:00:00:00', 1],
  [[bit(4) + bit(5), 0, 0, bit(26)], 'ESP8285H16', '00:00:00:00:00:00', 2],
  [[0, 0, bit(16), bit(25)], 'ESP8285N16', '00:00:00:00:00:00', 2],
  [[0, 0, bit(16), bit(25) + bit(26)], 'ESP8285', '00:00:00:00:00:00', 4],
  [[0, 0, bit(16), 0], 'ESP8285', '18:fe:34:00:00:00', null],
  [[bit(4), 0, 0, bit(27)], 'ESP8285', '00:00:00:00:00:00', null],
] as const)('reads %o as %s', (words, model, mac, megabytes) => {
  const facts = otpFacts(words);
  expect(facts.model).toBe(model);
  expect(facts.mac).toBe(mac);
  expect(facts.embeddedSize).toBe(megabytes === null ? null : megabytes * 2 ** 20);
});
