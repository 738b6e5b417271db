/**
 * A program of the Pico SDK on USB: a CDC port that the system's driver holds, and the vendor reset interface of
 * `pico_stdio_usb` (pico-sdk, `pico/stdio_usb/reset_interface.h`): class FF/00/01, two class requests.
 */
import type { UsbPart } from '../../usb/usb-device.ts';
import type { UsbAlternate } from '../../usb/web-usb.ts';

const resetInterface = 2;
const resetRequest = { bootsel: 0x01, flash: 0x02 } as const;

interface ProgramUsbOptions {
  readonly resetToBootsel: () => void;
  readonly resetToFlash: () => void;
  readonly forget: () => void;
}

export function programUsbPart({ resetToBootsel, resetToFlash, forget }: ProgramUsbOptions): UsbPart {
  const alternate = (interfaceClass: number, interfaceSubclass: number, interfaceProtocol: number): UsbAlternate => ({
    alternateSetting: 0,
    interfaceClass,
    interfaceSubclass,
    interfaceProtocol,
    endpoints: [],
  });
  return {
    vendorId: 0x2e8a,
    productId: 0x000a,
    usbVersion: 0x0210,
    release: 0x0100,
    manufacturerName: 'Raspberry Pi',
    productName: 'Pico',
    serialNumber: 'E660583883724A32',
    interfaces: [[alternate(0x02, 0x02, 0)], [alternate(0x0a, 0, 0)], [alternate(0xff, 0x00, 0x01)]],
    isHeld: (interfaceNumber) => interfaceNumber !== resetInterface,
    control: async ({ requestType, recipient, request, index }) => {
      const isReset = requestType === 'class' && recipient === 'interface' && (index & 0xff) === resetInterface;
      if (isReset && request === resetRequest.bootsel) {
        resetToBootsel();
      } else if (isReset && request === resetRequest.flash) {
        resetToFlash();
      } else {
        return 'stall';
      }
      // The program answers neither: the transfer ends when the board leaves the bus.
      return new Promise(() => undefined);
    },
    forget,
  };
}
