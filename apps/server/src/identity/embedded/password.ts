/** Passwords of local accounts: rules, hashes and checks. */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

export const passwordLimits = { shortest: 12, longest: 128, distinct: 5 } as const;

export type PasswordFault = 'too-short' | 'too-long' | 'too-simple' | 'contains-name';

export const passwordFaultText = {
  'too-short': `The password must have at least ${passwordLimits.shortest} characters.`,
  'too-long': `The password must have at most ${passwordLimits.longest} characters.`,
  'too-simple': `The password must have at least ${passwordLimits.distinct} different characters.`,
  'contains-name': 'The password must not contain the name of the account.',
} satisfies Record<PasswordFault, string>;

/** Returns the fault of a new password of `username`; null if it is acceptable. */
export function passwordFaultOf(password: string, username: string): PasswordFault | null {
  const characters = [...normal(password)];
  if (characters.length < passwordLimits.shortest) {
    return 'too-short';
  }
  if (characters.length > passwordLimits.longest) {
    return 'too-long';
  }
  if (new Set(characters).size < passwordLimits.distinct) {
    return 'too-simple';
  }
  return username.length > 2 && normal(password).toLowerCase().includes(normal(username).toLowerCase())
    ? 'contains-name'
    : null;
}

/**
 * One of the settings of OWASP's Password Storage Cheat Sheet for scrypt: 32 MiB, a quarter of a second of one core.
 */
const cost = { N: 2 ** 15, r: 8, p: 3 } as const;
const KEY_BYTES = 32;
const SALT_BYTES = 16;

/** Returns `scrypt$N$r$p$salt$key`, with salt and key in base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await derive(password, salt, cost);
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$');
}

/**
 * Returns true if `stored` was made from this password.
 *
 * @throws Error if `stored` is not a result of `hashPassword`.
 */
export async function isPassword(password: string, stored: string): Promise<boolean> {
  const [kind, N, r, p, salt, key] = stored.split('$');
  if (kind !== 'scrypt' || salt === undefined || key === undefined) {
    throw new Error('The format of the stored password is unknown');
  }
  const expected = Buffer.from(key, 'base64url');
  const derived = await derive(password, Buffer.from(salt, 'base64url'), { N: Number(N), r: Number(r), p: Number(p) });
  return expected.length === derived.length && timingSafeEqual(expected, derived);
}

/** Returns a hash that matches no password and takes as long to check as any other. */
export function dummyPasswordHash(): string {
  const [salt, key] = [randomBytes(SALT_BYTES), randomBytes(KEY_BYTES)];
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$');
}

/**
 * Normalizes a password, so that the way a keyboard composes letters does not matter (NIST SP 800-63B, section
 * 3.1.1.2).
 */
function normal(password: string): string {
  return password.normalize('NFKC');
}

function derive(password: string, salt: Buffer, { N, r, p }: { N: number; r: number; p: number }): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // 128 · N · r bytes, plus a little for the rest.
    scrypt(normal(password), salt, KEY_BYTES, { N, r, p, maxmem: 129 * N * r }, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
}
