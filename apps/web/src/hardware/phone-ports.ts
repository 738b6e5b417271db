/** The ports of this thread on a phone. Loaded on phones alone, with the drivers of the adapters. */
import { PhoneSerial, type PhoneSerialOptions } from '@wirebench/usb-serial';

type PhoneNavigator = { readonly serial?: Serial; readonly usb: PhoneSerialOptions['usb'] };

const { serial, usb } = navigator as unknown as PhoneNavigator;

export const phoneSerial = new PhoneSerial({ serial, usb });
