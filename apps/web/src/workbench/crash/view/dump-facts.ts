/** The Espressif chip that a core dump names. */
import { type ChipName, chipFacts, chipOfId } from '@wirebench/flasher/esp/chips';
import type { CrashReport } from '@wirebench/symbols';

/** Returns the Espressif chip that a dump names; null for other dumps and unknown chips. */
export function dumpChip({ chipId }: Pick<CrashReport, 'chipId'>): ChipName | null {
  return chipId === null ? null : chipOfId(chipId);
}

/** Returns its name in the vendor's spelling; null for other dumps and unknown chips. */
export const chipLabel = (report: Pick<CrashReport, 'chipId'>): string | null => {
  const chip = dumpChip(report);
  return chip === null ? null : chipFacts[chip].label;
};
