/** STM32L053. Reference manual RM0367, data sheet DS10152. */
import { kibibyte, type StmPart } from './part.ts';

export const stm32l053: StmPart = {
  title: 'STM32L053',
  productId: 0x417,
  protocol: 0x31,
  bootloaderId: { address: 0x1ff0_0ffe, value: 0xc0 },
  startup: 0.22,
  flash: {
    sizes: [64 * kibibyte, 32 * kibibyte],
    layout: [{ count: 512, size: 128 }],
    banks: 1,
    // RM0367, section 3.3.4: erased is 0; words; NOTZEROERR if one is not 0. A half page takes as long as a word.
    erased: 0x00,
    unit: 4,
    burst: 64,
    rewrite: 'refused',
    alignment: 8,
    times: { program: 3.28, erase: { 128: 3.28 }, massErase: 3.28 },
    slowest: { program: 3.94, erase: { 128: 3.94 }, massErase: 3.94 },
  },
  ram: [{ start: 0x2000_1000, length: 4 * kibibyte }],
  systemMemory: { start: 0x1ff0_0000, length: 4 * kibibyte },
  otp: null,
  dataMemory: { start: 0x0808_0000, length: 2 * kibibyte },
  options: {
    // RM0367, section 3.8: half-words followed by their complement; RDP, then BOR and user, then WRP.
    ranges: [{ start: 0x1ff8_0000, length: 32 }],
    complement: 2,
    values: [
      [0, 0xaa],
      [1, 0x00],
      [4, 0x70],
      [5, 0x80],
      [8, 0x00],
      [9, 0x00],
      [12, 0x00],
      [13, 0x00],
      [16, 0x00],
      [17, 0x00],
    ],
    protection: { offset: 0, none: 0xaa },
    writeProtection: { kind: 'bits', pages: 32, offsets: [8, 9], protectedBit: 1 },
    restarts: true,
  },
  // RM0367, sections 33.1 and 33.2: the third word of the unique ID is elsewhere.
  sizeRegister: 0x1ff8_007c,
  uniqueId: [0x1ff8_0050, 0x1ff8_0054, 0x1ff8_0064],
  identityStarts: false,
  eraseCommand: 0x44,
  // AN2606 mentions parts without mass erase (section 4.4). stm32flash treats this part as one of them (F_NO_ME).
  massErase: false,
  doubleNack: false,
  emptyCheck: false,
  voltageRange: false,
  usb: null,
};
