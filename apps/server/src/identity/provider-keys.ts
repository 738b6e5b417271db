/** Public keys of an identity provider elsewhere, fetched when a token needs them and kept. */
import { createRemoteJWKSet, errors, type JWTVerifyGetKey } from 'jose';
import type { ExternalIdentity } from '../config.ts';
import { describeProvider, PROVIDER_TIMEOUT } from './provider-description.ts';

/** The key set of `identity`: at its address, or at the one that the issuer's discovery document names. */
export function providerKeys({ jwksUrl, issuer }: Pick<ExternalIdentity, 'jwksUrl' | 'issuer'>): JWTVerifyGetKey {
  if (jwksUrl !== null) {
    return keysAt(jwksUrl);
  }
  let discovery: Promise<JWTVerifyGetKey> | null = null;
  return async (header, token) => {
    discovery ??= describeProvider(issuer)
      .then(({ keysUrl }) => keysAt(keysUrl))
      .catch((error: unknown) => {
        discovery = null;
        throw error;
      });
    return (await discovery)(header, token);
  };
}

/** Keeps "no such key", which is the token's fault, apart from "no keys", which is not. */
function keysAt(address: string): JWTVerifyGetKey {
  const keys = createRemoteJWKSet(new URL(address), { timeoutDuration: PROVIDER_TIMEOUT });
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
