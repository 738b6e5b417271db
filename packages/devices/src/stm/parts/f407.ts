/** STM32F407 (and 405, 415, 417) with bootloader V3.1. Reference manual RM0090, data sheet DS8626. */
import { kibibyte, mebibyte, type StmPart } from './part.ts';

export const stm32f407: StmPart = {
  title: 'STM32F407',
  productId: 0x413,
  protocol: 0x31,
  bootloaderId: { address: 0x1fff_77de, value: 0x31 },
  startup: 84.59,
  flash: {
    sizes: [mebibyte, 512 * kibibyte],
    // RM0090, Table 5.
    layout: [
      { count: 4, size: 16 * kibibyte },
      { count: 1, size: 64 * kibibyte },
      { count: 7, size: 128 * kibibyte },
    ],
    banks: 1,
    erased: 0xff,
    // RM0090, section 3.6.4: bits can be changed from 1 to 0 without an erase. The bootloader programs bytes, unless
    // an option says that the supply allows more (AN2606, section 4.4). The times are those of bytes: DS8626, Table
    // 39.
    unit: 1,
    burst: 1,
    rewrite: 'clears-bits',
    alignment: 4,
    times: {
      program: 0.016,
      erase: { [16 * kibibyte]: 400, [64 * kibibyte]: 1_200, [128 * kibibyte]: 2_000 },
      massErase: 16_000,
    },
    slowest: {
      program: 0.1,
      erase: { [16 * kibibyte]: 800, [64 * kibibyte]: 2_400, [128 * kibibyte]: 4_000 },
      massErase: 32_000,
    },
  },
  ram: [{ start: 0x2000_2000, length: 120 * kibibyte }],
  systemMemory: { start: 0x1fff_0000, length: 30 * kibibyte },
  otp: { start: 0x1fff_7800, length: 528 },
  dataMemory: null,
  options: {
    // RM0090, section 3.7.1: user and BOR, then RDP; nWRP at the ninth byte.
    ranges: [{ start: 0x1fff_c000, length: 16 }],
    complement: 'none',
    values: [
      [0, 0xef],
      [1, 0xaa],
      [9, 0x0f],
    ],
    protection: { offset: 1, none: 0xaa },
    writeProtection: { kind: 'bits', pages: 1, offsets: [8, 9], protectedBit: 0 },
    restarts: true,
  },
  // RM0090, sections 39.1 and 39.2.
  sizeRegister: 0x1fff_7a22,
  uniqueId: [0x1fff_7a10, 0x1fff_7a14, 0x1fff_7a18],
  identityStarts: false,
  eraseCommand: 0x44,
  massErase: true,
  doubleNack: true,
  emptyCheck: false,
  voltageRange: true,
  usb: {
    alternates: [
      '@Internal Flash  /0x08000000/04*016Kg,01*064Kg,07*128Kg',
      '@Option Bytes  /0x1FFFC000/01*016 e',
      '@OTP Memory /0x1FFF7800/01*512 e,01*016 e',
      '@Device Feature/0xFFFF0000/01*004 e',
    ],
    transferSize: 2_048,
    release: 0x2200,
  },
};
