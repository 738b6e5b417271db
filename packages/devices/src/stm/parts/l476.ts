/** STM32L476 with bootloader V9.2. Reference manual RM0351, data sheet DS10198. */
import { kibibyte, mebibyte, type StmPart } from './part.ts';

export const stm32l476: StmPart = {
  title: 'STM32L476',
  productId: 0x415,
  protocol: 0x31,
  bootloaderId: { address: 0x1fff_6ffe, value: 0x92 },
  startup: 55.4,
  flash: {
    sizes: [mebibyte, 512 * kibibyte],
    layout: [{ count: 512, size: 2 * kibibyte }],
    banks: 2,
    erased: 0xff,
    // RM0351, section 3.3.7: double words; PROGERR if one is not erased, unless all of it is written to 0.
    unit: 8,
    burst: 8,
    rewrite: 'refused',
    alignment: 8,
    times: { program: 0.0817, erase: { [2 * kibibyte]: 22 }, massErase: 22.1 },
    slowest: { program: 0.0908, erase: { [2 * kibibyte]: 24.5 }, massErase: 24.6 },
  },
  ram: [{ start: 0x2000_3100, length: 96 * kibibyte - 0x3100 }],
  systemMemory: { start: 0x1fff_0000, length: 28 * kibibyte },
  otp: { start: 0x1fff_7000, length: kibibyte },
  dataMemory: null,
  options: {
    // RM0351, section 3.4.1: words followed by their complement; 40 bytes for each bank. The factory value of
    // FLASH_OPTR is 0xFFEFF8AA.
    ranges: [
      { start: 0x1fff_7800, length: 40 },
      { start: 0x1fff_f800, length: 40 },
    ],
    complement: 4,
    values: [
      [0, 0xaa],
      [1, 0xf8],
      [2, 0xef],
      [0x18, 0xff],
      [0x1a, 0x00],
    ],
    protection: { offset: 0, none: 0xaa },
    writeProtection: { kind: 'area', first: 0x18, last: 0x1a },
    // RM0351, section 3.4.2: OBL_LAUNCH resets.
    restarts: true,
  },
  // RM0351, sections 49.1 and 49.2.
  sizeRegister: 0x1fff_75e0,
  uniqueId: [0x1fff_7590, 0x1fff_7594, 0x1fff_7598],
  identityStarts: true,
  eraseCommand: 0x44,
  massErase: true,
  doubleNack: false,
  emptyCheck: false,
  voltageRange: false,
  usb: {
    alternates: [
      '@Internal Flash  /0x08000000/0512*0002Kg',
      '@Option Bytes  /0x1FFF7800/01*040 e/0x1FFFF800/01*040 e',
      '@OTP Memory /0x1FFF7000/01*0001Ke',
    ],
    transferSize: 2_048,
    release: 0x2200,
  },
};
