/**
 * What a shared bench and the relay say to each other over a WebSocket: one binary message is one envelope. The relay reads and
 * writes the envelope and never what is in it, which is sealed between the host and a guest.
 * Knows no socket, no key and no schema library.
 *
 * Byte 0 is the kind, bytes 1 to 4 the number of a guest (little-endian), the rest belongs to the kind.
 */

/** The version of this envelope and of what is sealed in it; a relay names it in its welcome. */
export const liveProtocol = 1;

/** The whole message, envelope included, in bytes. */
export const liveMessageLimit = 65_536;
/** Kind and guest's number. */
export const liveHeaderLength = 5;
/** Of the reason of an `expel`, as UTF-8. */
export const expelReasonLimit = 120;

/**
 * | kind | from → to | the number | what follows |
 * |---|---|---|---|
 * | `data` | host → relay → guest | who gets it, or `everyone`: all who have been admitted | sealed |
 * | `data` | guest → relay → host | 0; the relay writes the guest's | sealed |
 * | `joined` | relay → host | who came, or came back with its resume token | nothing |
 * | `left` | relay → host | who is not connected any more | one byte, `leftReasons` |
 * | `admit` | host → relay | who gets what is sent to everyone, and is counted | nothing |
 * | `expel` | host → relay | who is disconnected with `closeCodes.expelled` | the reason, UTF-8 |
 * | `welcome` | relay → whoever connected | 0 | `LiveWelcome` as JSON |
 * | `gone` | relay → guests | 0 | how long the host is waited for, milliseconds, 4 bytes |
 * | `back` | relay → guests | 0 | nothing: the host is there again |
 * | `end` | host → relay → guests | 0 | nothing: the room is closed for good |
 */
export const liveKinds = {
  data: 1,
  joined: 2,
  left: 3,
  admit: 4,
  expel: 5,
  welcome: 6,
  gone: 7,
  back: 8,
  end: 9,
} as const;

export type LiveKind = keyof typeof liveKinds;

/** The number that means the host, or the room. Guests are numbered from 1. */
export const hostNumber = 0;
/** The number that means every guest that has been admitted. */
export const everyone = 0xffff_ffff;

/** Why a guest is not connected any more: the byte of a `left`. */
export const leftReasons = { closed: 0, lost: 1, expelled: 2, tooSlow: 3, idle: 4 } as const;

/** Codes with which the relay closes a WebSocket; 1012 is RFC 6455's "service restart" (IANA, WebSocket Close Code Number Registry). */
export const closeCodes = {
  notAllowed: 4401,
  expelled: 4403,
  noSuchRoom: 4404,
  tooSlow: 4408,
  idle: 4409,
  ended: 4410,
  /** Another connection of the same host or guest has taken its place. Final, or two tabs with one token would replace each other for ever. */
  replaced: 4411,
  /** The host has not admitted this guest in time. Come back: its tab may have been frozen. */
  notAdmitted: 4412,
  tooMany: 4429,
  /** Come back: another process serves the room, or this one in a moment. */
  restart: 1012,
} as const;

export interface LiveMessage {
  readonly kind: LiveKind;
  readonly guest: number;
  readonly payload: Uint8Array;
}

/** What the relay says first. */
export interface LiveWelcome {
  readonly protocol: typeof liveProtocol;
  /** Your number; 0 for the host. */
  readonly you: number;
  /** Whoever connects again with it within the time that the relay keeps it gets the same number. */
  readonly resume: string;
}

const kindNames = new Map<number, LiveKind>(
  (Object.keys(liveKinds) as LiveKind[]).map((kind) => [liveKinds[kind], kind]),
);
const nothing = new Uint8Array(0);

/** @throws RangeError when it would be longer than `liveMessageLimit`, or the number is none of 32 bits. */
export function encodeLive(kind: LiveKind, guest: number, payload: Uint8Array = nothing): Uint8Array<ArrayBuffer> {
  const length = liveHeaderLength + payload.length;
  if (length > liveMessageLimit || !Number.isInteger(guest) || guest < 0 || guest > everyone) {
    throw new RangeError(`A message of ${length} bytes to guest ${guest} cannot be sent.`);
  }
  const bytes = new Uint8Array(length);
  bytes[0] = liveKinds[kind];
  new DataView(bytes.buffer).setUint32(1, guest, true);
  bytes.set(payload, liveHeaderLength);
  return bytes;
}

/** Null when these bytes are no message: too short, too long, or of no kind. The payload is a view of `bytes`. */
export function decodeLive(bytes: Uint8Array): LiveMessage | null {
  const kind = kindNames.get(bytes[0] ?? 0);
  if (kind === undefined || bytes.length < liveHeaderLength || bytes.length > liveMessageLimit) {
    return null;
  }
  const guest = new DataView(bytes.buffer, bytes.byteOffset).getUint32(1, true);
  return { kind, guest, payload: bytes.subarray(liveHeaderLength) };
}

export function encodeWelcome(welcome: LiveWelcome): Uint8Array<ArrayBuffer> {
  return encodeLive('welcome', hostNumber, new TextEncoder().encode(JSON.stringify(welcome)));
}

/** From the payload. Null when it is none, or of another version. */
export function decodeWelcome(payload: Uint8Array): LiveWelcome | null {
  let welcome: unknown;
  try {
    welcome = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload));
  } catch {
    return null;
  }
  const { protocol, you, resume } = (welcome ?? {}) as Partial<Record<keyof LiveWelcome, unknown>>;
  const isNumber = typeof you === 'number' && Number.isInteger(you) && you >= 0 && you < everyone;
  return protocol === liveProtocol && isNumber && typeof resume === 'string' ? { protocol, you, resume } : null;
}

/** @param wait milliseconds that the host is waited for. */
export function encodeGone(wait: number): Uint8Array<ArrayBuffer> {
  const payload = new Uint8Array(4);
  new DataView(payload.buffer).setUint32(0, wait, true);
  return encodeLive('gone', hostNumber, payload);
}

/** From the payload: milliseconds. Null when it is not four bytes long. */
export function decodeGone(payload: Uint8Array): number | null {
  return payload.length === 4 ? new DataView(payload.buffer, payload.byteOffset).getUint32(0, true) : null;
}
