/**
 * Determines the app that starts after the write, by the rules of the bootloader. With OTA slots, OTA data select one of
 * them: a new app in another slot is written correctly but never runs.
 */
import type { BoardChange } from '../../core/board-change.ts';
import type { NamedRange } from '../../core/flash-plan.ts';
import { inSectors } from '../../core/ranges.ts';
import { chooseOtaSlot, erasedOtaData, otaEntriesAfterStart } from '../images/ota-data.ts';
import type { Partition } from '../images/partition-table.ts';
import { otaSlotOf } from '../images/partition-types.ts';
import type { EspFindings } from './esp-plan-finding.ts';
import type { EspEraseChoice } from './esp-plan-types.ts';
import type { FlashAfter, OtaDataAfter } from './flash-after.ts';
import { namedRange } from './kept-settings.ts';
import { rangeOfPartition } from './placed-part.ts';

/** Changes of the OTA data so that the new app starts. */
export interface OtaDataRenewal {
  readonly erase: NamedRange | null;
  /** Carried out after the files, so that a power cut before leaves the choice from before. */
  readonly change: BoardChange | null;
}

const untouched: OtaDataRenewal = { erase: null, change: null };

/**
 * Decides what happens to the OTA data that the board keeps. Warns if another app starts and nothing may be done about it.
 * OTA data among the files, and those that a person has changed, are left as they are.
 */
export function renewOtaData(after: FlashAfter, erase: EspEraseChoice, findings: EspFindings): OtaDataRenewal {
  const { otaData, writtenApps: written } = after;
  const isOurs = otaData?.from === 'board' || otaData?.from === 'change';
  if (written.length === 0 || otaData === null || !isOurs || isCertain(after, otaData, written)) {
    return untouched;
  }
  const mayRenew = otaData.from === 'board' && erase === 'needed';
  const byDefault = after.startingApp(erasedOtaData, true);
  if (mayRenew && after.board?.canErase !== false && byDefault !== null && written.includes(byDefault)) {
    return { erase: namedRange(otaData.partition), change: null };
  }
  const change = mayRenew ? choiceOf(written, otaData, after) : null;
  if (change !== null) {
    return { erase: null, change };
  }
  findings.warn('other-app-starts', {
    found: after.startingApp(otaData.entries, true)?.name ?? '',
    partitions: written.map(({ name }) => name),
    wanted: remedyFor(otaData, erase),
  });
  return untouched;
}

function remedyFor({ from, partition }: OtaDataAfter, erase: EspEraseChoice): string {
  if (from === 'change') {
    return `Undo the change to "${partition.name}".`;
  }
  return erase === 'needed'
    ? 'Add OTA data that select it.'
    : 'Choose to erase what is needed, or add OTA data that select it.';
}

/** Returns true if one of the written apps starts with and without rollback in the bootloader, and starts again after that. */
function isCertain(after: FlashAfter, { entries }: OtaDataAfter, written: readonly Partition[]): boolean {
  const starts = [
    after.startingApp(entries, false),
    after.startingApp(entries, true),
    after.startingApp(otaEntriesAfterStart(entries), true),
  ];
  return starts.every((started) => started !== null && written.includes(started));
}

/** Returns the change that selects the written app; null if there are several, or the board cannot be changed so. */
function choiceOf(
  [app, ...others]: readonly Partition[],
  { partition, entries }: OtaDataAfter,
  { partitions, board }: FlashAfter,
): BoardChange | null {
  const slots = partitions.filter((one) => otaSlotOf(one) !== null).length;
  const slot = app === undefined || others.length > 0 ? null : otaSlotOf(app);
  if (slot === null || slot >= slots || board?.canHash === false) {
    return null;
  }
  const { sector, erase } = chooseOtaSlot(entries, slot, slots);
  if (erase !== null && board?.canErase === false) {
    return null;
  }
  return {
    name: partition.name,
    range: inSectors(rangeOfPartition(partition)),
    basis: null,
    erases: erase === null ? [] : [{ ...erase, offset: partition.offset + erase.offset }],
    writes: [{ offset: partition.offset + sector.offset, bytes: sector.bytes }],
  };
}
