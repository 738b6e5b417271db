/** Where identity comes from: the embedded provider or one elsewhere. The rest of the server sees no difference. */
import type { Clock } from '@wirebench/clock';
import type { PublicConfig } from '@wirebench/contract';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import type { SecurityOptions } from '../plugins/security-headers.ts';
import { openEmbeddedIdentity } from './embedded/embedded-identity.ts';
import { embeddedIdentityRoutes } from './embedded/routes.ts';
import { providerKeys } from './provider-keys.ts';
import { tokenVerifier, type VerifyToken } from './token-verifier.ts';

export interface Identity extends Disposable {
  /** What the web app has to know to sign people in. */
  readonly publicConfig: PublicConfig['oidc'];
  readonly verifyToken: VerifyToken;
  /** Paths of this server that the provider's pages have; null when it is elsewhere. */
  readonly embeddedPaths: SecurityOptions['embedded'];
  /** Adds the provider's routes, where they are ours. */
  addRoutes(app: FastifyInstance): void;
}

export interface IdentityOptions {
  readonly config: Pick<Config, 'identity' | 'dataDir' | 'adminRole'>;
  readonly publicUrl: string;
  readonly clock: Clock;
}

export async function openIdentity({ config, publicUrl, clock }: IdentityOptions): Promise<Identity> {
  const { identity, dataDir, adminRole } = config;
  const { realm, clientId } = identity;
  if (identity.kind === 'external') {
    const { issuer, url, audience } = identity;
    return {
      publicConfig: { issuer, url, realm, clientId },
      verifyToken: tokenVerifier({ issuer, clientId, audience, keys: providerKeys(identity) }, clock),
      embeddedPaths: null,
      addRoutes: () => undefined,
      [Symbol.dispose]: () => undefined,
    };
  }
  const embedded = await openEmbeddedIdentity({ dataDir, publicUrl, realm, clientId, adminRole, clock });
  const { issuer, apiAudience, keys } = embedded;
  const verifyToken = tokenVerifier({ issuer, clientId, audience: apiAudience, keys }, clock);
  return {
    publicConfig: { issuer, url: publicUrl, realm, clientId },
    verifyToken,
    embeddedPaths: { realm: embedded.paths.realm, loginStatusFrame: embedded.paths.loginStatusFrame },
    addRoutes: (app) => embeddedIdentityRoutes(app, { identity: embedded, verifyToken }),
    [Symbol.dispose]: () => embedded.close(),
  };
}
