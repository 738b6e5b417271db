/** Texts and options of a release's page that depend on the chip family. */
import type { DeviceFamily } from '@wirebench/contract/constants';

interface FamilyWords {
  /** Text below the button that opens the flasher. */
  readonly flasher: string;
  /** Connection of the board: `An ESP32 board …`. */
  readonly cable: string;
  /** Programs that keep the port from opening. */
  readonly close: string;
  /** Steps to the port, and the flasher's next action. */
  readonly pick: string;
  readonly write: string;
  /** True: its boards can also be flashed over USB, which more browsers support than serial ports. */
  readonly usb: boolean;
  /** True: ESP Web Tools supports its chips, so that users can put an install button on their own pages. */
  readonly installable: boolean;
}

export const familyWords = {
  esp: {
    flasher: 'Opens the flasher with these files loaded. You pick the port there.',
    cable: 'connected by a USB data cable',
    close: 'Close the Arduino or ESP-IDF monitor: only one program can use the port',
    pick: 'The browser asks which board to use.',
    write: 'The chip hashes what was written, the flasher compares the hash, and the board restarts.',
    usb: false,
    installable: true,
  },
  stm: {
    flasher:
      'Opens the STM32 flasher with these files loaded. It is experimental: keep another way to flash the board at hand.',
    cable: 'connected by a USB data cable or a USB serial adapter',
    close: 'Close STM32CubeProgrammer and serial monitors: only one program can use the port',
    pick: 'Put the board into its bootloader, then choose its serial port or its USB device.',
    write: 'The flasher checks what was written, then the program starts.',
    usb: true,
    installable: false,
  },
  nrf: {
    flasher:
      'Opens the Nordic flasher with these files loaded. It is experimental: keep another way to flash the board at hand.',
    cable: 'connected by a USB data cable',
    close: 'Close nRF Connect and serial monitors: only one program can use the port',
    pick: 'Put the board into its bootloader, then choose its serial port.',
    write: 'The bootloader checks what was written, then the program starts.',
    usb: false,
    installable: false,
  },
} as const satisfies Record<DeviceFamily, FamilyWords>;
