/** STM32G071. Reference manual RM0444, data sheet DS12232. */
import { kibibyte, type StmPart } from './part.ts';

export const stm32g071: StmPart = {
  title: 'STM32G071',
  productId: 0x460,
  protocol: 0x31,
  bootloaderId: { address: 0x1fff_6ffe, value: 0xb4 },
  startup: 0.39,
  flash: {
    sizes: [128 * kibibyte, 64 * kibibyte],
    layout: [{ count: 64, size: 2 * kibibyte }],
    banks: 1,
    erased: 0xff,
    // RM0444, section 3.3.8: double words; PROGERR if one is not erased, unless all of it is written to 0.
    unit: 8,
    burst: 8,
    rewrite: 'refused',
    // AN2606, Table 7: 4 bytes for the STM32G0.
    alignment: 4,
    times: { program: 0.085, erase: { [2 * kibibyte]: 22 }, massErase: 22.1 },
    slowest: { program: 0.125, erase: { [2 * kibibyte]: 40 }, massErase: 40.1 },
  },
  ram: [{ start: 0x2000_2700, length: 36 * kibibyte - 0x2700 }],
  systemMemory: { start: 0x1fff_0000, length: 28 * kibibyte },
  otp: null,
  dataMemory: null,
  options: {
    // RM0444, section 3.4.1: words followed by their complement. The factory value of FLASH_OPTR is 0xDFFFE1AA, for
    // which the BOOT0 pin is ignored (nBOOT_SEL). Here that bit is 0, as on boards that bring out BOOT0.
    ranges: [{ start: 0x1fff_7800, length: 128 }],
    complement: 4,
    values: [
      [0, 0xaa],
      [1, 0xe1],
      [3, 0xde],
      [0x18, 0xff],
      [0x1a, 0x00],
    ],
    protection: { offset: 0, none: 0xaa },
    writeProtection: { kind: 'area', first: 0x18, last: 0x1a },
    restarts: true,
  },
  // RM0444, sections 38.1 and 38.2.
  sizeRegister: 0x1fff_75e0,
  uniqueId: [0x1fff_7590, 0x1fff_7594, 0x1fff_7598],
  identityStarts: true,
  eraseCommand: 0x44,
  massErase: true,
  doubleNack: false,
  emptyCheck: true,
  voltageRange: false,
  usb: null,
};
