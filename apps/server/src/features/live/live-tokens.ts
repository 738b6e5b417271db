/** Ids and tokens of shared benches: how they are made, and what is kept of them. */
import { createHash, randomBytes } from 'node:crypto';
import type { ResumeToken } from './room-directory.ts';

/** Random bytes of an id or a token: 128 bits. */
const RANDOM = 16;
/** Bytes that say which process made an id. */
const MARK = 4;

const ID = /^[\w-]{27}$/;
const TOKEN = /^[\w-]{22}$/;

/** Names one run of the server. */
export function newProcessMark(): Buffer {
  return randomBytes(MARK);
}

export function newRoomId(mark: Uint8Array): string {
  return Buffer.concat([randomBytes(RANDOM), mark]).toString('base64url');
}

/** Null when there can be no such id. */
export function markOf(id: string): Buffer | null {
  return ID.test(id) ? Buffer.from(id, 'base64url').subarray(RANDOM) : null;
}

export function newToken(): string {
  return randomBytes(RANDOM).toString('base64url');
}

/** What is kept of an id, a token or a `sub`: enough to know it again, and no way to it. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

export function resumeTokenOf(number: number, secret: string): string {
  return `${number}.${secret}`;
}

/** Null for what no welcome has said. */
export function readResumeToken(token: string): (ResumeToken & { readonly secret: string }) | null {
  const [, number = '', secret = ''] = /^([1-9]\d{0,9})\.(.+)$/.exec(token) ?? [];
  return TOKEN.test(secret) && Number(number) < 0xffff_ffff
    ? { number: Number(number), hash: hashOf(secret), secret }
    : null;
}
