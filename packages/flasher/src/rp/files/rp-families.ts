/** UF2 families of RP2040 and RP2350 (pico-sdk, `boot/uf2.h`), with the names that picotool gives them. */
import type { RpChip, RpCpu } from './rp-firmware.ts';

export const rpFamily = {
  rp2040: 0xe48bff56,
  absolute: 0xe48bff57,
  data: 0xe48bff58,
  armSecure: 0xe48bff59,
  riscv: 0xe48bff5a,
  armNonSecure: 0xe48bff5b,
  cyw43: 0xe48bff55,
} as const;

export interface RpFamilyRow {
  readonly id: number;
  readonly name: string;
  /** Chips that a file of this family is for. */
  readonly chips: readonly RpChip[];
  readonly cpu: RpCpu | null;
}

const both: readonly RpChip[] = ['RP2040', 'RP2350'];

const rows: readonly RpFamilyRow[] = [
  { id: rpFamily.rp2040, name: 'rp2040', chips: ['RP2040'], cpu: 'arm' },
  { id: rpFamily.absolute, name: 'absolute', chips: both, cpu: null },
  { id: rpFamily.data, name: 'data', chips: both, cpu: null },
  { id: rpFamily.armSecure, name: 'rp2350-arm-s', chips: ['RP2350'], cpu: 'arm' },
  { id: rpFamily.riscv, name: 'rp2350-riscv', chips: ['RP2350'], cpu: 'riscv' },
  { id: rpFamily.armNonSecure, name: 'rp2350-arm-ns', chips: ['RP2350'], cpu: 'arm' },
  { id: rpFamily.cyw43, name: 'cyw43-firmware', chips: ['RP2350'], cpu: null },
];

/** Returns the row of a family; null for families of other chips. */
export function rpFamilyOf(id: number | null): RpFamilyRow | null {
  return rows.find((row) => row.id === id) ?? null;
}

/** Names a family as picotool does: `rp2040`, or the number of an unknown one. */
export function rpFamilyName(id: number): string {
  return rpFamilyOf(id)?.name ?? hexText(id);
}

/** Formats a number as picotool does, with lower-case digits: `0x10000140`. */
export function hexText(value: number | bigint, digits = 8): string {
  return `0x${value.toString(16).padStart(digits, '0')}`;
}
