/** STM32F103, medium density. Reference manual RM0008, flash programming PM0075, data sheet DS5319. */
import { kibibyte, type StmPart } from './part.ts';

export const stm32f103: StmPart = {
  title: 'STM32F103',
  productId: 0x410,
  protocol: 0x22,
  bootloaderId: null,
  startup: 1.227,
  flash: {
    sizes: [128 * kibibyte, 64 * kibibyte],
    layout: [{ count: 128, size: kibibyte }],
    banks: 1,
    erased: 0xff,
    // PM0075, section 2.3.3: half-words; PGERR if the location is not 0xFFFF, unless 0x0000 is written.
    unit: 2,
    burst: 2,
    rewrite: 'refused',
    alignment: 4,
    times: { program: 0.0525, erase: { [kibibyte]: 30 }, massErase: 30 },
    slowest: { program: 0.07, erase: { [kibibyte]: 40 }, massErase: 40 },
  },
  ram: [{ start: 0x2000_0200, length: 20 * kibibyte - 0x200 }],
  systemMemory: { start: 0x1fff_f000, length: 2 * kibibyte },
  otp: null,
  dataMemory: null,
  options: {
    // PM0075, section 2.5: RDP, USER, Data0, Data1, WRP0 … WRP3, each followed by its complement.
    ranges: [{ start: 0x1fff_f800, length: 16 }],
    complement: 1,
    values: [[0, 0xa5]],
    protection: { offset: 0, none: 0xa5 },
    writeProtection: { kind: 'bits', pages: 4, offsets: [8, 10, 12, 14], protectedBit: 0 },
    restarts: true,
  },
  // RM0008, sections 30.1 and 30.2.
  sizeRegister: 0x1fff_f7e0,
  uniqueId: [0x1fff_f7e8, 0x1fff_f7ec, 0x1fff_f7f0],
  identityStarts: true,
  eraseCommand: 0x43,
  massErase: true,
  doubleNack: false,
  emptyCheck: false,
  voltageRange: false,
  usb: null,
};
