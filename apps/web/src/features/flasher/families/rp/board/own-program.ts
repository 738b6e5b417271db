/** Reads the program on a board as far as its binary info reaches, and names its partitions. Both in the words of picotool. */
import { inspectRpFile, partitionFields, type RpFileInfo } from '@wirebench/flasher/rp';
import type { PortNumber } from '@wirebench/serial';
import type { FileSection } from '../../../../../protocol/flash-protocol.ts';
import type { RpFacts } from '../../../../../protocol/rp-types.ts';
import { readParts } from '../../../store/contents-actions.ts';

/** Bytes that are read at first. Small programs are smaller. */
const FIRST = 65_536;

/**
 * Returns the sections of the program in flash; none if it says nothing. Null if the read was stopped or has failed.
 */
export async function readOwnProgram(port: PortNumber, { flash }: RpFacts): Promise<readonly FileSection[] | null> {
  const size = flash.size ?? 0;
  const info = await readParts(port, 'Reading the program', async (read) => {
    const head = await read({ offset: flash.start, length: Math.min(FIRST, size) });
    const first = await inspectRpFile('flash.bin', head);
    const end = endOf(first);
    const length = end === null ? 0 : Math.min(Math.ceil((end - flash.start) / 256) * 256, size);
    return length <= head.length ? first : inspectRpFile('flash.bin', await read({ offset: flash.start, length }));
  });
  return info === null ? null : info.programs.flatMap(({ sections }) => sections);
}

/** @returns the rows of `picotool partition info`. */
export const partitionSections = (partitions: Parameters<typeof partitionFields>[0]): readonly FileSection[] => [
  {
    title: partitions.isNew === true ? 'Partition table, used from the next start' : 'Partition table',
    fields: partitionFields(partitions),
  },
];

/** Returns the address behind the program, as it states it; null if it states none. */
function endOf({ programs }: RpFileInfo): number | null {
  const fields = programs.flatMap(({ sections }) => sections.flatMap((section) => section.fields));
  const text = fields.find(({ key }) => key === 'binary end')?.values[0];
  return text === undefined ? null : Number(text);
}
