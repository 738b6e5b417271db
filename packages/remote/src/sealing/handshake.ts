/**
 * The handshake that gives a guest and a host keys of their own. The keys come from the link's secret and an
 * ephemeral P-256 exchange, so a link that leaks later opens nothing that was recorded before. Each connection makes
 * new keys, so a restarted counter never meets the same key again. The server sees random numbers.
 *
 * 1. guest → host `hello`: type, version, 16 random bytes, point.
 * 2. host → guest `challenge`: type, version, 16 random bytes, point, 32 bytes of HMAC over both messages. Only a
 * side with the secret can compute the HMAC.
 * 3. guest → host, sealed with the new key: the guest's identity and what it has received. Only a side with the
 * secret can seal it.
 */
import { liveProtocol } from '@wirebench/contract/live';
import { joined } from '@wirebench/port/bytes';
import { RemoteError } from '../remote-failure.ts';
import { Opener, Sealer } from './sealed-frames.ts';
import type { Exchange, SealingCrypto } from './sealing-crypto.ts';

/** Types of a frame: byte 0 of the payload of a `data` envelope. */
export const frameTypes = {
  hello: 1,
  challenge: 2,
  /** Sealed for one guest, or by one. */
  sealed: 3,
  /** Sealed for all admitted guests. */
  tap: 4,
  /** From the host, not sealed: begin again with a hello. Anyone could send it, so guests obey it at a limited rate. */
  restart: 5,
  /** From the host, not sealed: the versions do not match, so a new hello is pointless. */
  refuse: 6,
} as const;

const randomLength = 16;
const pointLength = 65;
const helloLength = 2 + randomLength + pointLength;
const proofLength = 32;
const challengeLength = helloLength + proofLength;

/** Keys of a connection's two directions. */
export interface Keys {
  readonly sealer: Sealer;
  readonly opener: Opener;
}

export interface GuestHello {
  readonly frame: Uint8Array<ArrayBuffer>;
  /**
   * Checks the host's challenge and derives the keys.
   *
   * @throws RemoteError `wrong-key` for a host with another secret, `wrong-version`, or `malformed`.
   */
  answer(challenge: Uint8Array): Promise<Keys>;
}

export async function makeHello(crypto: SealingCrypto, secret: Uint8Array): Promise<GuestHello> {
  const exchange = await crypto.exchange();
  const frame = opening(frameTypes.hello, crypto, exchange);
  return {
    frame,
    async answer(challenge) {
      check(challenge, challengeLength);
      const unproved = challenge.subarray(0, helloLength);
      const proof = await prove(crypto, secret, joined(frame, unproved));
      if (!isEqual(proof, challenge.subarray(helloLength))) {
        throw new RemoteError('wrong-key');
      }
      return makeKeys({ crypto, secret, exchange, hello: frame, challenge: unproved, side: 'guest' });
    },
  };
}

/**
 * Answers a guest's hello with a challenge, and derives the keys.
 *
 * @throws RemoteError `wrong-version` or `malformed`.
 */
export async function answerHello(
  crypto: SealingCrypto,
  secret: Uint8Array,
  hello: Uint8Array,
): Promise<{ readonly frame: Uint8Array<ArrayBuffer>; readonly keys: Keys }> {
  check(hello, helloLength);
  const exchange = await crypto.exchange();
  const challenge = opening(frameTypes.challenge, crypto, exchange);
  const frame = joined(challenge, await prove(crypto, secret, joined(hello, challenge)));
  const keys = await makeKeys({ crypto, secret, exchange, hello, challenge, side: 'host' });
  return { frame, keys };
}

function opening(type: number, crypto: SealingCrypto, { publicKey }: Exchange): Uint8Array<ArrayBuffer> {
  return joined(Uint8Array.of(type, liveProtocol), joined(crypto.random(randomLength), publicKey));
}

function check(frame: Uint8Array, length: number): void {
  if (frame[1] !== liveProtocol) {
    throw new RemoteError('wrong-version');
  }
  if (frame.length !== length) {
    throw new RemoteError('malformed');
  }
}

async function prove(crypto: SealingCrypto, secret: Uint8Array, bytes: Uint8Array): Promise<Uint8Array> {
  const key = await crypto.hkdf(secret, new Uint8Array(0), 'wirebench live 1 challenge', 32);
  return crypto.hmac(key, bytes);
}

interface KeyMaterial {
  readonly crypto: SealingCrypto;
  readonly secret: Uint8Array;
  readonly exchange: Exchange;
  readonly hello: Uint8Array;
  readonly challenge: Uint8Array;
  readonly side: 'guest' | 'host';
}

async function makeKeys({ crypto, secret, exchange, hello, challenge, side }: KeyMaterial): Promise<Keys> {
  const other = (side === 'guest' ? challenge : hello).subarray(2 + randomLength);
  const shared = await exchange.derive(other).catch((cause: unknown) => {
    throw new RemoteError('malformed', { cause });
  });
  const salt = await crypto.sha256(joined(hello, challenge));
  const material = joined(secret, shared);
  const fromGuest = await crypto.hkdf(material, salt, 'wirebench live 1 guest to host', 32);
  const fromHost = await crypto.hkdf(material, salt, 'wirebench live 1 host to guest', 32);
  const name = new DataView(salt.buffer, salt.byteOffset).getUint32(0, true);
  const [mine, theirs] = side === 'guest' ? [fromGuest, fromHost] : [fromHost, fromGuest];
  return {
    sealer: new Sealer(await crypto.cipher(mine), frameTypes.sealed, name),
    opener: new Opener(await crypto.cipher(theirs), name),
  };
}

/** Compares all bytes in constant time, so that the time does not reveal where they differ. */
function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  let difference = one.length ^ other.length;
  for (const [at, byte] of one.entries()) {
    difference |= byte ^ (other[at] ?? 0);
  }
  return difference === 0;
}
