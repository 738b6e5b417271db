/** Ids and tokens of shared benches: their creation, and the hashes that are stored. */
import { createHash, randomBytes } from 'node:crypto';
import type { ResumeToken } from './room-directory.ts';

/** Random bytes of an id or a token: 128 bits. */
const RANDOM = 16;
/** Bytes of an id that name the process which created it. */
const MARK = 4;

const ID = /^[\w-]{27}$/;
const TOKEN = /^[\w-]{22}$/;

/** Returns a mark of this run of the server. */
export function newProcessMark(): Buffer {
  return randomBytes(MARK);
}

export function newRoomId(mark: Uint8Array): string {
  return Buffer.concat([randomBytes(RANDOM), mark]).toString('base64url');
}

/** Returns the mark of an id; null for an invalid id. */
export function markOf(id: string): Buffer | null {
  return ID.test(id) ? Buffer.from(id, 'base64url').subarray(RANDOM) : null;
}

export function newToken(): string {
  return randomBytes(RANDOM).toString('base64url');
}

/** Returns the stored form of an id, a token or a `sub`: it identifies the secret but does not reveal it. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

export function resumeTokenOf(number: number, secret: string): string {
  return `${number}.${secret}`;
}

/** Parses a resume token; null if no welcome can have contained it. */
export function readResumeToken(token: string): (ResumeToken & { readonly secret: string }) | null {
  const [, number = '', secret = ''] = /^([1-9]\d{0,9})\.(.+)$/.exec(token) ?? [];
  return TOKEN.test(secret) && Number(number) < 0xffff_ffff
    ? { number: Number(number), hash: hashOf(secret), secret }
    : null;
}
