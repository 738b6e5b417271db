/** Public keys of an identity provider elsewhere, fetched when a token needs them and kept. */
import { createRemoteJWKSet, errors, type JWTVerifyGetKey } from 'jose';
import type { ExternalIdentity } from '../config.ts';

/** Milliseconds that a provider has for an answer. */
const TIMEOUT = 5_000;

/** The key set of `identity`: at its address, or at the one that the issuer's discovery document names. */
export function providerKeys({ jwksUrl, issuer }: Pick<ExternalIdentity, 'jwksUrl' | 'issuer'>): JWTVerifyGetKey {
  if (jwksUrl !== null) {
    return keysAt(jwksUrl);
  }
  let discovery: Promise<JWTVerifyGetKey> | null = null;
  return async (header, token) => {
    discovery ??= discoverKeys(issuer).catch((error: unknown) => {
      discovery = null;
      throw error;
    });
    return (await discovery)(header, token);
  };
}

/** Keeps "no such key", which is the token's fault, apart from "no keys", which is not. */
function keysAt(address: string): JWTVerifyGetKey {
  const keys = createRemoteJWKSet(new URL(address), { timeoutDuration: TIMEOUT });
  return async (header, token) => {
    try {
      return await keys(header, token);
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys) {
        throw error;
      }
      throw new Error(`No keys from ${address}`, { cause: error });
    }
  };
}

async function discoverKeys(issuer: string): Promise<JWTVerifyGetKey> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const answer = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT), redirect: 'error' });
  const document: unknown = answer.ok ? await answer.json() : null;
  if (
    typeof document !== 'object' ||
    document === null ||
    !('jwks_uri' in document) ||
    typeof document.jwks_uri !== 'string' ||
    !('issuer' in document) ||
    document.issuer !== issuer
  ) {
    throw new Error(`${address} answered ${answer.status} and does not describe the issuer ${issuer}`);
  }
  return keysAt(document.jwks_uri);
}
