/**
 * The secrets of the embedded provider in one file of the data folder: the keys that sign tokens and cookies. They
 * are created at the first start and do not change, so that tokens and sessions survive a restart.
 */
import { randomBytes } from 'node:crypto';
import { link, open, readFile, rename, rm } from 'node:fs/promises';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose';
import * as z from 'zod/mini';

const SigningKey = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  kid: z.string(),
  alg: z.literal('ES256'),
  use: z.literal('sig'),
  x: z.string(),
  y: z.string(),
  d: z.string(),
});

const IdentitySecrets = z.object({
  signingKeys: z.array(SigningKey).check(z.minLength(1)),
  cookieKeys: z.array(z.string()).check(z.minLength(1)),
});
export type IdentitySecrets = z.infer<typeof IdentitySecrets>;

/**
 * Reads the file at `path`, or creates it with access for its owner only.
 *
 * @throws Error if the file is invalid.
 */
export async function loadIdentitySecrets(path: string): Promise<IdentitySecrets> {
  return (await readSecrets(path)) ?? (await makeSecrets(path));
}

/** Returns the public parts of the keys, for checking tokens. */
export function publicKeys({ signingKeys }: IdentitySecrets): { keys: JWK[] } {
  return { keys: signingKeys.map(({ d: _private, ...key }) => key) };
}

async function readSecrets(path: string): Promise<IdentitySecrets | null> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') {
      return null;
    }
    throw error;
  }
  const secrets = IdentitySecrets.safeParse(parseJson(text));
  if (!secrets.success) {
    // Without the parser's message, which may quote a key.
    throw new Error('it does not contain the expected keys');
  }
  return secrets.data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) {
      return null;
    }
    throw error;
  }
}

async function makeSecrets(path: string): Promise<IdentitySecrets> {
  const secrets: IdentitySecrets = {
    signingKeys: [await makeSigningKey()],
    cookieKeys: [randomBytes(32).toString('base64url')],
  };
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(`${JSON.stringify(secrets, null, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  try {
    // A link instead of a rename, if the file system supports it: of two processes that start at once, the second has
    // to use the file of the first.
    await link(draft, path);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') {
      return loadIdentitySecrets(path);
    }
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
  return secrets;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

async function makeSigningKey(): Promise<z.infer<typeof SigningKey>> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const key = await exportJWK(privateKey);
  return SigningKey.parse({ ...key, kid: await calculateJwkThumbprint(key), alg: 'ES256', use: 'sig' });
}
