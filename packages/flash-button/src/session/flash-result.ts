/** Returns what a finished write leaves: the detail of its event, and its receipt. */
import type { WriteReport } from '@wirebench/flasher/core';
import { sha256Hex } from '@wirebench/flasher/images';
import { makeReceipt, receiptText } from '@wirebench/flasher/receipt';
import type { WirebenchSuccessDetail } from '../public-types.ts';
import type { FlashJob } from './flash-job.ts';

export function successOf(
  { board, release, version }: FlashJob,
  { state, regions, written, same, duration }: WriteReport,
): WirebenchSuccessDetail {
  return {
    name: release.name,
    version: version.version,
    chip: board.chip,
    boardId: board.id,
    demo: board.isDemo,
    verified: state === 'complete',
    written,
    same,
    duration,
    regions: regions.map(({ offset, length, outcome, proof }) => ({ offset, length, outcome, proof })),
  };
}

export async function receiptOf({ board, release, version, files }: FlashJob, report: WriteReport): Promise<string> {
  const hashed = await Promise.all(
    files.map(async ({ file, bytes }) => ({
      name: file.name,
      address: file.offset,
      size: bytes.length,
      sha256: file.sha256 ?? (await sha256Hex(bytes)),
      application: null,
    })),
  );
  return receiptText(
    makeReceipt({
      board: { name: board.chip, model: board.name, id: board.id, demo: board.isDemo },
      idName: board.idName,
      report,
      files: hashed,
      release: { name: release.name, version: version.version },
      inOrder: !board.hasAddresses,
      at: Date.now(),
    }),
  );
}

/** Returns the name of the receipt's file, such as `weather-node-1.4.0-24-0a-c4-00-01-10-receipt.txt`. */
export function receiptFileName({ release, version, board }: FlashJob): string {
  const name = [release.name, version.version, board.id ?? board.chip]
    .join('-')
    .toLowerCase()
    .replaceAll(/[^a-z\d.]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  return `${name}-receipt.txt`;
}
