/** Texts and options below the flash card that depend on the chip family. */
import type { DeviceFamily } from '@wirebench/contract/constants';

interface FamilySteps {
  /** Steps to the port. */
  readonly pick: string;
  /** The flasher's last action. */
  readonly write: string;
  /** True: ESP Web Tools supports its chips, so that users can put an install button on their own pages. */
  readonly installable: boolean;
}

export const familySteps = {
  esp: {
    pick: 'The browser asks which board to use.',
    write: 'The chip hashes what was written, the flasher compares the hash, and the board restarts.',
    installable: true,
  },
  stm: {
    pick: 'Put the board into its bootloader, then choose its serial port or its USB device.',
    write: 'The flasher checks what was written, then the program starts.',
    installable: false,
  },
  nrf: {
    pick: 'Put the board into its bootloader, then choose its serial port.',
    write: 'The bootloader checks what was written, then the program starts.',
    installable: false,
  },
  avr: {
    pick: 'The browser asks which board to use.',
    write: 'The flasher checks what was written, then the program starts.',
    installable: false,
  },
} as const satisfies Record<DeviceFamily, FamilySteps>;
