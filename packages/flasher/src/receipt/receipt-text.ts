/** Text of a receipt, to copy or to save. */
import type { RegionProof } from '../core/board.ts';
import { addressText } from '../core/bytes.ts';
import { durationText } from '../core/durations.ts';
import { proofNames } from './proof-names.ts';
import { type Receipt, receiptTitle } from './receipt.ts';

/** Formats a receipt as text to copy or save. */
export function receiptText(receipt: Receipt): string {
  const { at, chip, model, idName, id, demo, files, regions, written, same, duration } = receipt;
  const place = (offset: number) => (receipt.inOrder ? `image ${offset + 1}` : addressText(offset));
  const lines = [
    'Wirebench flash receipt',
    `time     ${at}`,
    `board    ${chip}${model === null ? '' : ` (${model})`}${demo ? ', demo board' : ''}`,
    `${idName.toLowerCase().padEnd(8)} ${id ?? 'unknown'}`,
    `firmware ${receiptTitle(receipt)}`,
    `result   ${resultText(receipt)}`,
    `bytes    ${written} written, ${same} there already, in ${durationText(duration)}`,
    ...files.map(
      ({ name, offset, size, sha256 }) =>
        `file     ${place(offset)} ${size} bytes ${name}\n         ${sha256 === '' ? 'no SHA-256' : `SHA-256 ${sha256}`}`,
    ),
    ...regions.map(({ offset, length, proof }) => `flash    ${place(offset)} ${length} bytes ${proofText(proof)}`),
  ];
  return `${lines.join('\n')}\n`;
}

function resultText({ state, written }: Receipt): string {
  const done = written === 0 ? 'already there' : 'written';
  return state === 'complete' ? `${done} and verified` : `${done}, not verified`;
}

function proofText(proof: RegionProof | null): string {
  return proof === null ? 'no hash' : `${proofNames[proof.kind]} ${proof.value}`;
}
