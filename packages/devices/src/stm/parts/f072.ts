/** STM32F072. Reference manual RM0091, data sheet DS9826. */
import { kibibyte, type StmPart } from './part.ts';

export const stm32f072: StmPart = {
  title: 'STM32F072',
  productId: 0x448,
  protocol: 0x31,
  bootloaderId: { address: 0x1fff_f6a6, value: 0xa1 },
  startup: 0.058,
  flash: {
    sizes: [128 * kibibyte, 64 * kibibyte],
    layout: [{ count: 64, size: 2 * kibibyte }],
    banks: 1,
    erased: 0xff,
    // RM0091, section 3.2.2: half-words; PGERR if the location is not 0xFFFF, unless 0x0000 is written.
    unit: 2,
    burst: 2,
    rewrite: 'refused',
    alignment: 4,
    times: { program: 0.0535, erase: { [2 * kibibyte]: 30 }, massErase: 30 },
    slowest: { program: 0.06, erase: { [2 * kibibyte]: 40 }, massErase: 40 },
  },
  ram: [{ start: 0x2000_1800, length: 10 * kibibyte }],
  systemMemory: { start: 0x1fff_c800, length: 12 * kibibyte },
  otp: null,
  dataMemory: null,
  options: {
    // RM0091, section 4.1: RDP, USER, Data0, Data1, WRP0 … WRP3, each followed by its complement.
    ranges: [{ start: 0x1fff_f800, length: 16 }],
    complement: 1,
    values: [[0, 0xaa]],
    protection: { offset: 0, none: 0xaa },
    writeProtection: { kind: 'bits', pages: 2, offsets: [8, 10, 12, 14], protectedBit: 0 },
    restarts: true,
  },
  // RM0091, sections 33.1 and 33.2.
  sizeRegister: 0x1fff_f7cc,
  uniqueId: [0x1fff_f7ac, 0x1fff_f7b0, 0x1fff_f7b4],
  identityStarts: true,
  eraseCommand: 0x44,
  massErase: true,
  doubleNack: false,
  emptyCheck: false,
  voltageRange: false,
  usb: {
    alternates: ['@Internal Flash  /0x08000000/064*0002Kg', '@Option Bytes  /0x1FFFF800/01*016 e'],
    transferSize: 2_048,
    release: 0x2200,
  },
};
