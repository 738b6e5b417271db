/** Recognises crashes that ESPHome and Tasmota report after a restart. */
import { checkDumps, type Dump } from './testing/crash-dumps.ts';

const dumps: readonly Dump[] = [
  {
    name: 'ESPHome on Xtensa',
    source: 'ESPHome, esphome/components/esp32/crash_handler.cpp',
    text: `[12:34:56][E][esp32.crash:241]: *** CRASH DETECTED ON PREVIOUS BOOT ***
[12:34:56][E][esp32.crash:244]:   Reason: Fault - LoadProhibited
[12:34:56][E][esp32.crash:248]:   PC:  0x400D1234  (fault location)
[12:34:56][E][esp32.crash:264]:   BT0: 0x400D1234  (backtrace)
[12:34:56][E][esp32.crash:264]:   BT1: 0x400D5678  (backtrace)
[12:34:56][E][esp32.crash:277]: Use: addr2line -pfiaC -e firmware.elf 0x400D1234 0x400D1234 0x400D5678`,
    says: ['crashed before it started', 'read from an address'],
    addresses: ['PC exact 400d1234', '- exact 400d1234', '- frame 400d5678'],
  },
  {
    name: 'ESPHome on RISC-V, after a watchdog',
    source: 'ESPHome, esphome/components/esp32/crash_handler.cpp',
    text: `[12:34:56.789][E][esp32.crash:241]: *** CRASH DETECTED ON PREVIOUS BOOT ***
[12:34:56.789][E][esp32.crash:246]:   Reason: Task wdt
[12:34:56.789][E][esp32.crash:248]:   PC:  0x42001234  (fault location)
[12:34:56.789][E][esp32.crash:264]:   BT0: 0x42001234  (backtrace)
[12:34:56.789][E][esp32.crash:264]:   BT1: 0x42005678  (stack scan)`,
    says: ['crashed before', 'did not report in time'],
    addresses: ['PC exact 42001234', '- exact 42001234', '- frame 42005678'],
  },
  {
    name: 'ESPHome on ESP8266',
    source: 'ESPHome, esphome/components/esp8266/crash_handler.cpp',
    text: `[E][esp8266:180]: *** CRASH DETECTED ON PREVIOUS BOOT ***
[E][esp8266:191]:   Reason: Exception - StoreProhibit (exccause=29)
[E][esp8266:196]:   PC: 0x40201234
[E][esp8266:198]:   BT0: 0x40205678`,
    says: ['crashed before', 'wrote to an address'],
    // Words of the stack may be code; only an ELF file can confirm it.
    addresses: ['PC exact 40201234'],
  },
  {
    name: 'ESPHome on RP2040',
    source: 'ESPHome, esphome/components/rp2040/crash_handler.cpp',
    text: `[E][rp2040.crash:080]: *** CRASH DETECTED ON PREVIOUS BOOT ***
[E][rp2040.crash:081]:   PC:  0x10001234  (fault location)
[E][rp2040.crash:082]:   LR:  0x10005679  (return address)
[E][rp2040.crash:083]:   SP:  0x20041F00
[E][rp2040.crash:085]:   BT0: 0x10002345  (stack backtrace)
[E][rp2040.crash:087]: Use addr2line -e firmware.elf 0x10001234 0x10005679 to decode`,
    says: ['crashed before'],
    addresses: ['PC exact 10001234', 'LR return 10005679'],
  },
  {
    name: 'Tasmota on ESP8266',
    source: 'Tasmota, tasmota_support/support_crash_recorder.ino',
    text: '12:34:56.789 MQT: stat/tasmota/STATUS12 = {"StatusSTK":{"Exception":29,"Reason":"Exception","EPC":["4000dfd9","00000000","00000000"],"EXCVADDR":"00000000","DEPC":"00000000","CallChain":["40230d36","40230d4a"]}}',
    says: ['wrote to an address', 'EXCVADDR is 0x00000000: a null pointer'],
    addresses: ['EPC exact 4000dfd9'],
  },
  {
    name: 'Tasmota on ESP32',
    source: 'Tasmota, tasmota_support/support_crash_recorder.ino',
    text: 'RSL: STATUS12 = {"StatusSTK":{"Exception":29,"Reason":"StoreProhibited","EPC":"400d1234","EXCVADDR":"00000004","CallChain":["400d1231","400d5678","40082a77"]}}',
    says: ['wrote to an address', 'a member of a structure'],
    addresses: ['EPC exact 400d1234', '- frame 400d1231', '- frame 400d5678', '- frame 40082a77'],
  },
  {
    name: 'Tasmota on RISC-V',
    source: 'Tasmota, tasmota_support/support_crash_recorder.ino',
    text: '{"StatusSTK":{"Exception":5,"Reason":"Load access fault","EPC":"42001234","EXCVADDR":"00000000","CallChain":["42005678","42009abc"]}}',
    says: ['read from an address'],
    addresses: ['EPC exact 42001234', '- return 42005678'],
  },
];

checkDumps(dumps);
