/** Hashes, reads and erases flash of a connected board ("Serial Protocol", section "Commands"). */

import type { WorkOptions } from '../../core/board.ts';
import { addressText, hexOf } from '../../core/bytes.ts';
import { md5 } from '../../core/md5.ts';
import { type FlashRange, sectorSize } from '../../core/region.ts';
import type { Session } from '../connect/session.ts';
import { deadlines, hashByte } from '../deadlines.ts';
import { EspError } from '../esp-failure.ts';
import { longestChipErase, longestErase } from '../flash-times.ts';
import { parseAnswer } from '../protocol/answers.ts';
import type { Reply, Step } from '../protocol/command-link.ts';
import {
  eraseFlashRequest,
  eraseRegionRequest,
  md5Request,
  readAcknowledgement,
  readFlashRequest,
  readFlashSlowRequest,
} from '../protocol/commands.ts';
import { mustBeDone } from '../protocol/must-be-done.ts';
import { type Host, retryOn } from './esp-retry.ts';

/** Bytes of a packet: the stub sends one sector at a time and waits for its acknowledgement. */
const READ_PACKET = 4_096;
/** Bytes per read request to the stub. A fault repeats at most this much. */
const READ_CHUNK = 256 * 1_024;
/** Bytes per erase request, up to the next multiple of it, because flash chips erase such a block at once. */
const ERASE_CHUNK = 64 * 1_024;
/** Most bytes per read request to the ROM. */
const SLOW_READ = 64;
/** Bytes of a hash in an answer ("Serial Protocol", command 13). */
const hashSize = { bytes: 16, digits: 32 } as const;

export interface Work extends Pick<WorkOptions, 'onProgress'> {
  readonly signal: AbortSignal;
}

export interface Erasing extends Work {
  /** Called before the first erase request. From then on the flash may be erased. */
  readonly onErase: () => void;
}

/** Requests for one hash until an answer is a valid hash. */
const HASH_TRIES = 3;

/**
 * Returns the MD5 of a range as lower-case hexadecimal.
 *
 * @throws EspError, PortError, or the reason of the signal.
 */
export async function hashRange(session: Session, range: FlashRange, signal: AbortSignal): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const { request, ...exchange } = hashQuestion(session, range, signal);
    const hash = readHash(session, range, await session.link.exchange(request, exchange));
    if (hash !== null) {
      return hash;
    }
    if (attempt === HASH_TRIES) {
      throw damagedHash(range);
    }
  }
}

/**
 * Returns the exchange that asks for the hash of `range`.
 *
 * @throws EspError at once if the chip cannot hash; the exchange throws for a refusal, silence or a damaged answer.
 */
export function hashStep(session: Session, range: FlashRange, signal: AbortSignal, take: (hash: string) => void): Step {
  return {
    ...hashQuestion(session, range, signal),
    answered: (reply) => {
      const hash = readHash(session, range, reply);
      if (hash === null) {
        throw damagedHash(range);
      }
      take(hash);
    },
  };
}

function hashQuestion(session: Session, { offset, length }: FlashRange, signal: AbortSignal): Omit<Step, 'answered'> {
  const { canHash, hashFormat } = session.ability;
  if (!canHash) {
    throw unableTo(session, `The ROM of ${session.chip.name} has no hash command.`);
  }
  const limit = deadlines.hash + length * hashByte;
  return { request: md5Request(offset, length), limit, payload: hashSize[hashFormat], signal };
}

/**
 * Returns the hash of an answer; null if the answer was damaged on the wire.
 *
 * @throws EspError if the board refused or was silent.
 */
function readHash({ ability: { hashFormat } }: Session, range: FlashRange, reply: Reply): string | null {
  mustBeDone(reply, 'read-failed', `hash of ${rangeText(range)}`);
  const hash = reply.answer.data.subarray(0, hashSize[hashFormat]);
  if (hashFormat === 'bytes') {
    return hexOf(hash);
  }
  const digits = String.fromCharCode(...hash).toLowerCase();
  return /^[\da-f]{32}$/.test(digits) ? digits : null;
}

function damagedHash(range: FlashRange): EspError {
  return new EspError('read-failed', { detail: `The answer for the hash of ${rangeText(range)} is no hash.` });
}

/**
 * Returns true if two hashes are equal, allowing for one that was damaged on the wire. Hashes of different bytes
 * agree in two of 32 digits on average. Agreement in 24 digits is less likely than 1 in 10^21.
 */
export function isSameHash(one: string, other: string): boolean {
  let agreeing = 0;
  for (let digit = 0; digit < one.length; digit++) {
    agreeing += one[digit] === other[digit] ? 1 : 0;
  }
  return agreeing >= 24;
}

/**
 * Compares the hash of flash with an earlier one. A difference counts only if the chip reports it twice, because
 * answers are not protected on the wire.
 *
 * @param ask Asks the chip for the hash of the same range.
 * @returns `before` if the bytes are the same, otherwise the chip's last hash.
 */
export async function comparedHash(before: string, ask: () => Promise<string>): Promise<string> {
  if (isSameHash(before, await ask())) {
    return before;
  }
  const second = await ask();
  return isSameHash(before, second) ? before : second;
}

function rangeText({ offset, length }: FlashRange): string {
  return `${length} bytes at ${addressText(offset)}`;
}

/** Reads `range`. Each part is checked by its hash, and read again if that differs. */
export async function readRange(host: Host, { offset, length }: FlashRange, work: Work): Promise<Uint8Array> {
  mustRead(host.session);
  const result = new Uint8Array(length);
  for (let at = 0; at < length; at += READ_CHUNK) {
    const part = result.subarray(at, at + READ_CHUNK);
    const progress = (done: number) => work.onProgress?.(at + done, length);
    await retryOn(host, work.signal, (session) => {
      mustRead(session);
      const read = session.ability.readsSectors ? readPart : readSlowly;
      return read(session, offset + at, part, work.signal, progress);
    });
  }
  return result;
}

async function readPart(
  session: Session,
  offset: number,
  into: Uint8Array,
  signal: AbortSignal,
  progress: (done: number) => void,
): Promise<void> {
  if (!(await readOnce(session, offset, into, signal, progress))) {
    // A stub that still waits for an acknowledgement takes the next request, which has another length, as the end of
    // reading.
    throw new EspError('read-failed', { detail: `${into.length} bytes at ${addressText(offset)}.` });
  }
}

/** Returns false if data was lost. */
async function readOnce(
  { link }: Session,
  offset: number,
  into: Uint8Array,
  signal: AbortSignal,
  progress: (done: number) => void,
): Promise<boolean> {
  const request = readFlashRequest(offset, into.length, READ_PACKET, 1);
  return link.raw(async () => {
    link.discard();
    link.write(request.frame);
    const limit = deadlines.read + link.backlog + link.port.wireTime(READ_PACKET * 2);
    const first = await link.nextFrame(limit, signal);
    const answer = first === null ? null : parseAnswer(first);
    if (answer?.op !== request.op || answer.data[0] !== 0) {
      return false;
    }
    for (let done = 0; done < into.length; ) {
      const packet = await link.nextFrame(limit, signal);
      if (packet === null || packet.length !== Math.min(READ_PACKET, into.length - done)) {
        return false;
      }
      into.set(packet, done);
      done += packet.length;
      link.write(readAcknowledgement(done));
      progress(done);
    }
    const digest = await link.nextFrame(limit, signal);
    return digest !== null && hexOf(digest) === md5(into);
  });
}

async function readSlowly(
  session: Session,
  offset: number,
  into: Uint8Array,
  signal: AbortSignal,
  progress: (done: number) => void,
): Promise<void> {
  const { link } = session;
  for (let done = 0; done < into.length; done += SLOW_READ) {
    const length = Math.min(SLOW_READ, into.length - done);
    const request = readFlashSlowRequest(offset + done, length);
    const reply = await link.exchange(request, { limit: deadlines.read, payload: SLOW_READ, signal });
    mustBeDone(reply, 'read-failed', `read ${length} bytes at ${addressText(offset + done)}`);
    into.set(reply.answer.data.subarray(0, length), done);
    progress(done + length);
  }
  if ((await hashRange(session, { offset, length: into.length }, signal)) !== md5(into)) {
    throw new EspError('read-failed', {
      detail: `The hash of ${into.length} bytes at ${addressText(offset)} differs.`,
    });
  }
}

/** Erases whole sectors in parts, so that progress is reported and a cancel takes effect. */
export async function eraseRange(host: Host, { offset, length }: FlashRange, work: Erasing): Promise<void> {
  if (offset % sectorSize !== 0 || length % sectorSize !== 0) {
    throw new RangeError(`What is erased starts and ends at multiples of ${sectorSize} bytes.`);
  }
  for (let done = 0; done < length; ) {
    work.signal.throwIfAborted();
    const size = Math.min(ERASE_CHUNK - ((offset + done) % ERASE_CHUNK), length - done);
    await retryOn(host, work.signal, (session) => erasePart(session, { offset: offset + done, length: size }, work));
    done += size;
    work.onProgress?.(done, length);
  }
}

async function erasePart(
  session: Session,
  { offset, length }: FlashRange,
  { signal, onErase }: Erasing,
): Promise<void> {
  mustErase(session);
  onErase();
  const limit = deadlines.eraseRegion + longestErase({ offset, length });
  const reply = await session.link.exchange(eraseRegionRequest(offset, length), { limit, signal });
  mustBeDone(reply, 'erase-failed', `erase ${length} bytes at ${addressText(offset)}`);
}

export async function eraseChip(session: Session, { signal, onErase }: Erasing): Promise<void> {
  mustErase(session);
  onErase();
  const limit = deadlines.eraseAll + longestChipErase(session.info.flash?.size ?? null);
  const reply = await session.link.exchange(eraseFlashRequest(), { limit, signal });
  mustBeDone(reply, 'erase-failed', 'erase the flash chip');
}

function mustErase(session: Session): void {
  if (!session.ability.canErase) {
    throw unableTo(session, 'Only the stub erases without writing.');
  }
}

function mustRead(session: Session): void {
  if (!session.ability.canReadFlash) {
    throw unableTo(session, `The ROM of ${session.chip.name} does not read flash.`);
  }
}

/** @param detail Reason, for the log, if it is the program and not Secure Download Mode. */
function unableTo({ ability: { refusesWith } }: Session, detail: string): EspError {
  return new EspError(refusesWith, refusesWith === 'not-in-rom' ? { detail } : {});
}
