/** Typical boards and files for plans. Each test changes what it is about. */
import { readPartitionTable } from '../images/partition-table.ts';
import type { EspPlan, EspPlanBoard, EspPlanFile, EspPlanInput } from '../plan/esp-plan-types.ts';
import { planEsp } from '../plan/plan-esp.ts';
import { buildTable, factoryLayout } from './esp-data.ts';
import { buildApp, buildBootloader, buildMerged } from './esp-images.ts';

export const MIB = 1_048_576;

type Info = EspPlanBoard['info'];

/** Returns an ESP32 of revision 3.1 with 4 MiB of flash and ESP-IDF's default table. */
export function board({
  info,
  ...changes
}: Partial<Omit<EspPlanBoard, 'info'>> & { info?: Partial<Info> } = {}): EspPlanBoard {
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

export function file(name: string, offset: number, bytes: Uint8Array): EspPlanFile {
  return { name, offset, bytes };
}

export const wholeBuild: readonly EspPlanFile[] = [
  file('bootloader.bin', 0x1000, buildBootloader()),
  file('partitions.bin', 0x8000, buildTable(factoryLayout)),
  file('app.bin', 0x10000, buildApp({ size: 300_000 })),
];

/** A merged image that begins at offset 0. */
export const merged = buildMerged([
  [0x1000, buildBootloader()],
  [0x8000, buildTable(factoryLayout)],
  [0x10000, buildApp()],
]);

/** Makes a plan with regions of 128 KiB. */
export function plan(input: Partial<EspPlanInput>): Promise<EspPlan> {
  return planEsp({ files: wholeBuild, board: board(), regionSize: 131_072, ...input });
}

/** Returns the codes of refusals, then those of warnings. */
export function codesOf({ refusals, warnings }: EspPlan): string[][] {
  return [refusals, warnings].map((some) => some.map(({ code }) => code));
}

export function sentencesOf({ refusals }: EspPlan): string[] {
  return refusals.map(({ what }) => what);
}
