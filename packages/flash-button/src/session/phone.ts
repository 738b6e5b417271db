/** The ports of a phone, and the choice among them. Loaded on phones alone, with the drivers of the adapters. */
import {
  PhoneChooser,
  type PhoneList,
  PhoneSerial,
  type PhoneSerialOptions,
  type PlatformFacts,
} from '@wirebench/usb-serial';

const { serial, usb } = navigator as unknown as Pick<PhoneSerialOptions, 'usb'> & { readonly serial?: Serial };

export const phoneSerial = new PhoneSerial({ serial, usb });

/** Kept for the page's lifetime: the page of another maker has its own storage. */
let worked: PhoneList | null = null;

export const phoneChooser = new PhoneChooser({
  ports: phoneSerial,
  hasSerial: serial !== undefined,
  platform: navigator as PlatformFacts,
  memory: {
    get: () => worked,
    set: (list) => {
      worked = list;
    },
  },
});
