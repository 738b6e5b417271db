/**
 * Receives files by XMODEM and YMODEM (Forsberg, "XMODEM/YMODEM Protocol Reference", chapters 4, 5 and 7). Blocks that
 * come twice are acknowledged and not stored. The first EOT is refused and the second one acknowledged, because
 * a damaged byte may look like the first.
 */
import { ACK, type CheckKind, NAK, type ReceivedBlock, readBlock, SOH, WANT_CRC } from './block.ts';
import { decodeFileFacts } from './file-facts.ts';
import { TransferEnd } from './transfer-end.ts';
import { Receiving, type TransferSession } from './transfer-session.ts';
import type { FileOffer, FileStore } from './transfer-types.ts';

/** Interval of the requests before the first block, in milliseconds. */
const REQUEST_INTERVAL = 3_000;
/** Requests with `C` before an XMODEM receiver falls back to NAK and checksums (chapter 7.3.1). */
const CRC_REQUESTS = 4;
/** Requests before the receiver gives up: one minute. */
const MAX_REQUESTS = 20;
/** Longest wait for a block, in milliseconds (chapter 4.3.2). */
const BLOCK_LIMIT = 10_000;
/** Damaged or missing blocks in a row before the transfer ends. */
const MAX_ERRORS = 10;
/** After the end of a batch: a sender that missed the acknowledgement sends again within this time, in milliseconds. */
const LINGER = 500;

/** @param name Name for the file: XMODEM sends none. */
export async function receiveXmodem(session: TransferSession, store: FileStore, name: string): Promise<void> {
  const offer: FileOffer = { name, size: null, modified: null };
  const { block, check } = await firstBlock(session, 'x');
  const file = await Receiving.open(session, store, offer);
  if (file === null) {
    throw new TransferEnd('cancelled');
  }
  await receiveData(session, file, block, check);
}

export async function receiveYmodem(session: TransferSession, store: FileStore): Promise<void> {
  for (;;) {
    const offer = await announcement(session);
    if (offer === null) {
      await lingerForRepeat(session);
      return;
    }
    const file = await Receiving.open(session, store, offer);
    if (file === null) {
      throw new TransferEnd('cancelled');
    }
    await session.write(Uint8Array.of(ACK));
    const { block, check } = await firstBlock(session, 'y-data');
    await receiveData(session, file, block, check);
  }
}

/** Waits for block 0. Returns null for the end of the batch, which is acknowledged already. */
async function announcement(session: TransferSession): Promise<FileOffer | null> {
  for (let tries = 0; tries < MAX_ERRORS; tries++) {
    const { block } = await firstBlock(session, 'y-name');
    if (block.kind === 'block' && block.number === 0) {
      const offer = decodeFileFacts(block.data);
      if (offer === null) {
        await session.write(Uint8Array.of(ACK));
      }
      return offer;
    }
    // The sender missed the last acknowledgement, of EOT or of a block.
    await session.write(Uint8Array.of(ACK));
  }
  throw new TransferEnd('out-of-step');
}

type Awaited = 'x' | 'y-name' | 'y-data';

interface FirstBlock {
  readonly block: Exclude<ReceivedBlock, { kind: 'bad' | 'silence' }>;
  readonly check: CheckKind;
}

/** Asks for a block until one arrives. An XMODEM receiver asks for a CRC first, then for checksums. */
async function firstBlock(session: TransferSession, awaited: Awaited): Promise<FirstBlock> {
  let errors = 0;
  for (let requests = 0; requests < MAX_REQUESTS; requests++) {
    const check: CheckKind = awaited === 'x' && requests >= CRC_REQUESTS ? 'checksum' : 'crc';
    await session.write(Uint8Array.of(check === 'crc' ? WANT_CRC : NAK));
    let block = await readBlock(session, REQUEST_INTERVAL, check);
    while (block.kind === 'bad' && errors < MAX_ERRORS) {
      errors++;
      session.repeats++;
      await session.write(Uint8Array.of(NAK));
      block = await readBlock(session, BLOCK_LIMIT, check);
    }
    if (block.kind === 'bad') {
      throw new TransferEnd('too-many-errors');
    }
    if (awaited === 'y-data' && block.kind === 'block' && block.number === 0) {
      // The acknowledgement of block 0 was lost.
      session.repeats++;
      await session.write(Uint8Array.of(ACK));
    } else if (block.kind !== 'silence') {
      return { block, check };
    }
  }
  throw new TransferEnd('no-answer');
}

async function receiveData(
  session: TransferSession,
  file: Receiving,
  first: FirstBlock['block'],
  check: CheckKind,
): Promise<void> {
  try {
    await receiveUntilEnd(session, file, first, check);
  } catch (error) {
    await file.close('partial');
    throw error;
  }
  await file.close('complete');
}

async function receiveUntilEnd(
  session: TransferSession,
  file: Receiving,
  first: FirstBlock['block'],
  check: CheckKind,
): Promise<void> {
  const { size } = file.offer;
  let expected = 1;
  let errors = 0;
  let ends = 0;
  const limit = BLOCK_LIMIT + 1_029 * session.byteTime;
  for (let block: ReceivedBlock = first; ; block = await readBlock(session, limit, check)) {
    let answer = ACK;
    if (block.kind === 'end') {
      ends++;
      if (ends === 2) {
        await session.write(Uint8Array.of(ACK));
        return;
      }
      answer = NAK;
    } else if (block.kind !== 'block') {
      errors++;
      session.repeats++;
      if (errors === MAX_ERRORS) {
        throw new TransferEnd(block.kind === 'silence' ? 'no-answer' : 'too-many-errors');
      }
      answer = NAK;
    } else if (block.number === (expected & 0xff)) {
      // The padding of the last block is not part of the file.
      const room = size === null ? block.data.length : Math.max(0, size - file.bytes);
      await file.write(block.data.subarray(0, room));
      expected++;
      errors = 0;
      ends = 0;
    } else if (block.number === ((expected - 1) & 0xff)) {
      session.repeats++;
    } else {
      throw new TransferEnd('out-of-step');
    }
    await session.write(Uint8Array.of(answer));
  }
}

/** Acknowledges the end of the batch again if the sender repeats it. Other bytes stay for the log. */
async function lingerForRepeat(session: TransferSession): Promise<void> {
  const { reader } = session;
  while ((await reader.more(LINGER)) && reader.peek() === SOH) {
    const block = await readBlock(session, LINGER, 'crc');
    if (block.kind !== 'block') {
      return;
    }
    await session.write(Uint8Array.of(ACK));
  }
}
