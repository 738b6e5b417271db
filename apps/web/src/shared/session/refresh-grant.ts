/**
 * The request that renews a session: OAuth 2.0's refresh token grant (RFC 6749, section 6) of a public client.
 * Returns the outcome with its status, and leaves the decision to the caller.
 */
import type { RenewalFailure } from './renewal-rules.ts';
import type { Session } from './session.ts';
import { readClaims, userInfoFrom } from './token-claims.ts';

export type RenewalOutcome = { readonly kind: 'renewed'; readonly session: Session } | RenewalFailure;

export interface RefreshGrantOptions {
  /** Issuer URL of the provider, as in its tokens and its discovery document. */
  readonly issuer: string;
  readonly clientId: string;
  /** Claim of the tokens that holds the roles. Omitted: Keycloak's claim. */
  readonly rolesClaim?: string | undefined;
  readonly fetch: typeof fetch;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

/** Longest wait for the provider, in milliseconds. After that it counts as no answer. */
const ANSWER_TIMEOUT = 10_000;

/** Returns the address of an issuer's metadata (OpenID Connect Discovery 1.0, section 4). */
function discoveryUrl(issuer: string): string {
  return `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
}

/** Requests new tokens. Never rejects: every failure is an outcome. */
export async function refreshSession(session: Session, options: RefreshGrantOptions): Promise<RenewalOutcome> {
  if (session.refreshToken === null) {
    return { kind: 'refused', status: 400, error: 'invalid_grant' };
  }
  const discovery = await ask(options.fetch, discoveryUrl(options.issuer));
  if (!discovery.ok) {
    return discovery.failure;
  }
  const tokenEndpoint = text(discovery.body['token_endpoint']);
  if (tokenEndpoint === null) {
    return { kind: 'unusable' };
  }
  const sentAt = options.now();
  const answer = await ask(options.fetch, tokenEndpoint, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'refresh_token',
      client_id: options.clientId,
      refresh_token: session.refreshToken,
    }),
  });
  return answer.ok ? renewed(session, answer.body, { sentAt, rolesClaim: options.rolesClaim }) : answer.failure;
}

type Answer =
  | { readonly ok: true; readonly body: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly failure: RenewalFailure };

async function ask(fetcher: typeof fetch, url: string, init: RequestInit = {}): Promise<Answer> {
  let response: Response;
  let answered: string;
  try {
    response = await fetcher(url, { ...init, signal: AbortSignal.timeout(ANSWER_TIMEOUT) });
    answered = await response.text();
  } catch (error) {
    // A failed fetch is a TypeError, a timeout a DOMException. In both cases no answer arrived.
    if (error instanceof TypeError || error instanceof DOMException) {
      return { ok: false, failure: { kind: 'no-answer' } };
    }
    throw error;
  }
  const body = jsonRecord(answered);
  if (!response.ok) {
    return { ok: false, failure: { kind: 'refused', status: response.status, error: text(body?.['error']) } };
  }
  return body === null ? { ok: false, failure: { kind: 'unusable' } } : { ok: true, body };
}

/**
 * Returns the session with its new tokens. The lifetime counts from the time of the request, so that it is never
 * overestimated.
 */
function renewed(
  session: Session,
  body: Readonly<Record<string, unknown>>,
  { sentAt, rolesClaim }: { readonly sentAt: number; readonly rolesClaim: string | undefined },
): RenewalOutcome {
  const accessToken = text(body['access_token']);
  const lifetime = body['expires_in'];
  const idToken = text(body['id_token']);
  if (accessToken === null || typeof lifetime !== 'number') {
    return { kind: 'unusable' };
  }
  const idClaims = idToken === null ? {} : readClaims(idToken);
  // OpenID Connect Core 1.0, section 12.2: a renewed identity token must have the same subject.
  const before = session.idToken === null ? undefined : readClaims(session.idToken)['sub'];
  if (idToken !== null && before !== undefined && idClaims['sub'] !== before) {
    return { kind: 'unusable' };
  }
  return {
    kind: 'renewed',
    session: {
      accessToken,
      refreshToken: text(body['refresh_token']) ?? session.refreshToken,
      idToken: idToken ?? session.idToken,
      expiresAt: sentAt + lifetime * 1_000,
      user: idToken === null ? session.user : userInfoFrom(idClaims, readClaims(accessToken), rolesClaim),
    },
  };
}

function jsonRecord(json: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? { ...value } : null;
  } catch (error) {
    if (error instanceof SyntaxError) {
      return null;
    }
    throw error;
  }
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
