/** Public keys of an external identity provider. They are fetched when a token needs them, and cached. */
import { createRemoteJWKSet, errors, type JWTVerifyGetKey } from 'jose';
import type { ExternalIdentity } from '../config.ts';
import { describeProvider, PROVIDER_TIMEOUT } from './provider-description.ts';

/** Returns the key set of `identity`, from its address or from the one in the issuer's discovery document. */
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

/**
 * Returns the key set at `address`. It distinguishes a missing key, which is the token's fault, from missing keys,
 * which are not.
 */
function keysAt(address: string): JWTVerifyGetKey {
  const keys = createRemoteJWKSet(new URL(address), { timeoutDuration: PROVIDER_TIMEOUT });
  return async (header, token) => {
    try {
      return await keys(header, token);
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys) {
        throw error;
      }
      throw new Error(`The keys at ${address} could not be fetched`, { cause: error });
    }
  };
}
