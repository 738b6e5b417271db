/**
 * Bearer tokens: signature, issuer, expiry, audience, and the user inside. Knows tokens, no requests.
 * The header's `typ` is not looked at: RFC 9068 says `at+jwt`, Keycloak says `JWT`.
 */
import type { Clock } from '@wirebench/clock';
import { errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import type { User } from './user.ts';
import { VerifiedTokens } from './verified-tokens.ts';

export interface TokenRules {
  readonly issuer: string;
  readonly clientId: string;
  /** What `aud` has to contain; null lets the client id in `aud`, `azp` or `client_id` do. */
  readonly audience: string | null;
  readonly keys: JWTVerifyGetKey;
}

export type VerifyToken = (token: string) => Promise<User>;

/** The token is no good, whatever the reason; the reason is for the log. */
export class InvalidTokenError extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = 'InvalidTokenError';
  }
}

/** The provider's keys cannot be had at the moment, so nobody can say whether the token is good. */
export class IdentityUnavailableError extends Error {
  constructor(options: ErrorOptions) {
    super('The keys of the identity provider cannot be read', options);
    this.name = 'IdentityUnavailableError';
  }
}

/** Seconds by which the clocks of provider and server may differ. */
const CLOCK_TOLERANCE = 30;

/** Throws `InvalidTokenError` or `IdentityUnavailableError`. A token that was good counts as that for a minute, or until it expires. */
export function tokenVerifier({ issuer, clientId, audience, keys }: TokenRules, clock: Clock): VerifyToken {
  const isForUs = (claims: JWTPayload) =>
    audience === null
      ? [...listOf(claims.aud), claims['azp'], claims['client_id']].includes(clientId)
      : listOf(claims.aud).includes(audience);

  const verified = new VerifiedTokens();

  return async (token) => {
    const known = verified.userOf(token, clock.now());
    if (known !== null) {
      return known;
    }
    const { payload } = await jwtVerify(token, keys, {
      issuer,
      algorithms: ['RS256', 'ES256'],
      clockTolerance: CLOCK_TOLERANCE,
      requiredClaims: ['sub', 'exp'],
      currentDate: new Date(clock.now()),
    }).catch((error: unknown) => {
      throw isTokenFault(error)
        ? new InvalidTokenError(error.message, { cause: error })
        : new IdentityUnavailableError({ cause: error });
    });
    if (isIdToken(payload)) {
      throw new InvalidTokenError('an ID token is meant for the client that signed in, not for an API');
    }
    if (!isForUs(payload)) {
      throw new InvalidTokenError('the token was issued for another client or audience');
    }
    const user = userOf(payload);
    // There is one: it is among the required claims.
    const { exp = 0 } = payload;
    const expiry = (exp + CLOCK_TOLERANCE) * 1_000;
    verified.remember(token, user, { now: clock.now(), expiry });
    return user;
  };
}

/** What jose says of a token; anything else it throws is about fetching the keys. */
function isTokenFault(error: unknown): error is errors.JOSEError {
  return (
    error instanceof errors.JWTExpired ||
    error instanceof errors.JWTClaimValidationFailed ||
    error instanceof errors.JWTInvalid ||
    error instanceof errors.JWSInvalid ||
    error instanceof errors.JWSSignatureVerificationFailed ||
    error instanceof errors.JOSEAlgNotAllowed ||
    error instanceof errors.JOSENotSupported ||
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys
  );
}

/** Keycloak marks its ID tokens; elsewhere the hash of the access token that came along gives them away. */
function isIdToken(claims: JWTPayload): boolean {
  return claims['typ'] === 'ID' || claims['at_hash'] !== undefined;
}

function userOf(claims: JWTPayload): User {
  const subject = claims.sub;
  if (subject === undefined || subject === '') {
    throw new InvalidTokenError('the token has no subject');
  }
  const name = textOf(claims['name']);
  return {
    subject,
    username: textOf(claims['preferred_username']) ?? name ?? subject,
    name,
    email: textOf(claims['email']),
    picture: textOf(claims['picture']),
    roles: rolesOf(claims['realm_access']),
  };
}

function rolesOf(realmAccess: unknown): readonly string[] {
  const roles = typeof realmAccess === 'object' && realmAccess !== null && 'roles' in realmAccess && realmAccess.roles;
  return Array.isArray(roles) ? roles.filter((role) => typeof role === 'string') : [];
}

function textOf(claim: unknown): string | null {
  return typeof claim === 'string' && claim.trim() !== '' ? claim : null;
}

function listOf(audience: string | string[] | undefined): readonly unknown[] {
  return audience === undefined ? [] : [audience].flat();
}
