/**
 * The order in which the bootloader tries the apps of a board (ESP-IDF, `bootloader_utility.c`,
 * `bootloader_utility_get_selected_boot_partition` and `bootloader_utility_load_boot_image`). Test apps that a pin selects
 * are left out.
 */
import { type OtaEntries, otaSlotOfSequence, selectOtaEntry } from './ota-data.ts';
import type { Partition } from './partition-table.ts';
import { isApp, isFactoryApp, isOtaData, isTestApp, otaSlotOf } from './partition-types.ts';

/** Least size of OTA data in bytes. With less, the bootloader starts nothing. */
const OTA_DATA_SIZE = 0x2000;

export interface BootOrderInput {
  readonly partitions: readonly Partition[];
  /** Contents of the OTA data; without effect if the table has none. */
  readonly entries: OtaEntries;
  /** False: a bootloader without rollback, which starts an app of the state `pending` again. Default: true. */
  readonly rollback?: boolean;
}

/** Returns the app partitions in the order in which the bootloader tries them: the first with an intact app starts. */
export function bootOrder({ partitions, entries, rollback = true }: BootOrderInput): Partition[] {
  const apps = partitions.filter(isApp);
  // The bootloader keeps the last of several entries for one place.
  const factory = apps.findLast(isFactoryApp) ?? null;
  const count = apps.filter((app) => otaSlotOf(app) !== null).length;
  const slots = Array.from({ length: count }, (_, slot) => apps.findLast((app) => otaSlotOf(app) === slot) ?? null);
  const otaData = partitions.findLast(isOtaData);
  if (otaData !== undefined && otaData.size < OTA_DATA_SIZE) {
    return [];
  }
  const first = otaData === undefined ? null : firstSlot(entries, { count, hasFactory: factory !== null, rollback });
  const below = first === null ? [] : slots.slice(0, first + 1).reverse();
  const above = slots.slice(first === null ? 0 : first + 1);
  const test = apps.findLast(isTestApp) ?? null;
  return [...below, factory, ...above, test].filter((one) => one !== null);
}

/** Returns the slot that is tried first; null for the factory app, or its empty place. */
function firstSlot(
  entries: OtaEntries,
  { count, hasFactory, rollback }: { readonly count: number; readonly hasFactory: boolean; readonly rollback: boolean },
): number | null {
  const selected = selectOtaEntry(entries, rollback);
  if (selected === 'none' || count === 0) {
    return hasFactory ? null : 0;
  }
  return selected === 'damaged' ? null : otaSlotOfSequence(selected.entry.sequence, count);
}
