/**
 * Blocks of XMODEM and YMODEM (Forsberg, "XMODEM/YMODEM Protocol Reference", chapters 3 to 7): a start byte that names
 * the size, the number and its complement, the data, a checksum or a CRC-16.
 */
import { CAN, EOT, PADDING, SOH, STX } from './control-bytes.ts';
import { crc16 } from './crc.ts';
import { isText } from './next-is.ts';
import { TransferEnd } from './transfer-end.ts';
import type { TransferSession } from './transfer-session.ts';

export const SMALL_BLOCK = 128;
export const LARGE_BLOCK = 1_024;

/** Longest time within a block without a byte, in milliseconds (chapter 7.2: one second). */
const GAP = 1_000;
/** After a damaged block: the line is quiet when nothing has come for this time, in milliseconds. */
const QUIET = 1_000;
/** Longest wait for that quiet, in milliseconds: a board that prints without an end. */
const QUIET_LIMIT = 15_000;

export type CheckKind = 'checksum' | 'crc';

/** @param data Up to 128 or 1,024 bytes; a shorter block is filled with `filler`. */
export function encodeBlock(number: number, data: Uint8Array, check: CheckKind, filler = PADDING): Uint8Array {
  const size = data.length > SMALL_BLOCK ? LARGE_BLOCK : SMALL_BLOCK;
  const block = new Uint8Array(3 + size + (check === 'crc' ? 2 : 1));
  block[0] = size === LARGE_BLOCK ? STX : SOH;
  block[1] = number & 0xff;
  block[2] = ~number & 0xff;
  block.fill(filler, 3, 3 + size);
  block.set(data, 3);
  const content = block.subarray(3, 3 + size);
  if (check === 'crc') {
    const crc = crc16(content);
    block[3 + size] = crc >> 8;
    block[4 + size] = crc & 0xff;
  } else {
    block[3 + size] = checksum(content);
  }
  return block;
}

function checksum(bytes: Uint8Array): number {
  return bytes.reduce((sum, byte) => (sum + byte) & 0xff, 0);
}

export type ReceivedBlock =
  | { readonly kind: 'block'; readonly number: number; readonly data: Uint8Array }
  | { readonly kind: 'end' }
  /** Damaged, and the line is quiet again. Also an EOT that is the start byte of a damaged block. */
  | { readonly kind: 'bad' }
  | { readonly kind: 'silence' };

/**
 * Reads the next block. Bytes that start none are skipped.
 *
 * @param limit Longest wait for its start, in milliseconds.
 * @throws TransferEnd if the sender cancels.
 */
export async function readBlock(session: TransferSession, limit: number, check: CheckKind): Promise<ReceivedBlock> {
  const { reader, clock } = session;
  const end = clock.now() + limit;
  for (;;) {
    const byte = await reader.byte(Math.max(0, end - clock.now()));
    switch (byte) {
      case -1:
        return { kind: 'silence' };
      case EOT:
        if (isWithinBlock(reader.ahead())) {
          await reader.drain(QUIET, QUIET_LIMIT);
          return { kind: 'bad' };
        }
        return { kind: 'end' };
      case CAN:
        await checkSecondCancel(session);
        break;
      case SOH:
      case STX:
        return await readRest(session, byte === STX ? LARGE_BLOCK : SMALL_BLOCK, check);
      default:
    }
  }
}

/** Returns true for bytes that a sender begins with: a block, the end of a file, a cancel. */
export const beginsBlock = (byte: number) => byte === SOH || byte === STX || byte === EOT || byte === CAN;

/**
 * Returns true for bytes behind an EOT that show it to be the damaged start byte of a block: a number with its
 * complement, or anything else than text. A sender waits for the answer to a real EOT.
 */
function isWithinBlock(ahead: Uint8Array): boolean {
  const [first, second] = ahead;
  if (first === undefined) {
    return false;
  }
  const isNumber = second !== undefined && first + second === 0xff;
  return isNumber || (!beginsBlock(first) && !isText(ahead));
}

/** Called after a CAN. Two in a row cancel the transfer; a single one may be a damaged byte. */
export async function checkSecondCancel({ reader }: TransferSession): Promise<void> {
  if ((await reader.more(GAP)) && reader.peek() === CAN) {
    throw new TransferEnd('peer-cancelled');
  }
}

async function readRest(session: TransferSession, size: number, check: CheckKind): Promise<ReceivedBlock> {
  const { reader } = session;
  const tail = check === 'crc' ? 2 : 1;
  const bytes = await reader.exactly(2 + size + tail, GAP);
  if (bytes === null) {
    return { kind: 'bad' };
  }
  const [number = 0, complement = 0] = bytes;
  const data = bytes.subarray(2, 2 + size);
  const [first = 0, second = 0] = bytes.subarray(2 + size);
  const isIntact = check === 'crc' ? crc16(data) === ((first << 8) | second) : checksum(data) === first;
  if (number + complement !== 0xff || !isIntact) {
    await reader.drain(QUIET, QUIET_LIMIT);
    return { kind: 'bad' };
  }
  return { kind: 'block', number, data };
}
