/**
 * Sends files by XMODEM and YMODEM (Forsberg, "XMODEM/YMODEM Protocol Reference", chapters 4, 5 and 7): the receiver
 * asks, each block is acknowledged, and damaged ones are sent again.
 */
import {
  ACK,
  CAN,
  type CheckKind,
  checkSecondCancel,
  EOT,
  encodeBlock,
  LARGE_BLOCK,
  NAK,
  SMALL_BLOCK,
  WANT_CRC,
} from './block.ts';
import { encodeFileFacts } from './file-facts.ts';
import { TransferEnd } from './transfer-end.ts';
import { FileWindow, type TransferSession } from './transfer-session.ts';
import type { OutgoingFile } from './transfer-types.ts';

/** Longest wait for the receiver's first request, in milliseconds (chapter 4.3.1: a minute). */
const START_LIMIT = 60_000;
/**
 * Longest wait for the answer to a block, in milliseconds. Receivers answer with NAK after ten seconds of silence; with
 * the same limit here, the repeated block and the NAK would cross each time.
 */
const ANSWER_LIMIT = 15_000;
/** Number of times that a block is sent before the transfer ends (chapter 4.3.1: ten). */
const MAX_TRIES = 10;
/** After a repeated block: a late second acknowledgement arrives within this time, in milliseconds. */
const LATE_ANSWER = 200;

interface BlockFormat {
  readonly check: CheckKind;
  readonly size: number;
}

/** @param large True: blocks of 1,024 bytes, if the receiver asks for a CRC. */
export async function sendXmodem(session: TransferSession, file: OutgoingFile, large: boolean): Promise<void> {
  const format = formatFor(await awaitRequest(session), large);
  await sendData(session, file, format, null);
}

export async function sendYmodem(session: TransferSession, files: readonly OutgoingFile[]): Promise<void> {
  let check = await awaitRequest(session);
  for (const file of files) {
    await sendBlock(session, encodeBlock(0, encodeFileFacts(file), check, 0), true);
    check = await awaitRequest(session);
    await sendData(session, file, formatFor(check, true), files.length);
    check = await awaitRequest(session);
  }
  // A block 0 without a name ends the batch.
  await sendBlock(session, encodeBlock(0, new Uint8Array(), check, 0), true);
}

/** A receiver that asks with NAK expects a checksum and blocks of 128 bytes. */
function formatFor(check: CheckKind, large: boolean): BlockFormat {
  return { check, size: large && check === 'crc' ? LARGE_BLOCK : SMALL_BLOCK };
}

/** Waits for `C` or NAK. A letter within other text is not a request. */
async function awaitRequest(session: TransferSession): Promise<CheckKind> {
  const { reader, clock } = session;
  const end = clock.now() + START_LIMIT;
  let before = 0;
  for (;;) {
    const byte = await reader.byte(Math.max(0, end - clock.now()));
    if (byte === -1) {
      throw new TransferEnd('no-answer');
    }
    if (byte === CAN) {
      await checkSecondCancel(session);
    } else if (reader.buffered === 0 && byte === NAK) {
      return 'checksum';
    } else if (reader.buffered === 0 && byte === WANT_CRC && !isText(before)) {
      return 'crc';
    }
    before = byte;
  }
}

/** Printable characters except the request itself, which is repeated. */
function isText(byte: number): boolean {
  return byte >= 0x20 && byte < 0x7f && byte !== WANT_CRC;
}

async function sendData(
  session: TransferSession,
  file: OutgoingFile,
  { check, size }: BlockFormat,
  count: number | null,
): Promise<void> {
  const progress = session.track(file.name, file.size, count);
  const source = new FileWindow(file);
  const report = (state: 'complete' | 'partial') =>
    session.files.push({ name: file.name, bytes: progress.position, from: 0, state });
  try {
    for (let number = 1; progress.position < file.size; number++) {
      const left = file.size - progress.position;
      // The tail goes in small blocks if they are fewer bytes than a large one.
      const length = left > LARGE_BLOCK - SMALL_BLOCK ? size : SMALL_BLOCK;
      const data = await source.read(progress.position, length);
      await sendBlock(session, encodeBlock(number, data, check), number === 1);
      progress.moveTo(progress.position + data.length);
    }
    await sendBlock(session, Uint8Array.of(EOT), false);
  } catch (error) {
    report('partial');
    throw error;
  }
  report('complete');
}

/**
 * Sends a block, or EOT, until it is acknowledged.
 *
 * @param isFirst True: the receiver may still repeat its request, and does so instead of a NAK.
 */
async function sendBlock(session: TransferSession, block: Uint8Array, isFirst: boolean): Promise<void> {
  const { reader, byteTime } = session;
  // One NAK is the usual answer to the first EOT.
  const free = block.length === 1 ? 1 : 0;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    dropStale(session);
    await session.write(block);
    if (await isAcknowledged(session, ANSWER_LIMIT + block.length * byteTime, isFirst)) {
      if (tries > free) {
        await reader.more(LATE_ANSWER);
        if (reader.peek() === ACK) {
          reader.next();
        }
      }
      return;
    }
    if (tries >= free) {
      session.repeats++;
    }
  }
  throw new TransferEnd('too-many-errors');
}

/** Drops answers to earlier blocks: the receiver has nothing to say until it has this one. A cancel stays. */
function dropStale({ reader }: TransferSession): void {
  while (reader.buffered > 0 && reader.peek() !== CAN) {
    reader.next();
  }
}

async function isAcknowledged(session: TransferSession, limit: number, isFirst: boolean): Promise<boolean> {
  const { reader, clock } = session;
  const end = clock.now() + limit;
  let requests = 0;
  for (;;) {
    switch (await reader.byte(Math.max(0, end - clock.now()))) {
      case ACK:
        return true;
      case NAK:
      case -1:
        return false;
      case CAN:
        await checkSecondCancel(session);
        break;
      case WANT_CRC:
        // The first may have crossed the block. A second one says that the block did not arrive.
        requests++;
        if (isFirst && requests === 2) {
          return false;
        }
        break;
      default:
    }
  }
}
