/** Reads the discovery document of an external identity provider (OpenID Connect Discovery 1.0, section 4). */
import * as z from 'zod/mini';

/** Milliseconds within which a provider has to answer. */
export const PROVIDER_TIMEOUT = 5_000;

/** Origins that pages need for sign-in. */
export interface ProviderOrigins {
  /** Origins that scripts send requests to. */
  readonly called: readonly string[];
  /** Origins of the hidden frame that checks for a session. */
  readonly framed: readonly string[];
}

export interface ProviderDescription {
  readonly keysUrl: string;
  readonly origins: ProviderOrigins;
}

const Discovery = z.object({
  issuer: z.string(),
  jwks_uri: z.string(),
  authorization_endpoint: z.optional(z.string()),
  token_endpoint: z.optional(z.string()),
  userinfo_endpoint: z.optional(z.string()),
});

/**
 * The provider names another issuer than the configuration does. Its document must not be used then, also if the two
 * differ in a slash alone (OpenID Connect Discovery 1.0, section 4.3; RFC 8414, section 3.3). Its tokens name its own
 * value, which has to be equal to the letter as well.
 */
export class OtherIssuerError extends Error {
  constructor(configured: string, own: string) {
    const isSlash = configured.replace(/\/+$/, '') === own.replace(/\/+$/, '');
    super(
      [
        `The identity provider calls itself ${shown(own)}, and the configuration calls it ${shown(configured)}.`,
        isSlash ? 'The slash at the end counts.' : 'If it is your provider, its own name counts.',
        `Write OIDC_ISSUER=${shown(own)} into the configuration, and start the server again.`,
      ].join(' '),
    );
    this.name = 'OtherIssuerError';
  }
}

/** Longest issuer in a message, in UTF-16 code units. */
const MAX_SHOWN = 300;

const shown = (issuer: string) => (issuer.length > MAX_SHOWN ? `${issuer.slice(0, MAX_SHOWN)}…` : issuer);

/**
 * Reads the document.
 *
 * @throws OtherIssuerError if the provider describes another issuer.
 * @throws Error if the provider does not answer with a document.
 */
export async function describeProvider(issuer: string, signal?: AbortSignal): Promise<ProviderDescription> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const timeout = AbortSignal.timeout(PROVIDER_TIMEOUT);
  const answer = await fetch(address, {
    signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
    redirect: 'error',
  });
  const { data } = Discovery.safeParse(answer.ok ? await answer.json() : null);
  if (data === undefined) {
    throw new Error(`${address} answered ${answer.status} and does not describe the issuer ${issuer}`);
  }
  if (data.issuer !== issuer) {
    throw new OtherIssuerError(issuer, data.issuer);
  }
  return {
    keysUrl: data.jwks_uri,
    origins: {
      called: originsOf([issuer, data.token_endpoint, data.userinfo_endpoint, data.jwks_uri]),
      framed: originsOf([issuer, data.authorization_endpoint]),
    },
  };
}

/**
 * Returns the distinct origins. A host with characters that could end a directive of a content policy is dropped:
 * `https://id.example.org;script-src` is a valid address.
 */
function originsOf(addresses: readonly (string | undefined)[]): readonly string[] {
  const origins = addresses.flatMap((address) => {
    const url = address === undefined ? null : URL.parse(address);
    return url !== null && /^https?:$/.test(url.protocol) && /^[\w.[\]:-]+$/.test(url.host) ? [url.origin] : [];
  });
  return [...new Set(origins)];
}
