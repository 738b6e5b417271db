/** The packages that other projects can install, and what is reachable in each. */

export interface PublishedPackage {
  /** Folder under `packages/`. */
  readonly folder: string;
  /** One line for the registry. */
  readonly description: string;
  readonly keywords: readonly string[];
  /** Entries of the workspace package that stay inside the repository, such as `./testing`. */
  readonly internal?: readonly string[];
  /** True: files for pages, built by a bundler. False or missing: modules for any program. */
  readonly isElement?: true;
  /** Entries added from the packages that it contains: the new entry, then the workspace entry. */
  readonly added?: Readonly<Record<string, string>>;
}

/** Every package that takes a port takes a clock too. */
const clock = { './clock': '@wirebench/clock' };

export const publishedPackages: readonly PublishedPackage[] = [
  {
    folder: 'symbols',
    description: 'Reads crashes and core dumps of ESP32 and other microcontrollers without GDB or a toolchain',
    keywords: ['coredump', 'esp32', 'dwarf', 'elf', 'addr2line', 'backtrace', 'zephyr'],
    internal: ['./testing', './testing/crashed-program', './testing/wrapped-dump'],
  },
  {
    folder: 'port',
    description: 'Opens, reads, writes and closes a W3C SerialPort, with classified failures and bounded waits',
    keywords: ['web-serial', 'serialport', 'serial', 'uart'],
    internal: ['./older-node', './web-serial'],
    added: clock,
  },
  {
    folder: 'rfc2217',
    description: 'Serves a W3C SerialPort over TCP to esptool, PlatformIO and other clients of RFC 2217',
    keywords: ['rfc2217', 'web-serial', 'telnet', 'com-port-control', 'serial'],
    added: { ...clock, './port': '@wirebench/port', './testing': '@wirebench/port/testing' },
  },
  {
    folder: 'usb-serial',
    description:
      'Makes W3C SerialPorts of USB devices over WebUSB: CDC-ACM, CP210x, CH34x, FTDI and PL2303, in pages and workers',
    keywords: ['web-serial', 'webusb', 'serialport', 'android', 'cdc-acm', 'cp2102', 'ch340', 'ftdi', 'pl2303'],
    added: clock,
  },
  {
    folder: 'flasher',
    description:
      'Plans, writes and verifies firmware on ESP8266, ESP32, STM32, Nordic, AVR and Raspberry Pi chips over Web Serial',
    keywords: [
      'esp32',
      'esp8266',
      'stm32',
      'nrf52',
      'avr',
      'arduino',
      'rp2040',
      'flash',
      'firmware',
      'web-serial',
      'esptool',
    ],
    internal: [
      './family',
      './family-values',
      './usb-bus',
      './callers',
      './given-files',
      './chosen-files',
      './sha256',
      './esp/family',
      './esp/files',
      './stm/family',
      './stm/files',
      './nrf/family',
      './nrf/files',
      './avr/family',
      './avr/files',
      './rp/family',
      './rp/files',
      './testing',
      './testing/genuine-avr',
    ],
    added: clock,
  },
  {
    folder: 'flash-button',
    isElement: true,
    description: 'A custom element that flashes ESP, STM32, Nordic, Arduino and Raspberry Pi boards from any web page',
    keywords: ['esp32', 'esp8266', 'stm32', 'nrf52', 'arduino', 'firmware', 'flash', 'web-serial', 'custom-element'],
  },
];
