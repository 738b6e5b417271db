/** Facts of a core dump apart from its tasks: chip, checksum, program. */
import { type ChipName, chipFacts, chipOfId } from '@wirebench/flasher/espressif/chips';
import type { CrashReport } from '@wirebench/symbols';
import type { ListedDump } from '../symbol-files.ts';

const checksumTexts = { crc32: 'checksum correct (CRC-32)', sha256: 'checksum correct (SHA-256)' };

const machineNames = {
  xtensa: 'an Xtensa chip',
  riscv: 'a RISC-V chip',
  arm: 'an ARM chip',
} satisfies Record<CrashReport['machine'], string>;

/** Returns the Espressif chip that a dump names; null for other dumps and unknown chips. */
export function dumpChip({ chipId }: Pick<CrashReport, 'chipId'>): ChipName | null {
  return chipId === null ? null : chipOfId(chipId);
}

/** Returns the chip in the vendor's spelling, or the architecture if the chip is unknown. */
export function chipName({ chipId, machine }: Pick<CrashReport, 'chipId' | 'machine'>): string {
  const chip = dumpChip({ chipId });
  return chip === null ? machineNames[machine] : chipFacts[chip].label;
}

export function factsOf(report: CrashReport, { name }: Pick<ListedDump, 'name'>): string[] {
  const { chipRevision, checksum, appHash } = report;
  const revision = chipRevision === null ? '' : ` revision ${Math.floor(chipRevision / 100)}.${chipRevision % 100}`;
  return [
    name,
    `${chipName(report)}${revision}`,
    checksum === null ? 'no checksum' : checksumTexts[checksum],
    ...(appHash === null ? [] : [`ELF file ${appHash}`]),
  ];
}
