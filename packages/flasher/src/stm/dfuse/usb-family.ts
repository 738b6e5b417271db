/**
 * Possible families of a USB bootloader. It reports no product ID, but the address of its option bytes (AN2606, "DFU
 * bootloader", descriptors of each product; the reference manuals' option byte addresses).
 */
import type { StmFamilyName } from '../parts/families.ts';
import type { StmModel } from '../parts/model.ts';

export interface UsbFamily {
  readonly name: string;
  /** Null if several families have the same address. */
  readonly family: StmFamilyName | null;
  readonly model: StmModel | null;
  /** Family whose option byte layout applies; null if uncertain. */
  readonly options: StmFamilyName | null;
  readonly erasedValue: number;
}

const usual = { family: null, options: null, erasedValue: 0xff } as const;

const byOptionBytes: ReadonlyMap<number, UsbFamily> = new Map<number, UsbFamily>([
  [0x1fff_f800, { ...usual, name: 'STM32F0, F1 or F3', model: 'stm32f' }],
  [0x1fff_c000, { ...usual, name: 'STM32F2 or F4', model: 'stm32f', options: 'F4' }],
  [0x1fff_0000, { ...usual, name: 'STM32F7', family: 'F7', model: 'stm32f', options: 'F7' }],
  [0x1fff_7800, { ...usual, name: 'STM32G0, G4, L4 or WB1x', model: null }],
  [0x1ff0_0000, { ...usual, name: 'STM32L4+', family: 'L4', model: 'stm32l', options: 'L4' }],
  [0x1ff8_0000, { ...usual, name: 'STM32L0 or L1', model: 'stm32l', options: 'L1', erasedValue: 0x00 }],
  [0x1fff_8000, { ...usual, name: 'STM32WB', family: 'WB', model: 'stm32w', options: 'WB' }],
  [0x5200_201c, { ...usual, name: 'STM32H7', family: 'H7', model: 'stm32h' }],
]);

const unknown: UsbFamily = { ...usual, name: 'STM32', model: null };

/** @param optionBytes Address of the option bytes; null if no alternate setting has them. */
export function usbFamilyOf(optionBytes: number | null): UsbFamily {
  return (optionBytes === null ? undefined : byOptionBytes.get(optionBytes)) ?? unknown;
}
