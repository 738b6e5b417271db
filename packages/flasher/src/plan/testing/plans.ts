/** Boards and files as most plans have them; each test changes what it is about. */
import { readPartitionTable } from '../../images/esp/partition-table.ts';
import { buildTable, factoryLayout } from '../../images/testing/esp-data.ts';
import { buildApp, buildBootloader, buildMerged } from '../../images/testing/esp-images.ts';
import { planFlash } from '../plan-flash.ts';
import type { FlashPlan, PlanBoard, PlanFile, PlanInput } from '../plan-types.ts';

export const MIB = 1_048_576;

type Info = PlanBoard['info'];

/** An ESP32 of revision 3.1 with 4 MiB of flash and ESP-IDF's usual table. */
export function board({
  info,
  ...changes
}: Partial<Omit<PlanBoard, 'info'>> & { info?: Partial<Info> } = {}): PlanBoard {
  return {
    info: {
      chip: 'esp32',
      model: 'ESP32-D0WD-V3',
      revision: { major: 3, minor: 1 },
      flash: flashOf(4 * MIB),
      security: { secureBoot: false, flashEncryption: false, secureDownload: false },
      ...info,
    },
    isDemo: false,
    table: readPartitionTable(buildTable(factoryLayout)),
    otaData: null,
    ...changes,
  };
}

export function flashOf(size: number | null): NonNullable<Info['flash']> {
  return { manufacturer: 0xef, manufacturerName: 'Winbond', device: 0x4016, size };
}

export function file(name: string, offset: number, bytes: Uint8Array): PlanFile {
  return { name, offset, bytes };
}

export const wholeBuild: readonly PlanFile[] = [
  file('bootloader.bin', 0x1000, buildBootloader()),
  file('partitions.bin', 0x8000, buildTable(factoryLayout)),
  file('app.bin', 0x10000, buildApp({ size: 300_000 })),
];

/** Begins at 0. */
export const merged = buildMerged([
  [0x1000, buildBootloader()],
  [0x8000, buildTable(factoryLayout)],
  [0x10000, buildApp()],
]);

/** In regions of 128 KiB. */
export function plan(input: Partial<PlanInput>): Promise<FlashPlan> {
  return planFlash({ files: wholeBuild, board: board(), regionSize: 131_072, ...input });
}

/** Of refusals, then of warnings. */
export function codesOf({ refusals, warnings }: FlashPlan): string[][] {
  return [refusals, warnings].map((some) => some.map(({ code }) => code));
}

export function sentencesOf({ refusals }: FlashPlan): string[] {
  return refusals.map(({ what }) => what);
}
