/** STM32H743. Reference manual RM0433, data sheet DS12110. */
import { kibibyte, mebibyte, type StmPart } from './part.ts';

export const stm32h743: StmPart = {
  title: 'STM32H743',
  productId: 0x450,
  protocol: 0x31,
  bootloaderId: { address: 0x1ff1_e7fe, value: 0x92 },
  startup: 53.975,
  flash: {
    sizes: [2 * mebibyte],
    layout: [{ count: 16, size: 128 * kibibyte }],
    banks: 2,
    erased: 0xff,
    // RM0433, section 4.3.9: words of 256 bits with one error correcting code. Hardware allows a second programming,
    // after which the word cannot be read. Here the second programming is refused.
    unit: 32,
    burst: 32,
    rewrite: 'refused',
    alignment: 8,
    // At a parallelism of 32 bits.
    times: { program: 0.13, erase: { [128 * kibibyte]: 1_100 }, massErase: 6_000 },
    // At a parallelism of 8 bits.
    slowest: { program: 0.58, erase: { [128 * kibibyte]: 4_000 }, massErase: 26_000 },
  },
  ram: [
    { start: 0x2000_4100, length: 128 * kibibyte - 0x4100 },
    { start: 0x2400_5000, length: 512 * kibibyte - 0x5000 },
  ],
  systemMemory: { start: 0x1ff0_0000, length: 122 * kibibyte },
  otp: null,
  dataMemory: null,
  options: {
    // RM0433, section 4.9: registers from FLASH_OPTSR_CUR on; RDP in its second byte, WPSN of the first bank. The
    // second bank's registers are beyond the range that the bootloader shows.
    ranges: [{ start: 0x5200_201c, length: 128 }],
    complement: 'none',
    values: [
      [0, 0xf0],
      [1, 0xaa],
      [2, 0xc6],
      [3, 0x13],
    ],
    protection: { offset: 1, none: 0xaa },
    writeProtection: { kind: 'bits', pages: 1, offsets: [0x1c], protectedBit: 0 },
    // RM0433, section 4.4.3: option bytes can change while the part runs.
    restarts: false,
  },
  // RM0433, sections 61.1 and 61.2.
  sizeRegister: 0x1ff1_e880,
  uniqueId: [0x1ff1_e800, 0x1ff1_e804, 0x1ff1_e808],
  identityStarts: true,
  eraseCommand: 0x44,
  massErase: true,
  doubleNack: false,
  emptyCheck: false,
  voltageRange: false,
  usb: {
    alternates: ['@Internal Flash   /0x08000000/16*128Kg', '@Option Bytes   /0x5200201C/01*128 e'],
    transferSize: 1_024,
    release: 0x0200,
  },
};
