import { describe, expect, it } from 'vitest';
import { guessFamily } from './guess-family.ts';

const bridge = { usbVendorId: 0x10c4, usbProductId: 0xea60 };

describe('the family of a board', () => {
  it.each([
    [0x303a, 'esp'],
    [0x0483, 'stm'],
    [0x1915, 'nrf'],
  ] as const)('is known by the USB vendor id %i', (usbVendorId, family) => {
    expect(guessFamily({ usbVendorId }, '')).toBe(family);
  });

  it('is known by the product of an Arduino board, because not all have an AVR', () => {
    const uno = { usbVendorId: 0x2341, usbProductId: 0x0043 };
    expect(guessFamily(uno, '')).toBe('avr');
    expect(guessFamily({ usbVendorId: 0x1b4f, usbProductId: 0x9206 }, '')).toBe('avr');
    const nanoEsp32 = { usbVendorId: 0x2341, usbProductId: 0x0070 };
    expect(guessFamily(nanoEsp32, '')).toBeNull();
    expect(guessFamily(nanoEsp32, 'ESP-ROM:esp32s3-20210327')).toBe('esp');
  });

  it.each([
    ['ets Jul 29 2019 12:21:46\n\nrst:0x1 (POWERON_RESET),boot:0x13', 'esp'],
    ['ESP-ROM:esp32c3-api1-20210207', 'esp'],
    ['I (27) boot: ESP-IDF v5.1 2nd stage bootloader', 'esp'],
    ['*** Booting Zephyr OS build v3.7 ***\nboard: STM32F407', 'stm'],
    ['*** Booting nRF Connect SDK v2.7.0 ***', 'nrf'],
  ] as const)('behind a bridge is known by %j', (text, family) => {
    expect(guessFamily(bridge, text)).toBe(family);
  });

  it('stays open behind a bridge whose board prints nothing typical', () => {
    expect(guessFamily(bridge, 'temperature: 21.5\nready')).toBeNull();
    expect(guessFamily(null, '')).toBeNull();
    // The word alone begins many others.
    expect(guessFamily(bridge, 'espresso machine, streams, nrf')).toBeNull();
  });

  it('follows the maker of its USB before its output', () => {
    expect(guessFamily({ usbVendorId: 0x0483 }, 'connected to ESP32 co-processor')).toBe('stm');
  });

  it('knows a Pico by the ids of Raspberry Pi, and by the banner of MicroPython behind a bridge', () => {
    expect(guessFamily({ usbVendorId: 0x2e8a, usbProductId: 0x000a }, '')).toBe('rp');
    const banner = 'MicroPython v1.29.0 on 2026-06-01; Raspberry Pi Pico 2 with RP2350';
    expect(guessFamily({ usbVendorId: 0x10c4, usbProductId: 0xea60 }, banner)).toBe('rp');
  });
});
