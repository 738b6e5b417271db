/**
 * Decides which bytes of a plan the chip encrypts: the bootloader, the partition table, apps, OTA data, keys of NVS, and
 * partitions with the flag `encrypted` (ESP-IDF, "Flash Encryption", section "Encrypted Partitions"). Everything else is
 * plain on an encrypted board too.
 */
import { endOf, overlapOf, without } from '../../core/ranges.ts';
import type { FlashRange } from '../../core/region.ts';
import { type Partition, tableSectorSize } from '../images/partition-table.ts';
import { isApp, isOtaData, subtypeName } from '../images/partition-types.ts';
import type { TableInPlace } from './check-table.ts';
import type { Piece } from './kept-settings.ts';
import type { KnownFile } from './known-file.ts';
import { rangeOfPartition } from './placed-part.ts';

export interface EncryptablePiece extends Piece {
  readonly encrypted?: true;
}

const encryptedParts: readonly string[] = ['app', 'bootloader', 'partition-table', 'ota-data'];

/** @param inPlace Partition table after the write; null if unknown. Then only the kind of a file decides. */
export function encryptPieces(
  pieces: readonly Piece[],
  files: readonly KnownFile[],
  inPlace: TableInPlace | null,
): EncryptablePiece[] {
  return pieces.flatMap((piece): EncryptablePiece[] => {
    const part = files.find(({ name }) => name === piece.file)?.part;
    if (part === undefined || part.kind === 'unknown') {
      // Unknown data may have been encrypted already.
      return [piece];
    }
    if (part.kind !== 'merged' && encryptedParts.includes(part.kind)) {
      return [{ ...piece, encrypted: true }];
    }
    const ranges = encryptedRanges(inPlace);
    const whole: FlashRange = { offset: piece.offset, length: piece.bytes.length };
    const inside = ranges.flatMap((range) => overlapOf(whole, range) ?? []);
    const cut = (range: FlashRange) => ({
      ...piece,
      offset: range.offset,
      bytes: piece.bytes.subarray(range.offset - piece.offset, endOf(range) - piece.offset),
    });
    return [
      ...inside.map((range): EncryptablePiece => ({ ...cut(range), encrypted: true })),
      ...without(whole, inside).map(cut),
    ].sort((one, other) => one.offset - other.offset);
  });
}

function encryptedRanges(inPlace: TableInPlace | null): FlashRange[] {
  if (inPlace === null) {
    return [];
  }
  const head = { offset: 0, length: inPlace.offset + tableSectorSize };
  return [head, ...inPlace.table.partitions.filter(isEncrypted).map(rangeOfPartition)];
}

function isEncrypted(partition: Partition): boolean {
  return partition.encrypted || isApp(partition) || isOtaData(partition) || subtypeName(partition) === 'nvs_keys';
}
