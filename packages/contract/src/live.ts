/**
 * The messages between a shared bench and the relay over a WebSocket: one binary message is one envelope. The relay
 * reads and writes the envelope only. The payload is sealed between the host and a guest.
 *
 * Byte 0 is the kind, bytes 1 to 4 are the guest's number (little-endian), the rest depends on the kind.
 */

/** Version of the envelope and of its sealed payload. The relay announces it in its welcome. */
export const liveProtocol = 1;

/** Longest message in bytes, including the envelope. */
export const liveMessageLimit = 65_536;
/** Bytes of the envelope: kind and guest's number. */
export const liveHeaderLength = 5;
/** Longest reason of an `expel`, in bytes of UTF-8. */
export const expelReasonLimit = 120;

/**
 * Kinds of messages.
 *
 * | kind | from → to | guest's number | payload |
 * |---|---|---|---|
 * | `data` | host → relay → guest | receiver, or `everyone` for all admitted guests | sealed |
 * | `data` | guest → relay → host | 0; the relay writes the guest's number | sealed |
 * | `joined` | relay → host | guest that connected, or reconnected with its resume token | empty |
 * | `left` | relay → host | guest that is no longer connected | one byte, `leftReasons` |
 * | `admit` | host → relay | guest that gets messages to `everyone` from now on, and is counted | empty |
 * | `expel` | host → relay | guest to disconnect with `closeCodes.expelled` | the reason, UTF-8 |
 * | `welcome` | relay → host or guest that connected | 0 | `LiveWelcome` as JSON |
 * | `gone` | relay → guests | 0 | milliseconds that the relay waits for the host, 4 bytes, little-endian |
 * | `back` | relay → guests | 0 | empty: the host has reconnected |
 * | `end` | host → relay → guests | 0 | empty: the room is closed for good |
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

/** Number of the host or the room. Guests are numbered from 1. */
export const hostNumber = 0;
/** Number that addresses every admitted guest. */
export const everyone = 0xffff_ffff;

/** Reasons why a guest is no longer connected: the payload byte of a `left`. */
export const leftReasons = { closed: 0, lost: 1, expelled: 2, tooSlow: 3, idle: 4 } as const;

/** Close codes that the relay sends. 1012 is "service restart" (IANA, WebSocket Close Code Number Registry). */
export const closeCodes = {
  notAllowed: 4401,
  expelled: 4403,
  noSuchRoom: 4404,
  tooSlow: 4408,
  idle: 4409,
  ended: 4410,
  /**
   * Another connection of the same host or guest has replaced this one. Do not reconnect: two tabs with one token
   * would replace each other forever.
   */
  replaced: 4411,
  /** The host has not admitted this guest in time. Reconnect: the host's tab may have been frozen. */
  notAdmitted: 4412,
  tooMany: 4429,
  /** Reconnect: another process serves the room, or this one will in a moment. */
  restart: 1012,
} as const;

export interface LiveMessage {
  readonly kind: LiveKind;
  readonly guest: number;
  readonly payload: Uint8Array;
}

/** First message of the relay. */
export interface LiveWelcome {
  readonly protocol: typeof liveProtocol;
  /** Number of the receiver; 0 for the host. */
  readonly you: number;
  /** Resume token. A guest that reconnects with it while the relay keeps its place gets the same number. */
  readonly resume: string;
}

const kindNames = new Map<number, LiveKind>(
  (Object.keys(liveKinds) as LiveKind[]).map((kind) => [liveKinds[kind], kind]),
);
const nothing = new Uint8Array(0);

/**
 * Encodes one message.
 *
 * @throws RangeError if the message is longer than `liveMessageLimit`, or `guest` is not a 32-bit unsigned integer.
 */
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

/**
 * Decodes one message. Returns null if it is too short, too long or of an unknown kind. The payload is a view of
 * `bytes`.
 */
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

/** Decodes the payload of a `welcome`. Returns null if it is invalid or of another protocol version. */
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

/** @param wait Milliseconds that the relay waits for the host. */
export function encodeGone(wait: number): Uint8Array<ArrayBuffer> {
  const payload = new Uint8Array(4);
  new DataView(payload.buffer).setUint32(0, wait, true);
  return encodeLive('gone', hostNumber, payload);
}

/** Decodes the payload of a `gone` to milliseconds. Returns null if it is not four bytes long. */
export function decodeGone(payload: Uint8Array): number | null {
  return payload.length === 4 ? new DataView(payload.buffer, payload.byteOffset).getUint32(0, true) : null;
}
