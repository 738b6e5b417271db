/** Texts and options of the flash card that depend on the chip family. `family-steps.ts` has those below it. */
import type { DeviceFamily } from '@wirebench/contract/constants';

interface FamilyWords {
  /** Text below the button that opens the flasher. */
  readonly flasher: string;
  /** Connection of the board: `An ESP32 board …`. */
  readonly cable: string;
  /** Programs that keep the port from opening. */
  readonly close: string;
  /** True: its boards can also be flashed over USB, which more browsers support than serial ports. */
  readonly usb: boolean;
}

const experimental = (name: string) =>
  `Opens the ${name} flasher with these files loaded. It is experimental: keep another way to flash the board at hand.`;

export const familyWords = {
  esp: {
    flasher: 'Opens the flasher with these files loaded. You pick the port there.',
    cable: 'connected by a USB data cable',
    close: 'Close the Arduino or ESP-IDF monitor: only one program can use the port',
    usb: false,
  },
  stm: {
    flasher: experimental('STM32'),
    cable: 'connected by a USB data cable or a USB serial adapter',
    close: 'Close STM32CubeProgrammer and serial monitors: only one program can use the port',
    usb: true,
  },
  nrf: {
    flasher: experimental('Nordic'),
    cable: 'connected by a USB data cable',
    close: 'Close nRF Connect and serial monitors: only one program can use the port',
    usb: false,
  },
  avr: {
    flasher: experimental('Arduino'),
    cable: 'connected by a USB data cable or a USB serial adapter',
    close: 'Close the Arduino IDE and serial monitors: only one program can use the port',
    usb: false,
  },
} as const satisfies Record<DeviceFamily, FamilyWords>;
