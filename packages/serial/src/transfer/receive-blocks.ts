/**
 * Receives files by XMODEM and YMODEM (Forsberg, "XMODEM/YMODEM Protocol Reference", chapters 4, 5 and 7). Blocks that
 * come twice are acknowledged and not stored. The first EOT is refused and the second one acknowledged, because
 * a damaged byte may look like the first. Some senders send one EOT and print their prompt: their file is whole too.
 */
import { beginsBlock, type CheckKind, LARGE_BLOCK, type ReceivedBlock, readBlock } from './block.ts';
import { ACK, NAK, PADDING, SOH, WANT_CRC } from './control-bytes.ts';
import { decodeFileFacts } from './file-facts.ts';
import { nextIs } from './next-is.ts';
import { TransferEnd } from './transfer-end.ts';
import { Receiving, type TransferSession } from './transfer-session.ts';
import type { FileOffer, FileStore } from './transfer-types.ts';

/** Interval of the requests before the first block, in milliseconds. */
const REQUEST_INTERVAL = 3_000;
/** Requests with `C` before an XMODEM receiver falls back to NAK and checksums (chapter 7.3.1). */
const CRC_REQUESTS = 4;
/** Requests before the receiver gives up: one minute. */
const MAX_REQUESTS = 20;
/** Requests for a next file, or for the end of the batch, before the batch is over without its end. */
const NEXT_REQUESTS = 4;
/** Longest wait for the second EOT, in milliseconds. A sender repeats a refused EOT at once. */
const SECOND_END_LIMIT = 3_000;
/** Longest wait for a block, in milliseconds (chapter 4.3.2). */
const BLOCK_LIMIT = 10_000;
/** Damaged or missing blocks in a row before the transfer ends. */
const MAX_ERRORS = 10;
/** After lines of text: a sender that is still there sends its next block within this time, in milliseconds. */
const LEFT_LIMIT = 3_000;
/** Bytes of text without a block after which the board is taken to have left. */
const MAX_PRINTED = 1 << 16;
/** Most bytes of padding after the announced size that are left out. */
const MAX_PADDING = 2 * LARGE_BLOCK;
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
  const awaited = session.files.length === 0 ? 'y-name' : 'y-next';
  for (let tries = 0; tries < MAX_ERRORS; tries++) {
    const { block } = await firstBlock(session, awaited);
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

/** `y-next`: the next announcement, or the end of the batch. */
type Awaited = 'x' | 'y-name' | 'y-data' | 'y-next';

interface FirstBlock {
  readonly block: Exclude<ReceivedBlock, { kind: 'bad' | 'silence' }>;
  readonly check: CheckKind;
}

/**
 * Asks for a block until one arrives. An XMODEM receiver asks for a CRC first, then for checksums.
 *
 * @throws TransferEnd `no-batch-end` if the sender left the protocol after a file: the board prints, or is silent.
 */
async function firstBlock(session: TransferSession, awaited: Awaited): Promise<FirstBlock> {
  const isNext = awaited === 'y-next';
  let errors = 0;
  for (let requests = 0; requests < (isNext ? NEXT_REQUESTS : MAX_REQUESTS); requests++) {
    const check: CheckKind = awaited === 'x' && requests >= CRC_REQUESTS ? 'checksum' : 'crc';
    await session.write(Uint8Array.of(check === 'crc' ? WANT_CRC : NAK));
    if (isNext && (await nextIs(session, REQUEST_INTERVAL, beginsBlock)) === 'text') {
      break;
    }
    let block = await readBlock(session, isNext ? 0 : REQUEST_INTERVAL, check);
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
  throw new TransferEnd(isNext ? 'no-batch-end' : 'no-answer');
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
  const contents = new SizedContents(file);
  const limit = BLOCK_LIMIT + 1_029 * session.byteTime;
  for (let block: ReceivedBlock = first; ; block = await nextBlock(session, limit, check)) {
    let answer = ACK;
    if (block.kind === 'end') {
      ends++;
      const isWhole = size === null || file.bytes >= size;
      if (ends === 1) {
        await session.write(Uint8Array.of(NAK));
        const next = await nextIs(session, SECOND_END_LIMIT, beginsBlock);
        if (next === 'text' && !isWhole) {
          throw new TransferEnd('peer-left');
        }
        if (next === 'text') {
          return;
        }
        if (next === 'protocol' || !isWhole) {
          continue;
        }
      }
      await session.write(Uint8Array.of(ACK));
      return;
    }
    if (block.kind !== 'block') {
      errors++;
      session.repeats++;
      if (errors === MAX_ERRORS) {
        throw new TransferEnd(block.kind === 'silence' ? 'no-answer' : 'too-many-errors');
      }
      answer = NAK;
    } else if (block.number === (expected & 0xff)) {
      await contents.write(block.data);
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

/**
 * Waits for the next block of a file. Lines that a board prints between two blocks are skipped.
 *
 * @throws TransferEnd `peer-left` if the board prints and sends no block any more. What it printed stays on the line.
 */
async function nextBlock(session: TransferSession, limit: number, check: CheckKind): Promise<ReceivedBlock> {
  const { reader } = session;
  for (let nudges = 0; reader.buffered < MAX_PRINTED; ) {
    const next = await nextIs(session, limit, beginsBlock);
    if (next !== 'text') {
      return next === 'protocol' ? readBlock(session, 0, check) : { kind: 'silence' };
    }
    if (!(await reader.arrival(LEFT_LIMIT))) {
      nudges++;
      if (nudges === 2) {
        break;
      }
      await session.write(Uint8Array.of(NAK));
    }
  }
  throw new TransferEnd('peer-left');
}

/**
 * Writes the blocks of a file and leaves out what its last block has beyond the announced size. The size is wrong when
 * contents follow it in further blocks: the file is kept whole then.
 */
class SizedContents {
  readonly #file: Receiving;
  /** Bytes after the announced size that are padding so far. */
  #beyond: Uint8Array = new Uint8Array();

  constructor(file: Receiving) {
    this.#file = file;
  }

  async write(data: Uint8Array): Promise<void> {
    const file = this.#file;
    const { size } = file.offer;
    const room = size === null ? data.length : Math.max(0, size - file.bytes);
    await file.write(data.subarray(0, room));
    const rest = data.subarray(room);
    const beyond = Uint8Array.of(...this.#beyond, ...rest);
    const isPadding = rest.every((byte) => byte === PADDING) && beyond.length <= MAX_PADDING;
    if (room > 0 || isPadding) {
      this.#beyond = beyond;
    } else {
      await file.write(beyond);
      this.#beyond = new Uint8Array();
    }
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
