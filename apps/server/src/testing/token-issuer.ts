/** An external identity provider: a key set on its own port, and tokens with any claims. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

/** Claims of any name and type. Undefined removes a claim. */
export type Claims = Readonly<Record<string, unknown>>;

export interface TokenIssuer extends AsyncDisposable {
  /** Settings of a server that trusts the issuer. */
  readonly environment: { readonly OIDC_URL: string };
  readonly url: string;
  readonly issuer: string;
  /** Returns the number of requests for the key set. */
  readonly fetches: () => number;
  /** Signs claims. `header` overrides the default header. */
  sign(claims: Claims, header?: { kid?: string; typ?: string }): Promise<string>;
}

/**
 * Starts an issuer with Keycloak's paths.
 *
 * @param algorithm Signature algorithm.
 */
export async function startTokenIssuer(algorithm: 'RS256' | 'ES256' | 'PS256' = 'ES256'): Promise<TokenIssuer> {
  const { publicKey, privateKey } = await generateKeyPair(algorithm);
  const jwk = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(jwk);
  let fetches = 0;
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    if (request.url?.endsWith('/certs')) {
      fetches++;
      response.end(JSON.stringify({ keys: [{ ...jwk, kid, alg: algorithm, use: 'sig' }] }));
    } else {
      response.end(JSON.stringify({ issuer, jwks_uri: `${issuer}/protocol/openid-connect/certs` }));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const issuer = `${url}/realms/wirebench`;
  return {
    environment: { OIDC_URL: url },
    url,
    issuer,
    fetches: () => fetches,
    sign: (claims, header = {}) =>
      new SignJWT(claims as JWTPayload)
        .setProtectedHeader({ alg: algorithm, kid, typ: 'JWT', ...header })
        .sign(privateKey),
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
