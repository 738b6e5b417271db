/** Facts of a core dump apart from its tasks: chip, checksum, program. */
import { chipFacts } from '@wirebench/flasher/espressif/chips';
import type { CrashReport } from '@wirebench/symbols';
import type { ListedDump } from '../symbol-files.ts';

const checksumTexts = { crc32: 'checksum correct (CRC-32)', sha256: 'checksum correct (SHA-256)' };

const machineNames = {
  xtensa: 'an Xtensa chip',
  riscv: 'a RISC-V chip',
  arm: 'an ARM chip',
} satisfies Record<CrashReport['machine'], string>;

/** Returns the chip in the vendor's spelling, or the architecture or id if the chip is unknown. */
export function chipName({ chipId, machine }: Pick<CrashReport, 'chipId' | 'machine'>): string {
  const chip = chipId === null ? undefined : Object.values(chipFacts).find(({ imageChipId }) => imageChipId === chipId);
  return chip?.label ?? machineNames[machine];
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
