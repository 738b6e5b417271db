/** Hashing, reading and erasing flash of a connected board ("Serial Protocol", section "Commands"). */

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

/** The stub sends a sector at a time, and waits for each to be acknowledged. */
const READ_PACKET = 4_096;
/** Bytes that the stub reads in one go: a fault repeats no more than this. */
const READ_CHUNK = 256 * 1_024;
/** Bytes that are erased with one request, up to the next multiple of it: flash chips erase such a block at once. */
const ERASE_CHUNK = 64 * 1_024;
/** All that the ROM reads at once. */
const SLOW_READ = 64;
/** Bytes of a hash in an answer: the stub sends the 16 bytes, the ROM spells them ("Serial Protocol", command 13). */
const STUB_HASH = 16;
const ROM_HASH = 32;

export interface Work extends Pick<WorkOptions, 'onProgress'> {
  readonly signal: AbortSignal;
}

export interface Erasing extends Work {
  /** Called before the board is asked to erase anything: from then on it may be erased. */
  readonly onErase: () => void;
}

/** Questions for one hash until an answer is one. */
const HASH_TRIES = 3;

/** @throws EspError; PortError; the signal's reason. */
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

/** The question for the hash of `range`. @throws EspError where the chip cannot be asked, at once and from the exchange. */
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

function hashQuestion(
  { runsStub, chip, info }: Session,
  { offset, length }: FlashRange,
  signal: AbortSignal,
): Omit<Step, 'answered'> {
  if (info.security.secureDownload) {
    throw new EspError('secure-download');
  }
  if (!runsStub && !chip.richRom) {
    throw new EspError('not-in-rom', { detail: `The ROM of ${chip.name} has no hash command.` });
  }
  const limit = deadlines.hash + length * hashByte;
  return { request: md5Request(offset, length), limit, payload: runsStub ? STUB_HASH : ROM_HASH, signal };
}

/** Null for an answer that is no hash: it was damaged on its way. @throws EspError when the board refused or was silent. */
function readHash({ runsStub }: Session, range: FlashRange, reply: Reply): string | null {
  mustBeDone(reply, 'read-failed', `hash of ${rangeText(range)}`);
  if (runsStub) {
    return hexOf(reply.answer.data.subarray(0, STUB_HASH));
  }
  const digits = String.fromCharCode(...reply.answer.data.subarray(0, ROM_HASH)).toLowerCase();
  return /^[\da-f]{32}$/.test(digits) ? digits : null;
}

function damagedHash(range: FlashRange): EspError {
  return new EspError('read-failed', { detail: `The answer for the hash of ${rangeText(range)} is no hash.` });
}

/**
 * Whether two hashes are of the same bytes, although one may have been damaged on its way. Hashes of different bytes agree in two of 32
 * digits on average; that they agree in 24 is less likely than 1 in 10^21.
 */
export function isSameHash(one: string, other: string): boolean {
  let agreeing = 0;
  for (let digit = 0; digit < one.length; digit++) {
    agreeing += one[digit] === other[digit] ? 1 : 0;
  }
  return agreeing >= 24;
}

/**
 * Compares the hash of flash with an earlier one. A difference counts when the chip gives it twice: nothing protects an answer on its way.
 * @param ask Asks the chip for the hash of the same range.
 * @returns `before` where the bytes are the same; else the hash that the chip gave last.
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

/** Whole of `range`, each part checked by its hash, and read again when that differs. */
export async function readRange(host: Host, { offset, length }: FlashRange, work: Work): Promise<Uint8Array> {
  if (host.session.info.security.secureDownload) {
    throw new EspError('secure-download');
  }
  const result = new Uint8Array(length);
  for (let at = 0; at < length; at += READ_CHUNK) {
    const part = result.subarray(at, at + READ_CHUNK);
    const progress = (done: number) => work.onProgress?.(at + done, length);
    await retryOn(host, work.signal, (session) =>
      session.runsStub
        ? readPart(session, offset + at, part, work.signal, progress)
        : readSlowly(session, offset + at, part, work.signal, progress),
    );
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
    // A stub that still waits for an acknowledgement takes the next request, of another length, for the end of reading.
    throw new EspError('read-failed', { detail: `${into.length} bytes at ${addressText(offset)}.` });
  }
}

/** False when something was lost. */
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
  const { link, chip } = session;
  if (!chip.richRom) {
    throw new EspError('not-in-rom', { detail: `The ROM of ${chip.name} does not read flash.` });
  }
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

/** Whole sectors; a stretch at a time, so that there is progress and a cancel is heard. */
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

function mustErase({ runsStub, info }: Session): void {
  if (info.security.secureDownload) {
    throw new EspError('secure-download');
  }
  if (!runsStub) {
    throw new EspError('not-in-rom', { detail: 'Only the stub erases without writing.' });
  }
}
