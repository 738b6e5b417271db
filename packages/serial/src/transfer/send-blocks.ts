/**
 * Sends files by XMODEM and YMODEM (Forsberg, "XMODEM/YMODEM Protocol Reference", chapters 4, 5 and 7): the receiver
 * asks, each block is acknowledged, and damaged ones are sent again.
 */
import { type CheckKind, checkSecondCancel, encodeBlock, LARGE_BLOCK, SMALL_BLOCK } from './block.ts';
import { ACK, CAN, EOT, NAK, WANT_CRC } from './control-bytes.ts';
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
/** After EOT or the last file: text that is over for this time, in milliseconds, is a prompt. */
const PROMPT_QUIET = 1_000;
/** Longest wait for a receiver's request after the last file, in milliseconds. Some end after one file. */
const LAST_REQUEST_LIMIT = 10_000;
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
  for (const file of files) {
    const check = await awaitRequest(session);
    await sendBlock(session, encodeBlock(0, encodeFileFacts(file), check, 0), true);
    await sendData(session, file, formatFor(await awaitRequest(session), true), files.length);
  }
  // Some receivers take one file and end: the batch is complete without their last request.
  const check = await nextRequest(session, LAST_REQUEST_LIMIT, PROMPT_QUIET);
  if (check !== null) {
    // A block 0 without a name ends the batch.
    await sendBlock(session, encodeBlock(0, new Uint8Array(), check, 0), true);
  }
}

/** A receiver that asks with NAK expects a checksum and blocks of 128 bytes. */
function formatFor(check: CheckKind, large: boolean): BlockFormat {
  return { check, size: large && check === 'crc' ? LARGE_BLOCK : SMALL_BLOCK };
}

/** @throws TransferEnd if the receiver does not ask within a minute. */
async function awaitRequest(session: TransferSession): Promise<CheckKind> {
  const check = await nextRequest(session, START_LIMIT);
  if (check === null) {
    throw new TransferEnd('no-answer');
  }
  return check;
}

/**
 * Waits for `C` or NAK. A letter within other text is not a request.
 *
 * @param limit Longest wait, in milliseconds.
 * @param quiet Longest wait after a byte that is no request, in milliseconds.
 * @returns Null without a request.
 */
async function nextRequest(session: TransferSession, limit: number, quiet = limit): Promise<CheckKind | null> {
  const { reader, clock } = session;
  const end = clock.now() + limit;
  let before = 0;
  for (;;) {
    const left = Math.max(0, end - clock.now());
    const byte = await reader.byte(before === 0 ? left : Math.min(left, quiet));
    if (byte === -1) {
      return null;
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
  const isEnd = block.length === 1;
  // One NAK is the usual answer to the first EOT.
  const free = isEnd ? 1 : 0;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    dropStale(session);
    await session.write(block);
    if (await isAcknowledged(session, ANSWER_LIMIT + block.length * byteTime, { isFirst, isEnd })) {
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

/** @param isEnd True: a prompt is an answer, too. All data was acknowledged, and the receiver has left. */
async function isAcknowledged(
  session: TransferSession,
  limit: number,
  { isFirst, isEnd }: { readonly isFirst: boolean; readonly isEnd: boolean },
): Promise<boolean> {
  const { reader, clock } = session;
  const end = clock.now() + limit;
  let requests = 0;
  let printed = 0;
  for (;;) {
    const left = Math.max(0, end - clock.now());
    const isPrompt = isEnd && printed > 1;
    const byte = await reader.byte(isPrompt ? Math.min(left, PROMPT_QUIET) : left);
    printed += isText(byte) ? 1 : 0;
    switch (byte) {
      case ACK:
        return true;
      case NAK:
        return false;
      case -1:
        return isPrompt;
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
