/**
 * Bearer tokens: signature, issuer, expiry, audience, and the user inside. Knows tokens, no requests.
 * The header's `typ` need not say so: RFC 9068 says `at+jwt`, Keycloak says `JWT`.
 */
import type { Clock } from '@wirebench/clock';
import { defaultRolesClaim, rolesAt } from '@wirebench/contract';
import { errors, type JWTHeaderParameters, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import type { User } from './user.ts';
import { type VerifiedToken, VerifiedTokens } from './verified-tokens.ts';

export interface TokenRules {
  readonly issuer: string;
  readonly clientId: string;
  /** What `aud` has to contain; null lets the client id in `aud`, `azp` or `client_id` do. */
  readonly audience: string | null;
  readonly keys: JWTVerifyGetKey;
  /** Path of the claim that holds the roles; Keycloak's without it. */
  readonly rolesClaim?: string;
  /** What the issuer says by now of the user of a good token, where it can be asked; null when the token has ended. */
  readonly userNow?: (user: User, claims: JWTPayload) => User | null;
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
export function tokenVerifier(rules: TokenRules, clock: Clock): VerifyToken {
  const { issuer, clientId, audience, keys, rolesClaim = defaultRolesClaim, userNow = (user: User) => user } = rules;
  const isForUs = (claims: JWTPayload) =>
    audience === null
      ? [...listOf(claims.aud), claims['azp'], claims['client_id']].includes(clientId)
      : listOf(claims.aud).includes(audience);

  const verified = new VerifiedTokens();

  const verify = async (token: string): Promise<VerifiedToken> => {
    const known = verified.find(token, clock.now());
    if (known !== null) {
      return known;
    }
    const { payload: claims, protectedHeader } = await jwtVerify(token, keys, {
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
    if (isIdToken(protectedHeader, claims, clientId)) {
      throw new InvalidTokenError('an ID token is meant for the client that signed in, not for an API');
    }
    if (!isForUs(claims)) {
      throw new InvalidTokenError('the token was issued for another client or audience');
    }
    const user = userOf(claims, rolesClaim);
    // There is one: it is among the required claims.
    const { exp = 0 } = claims;
    const expiry = (exp + CLOCK_TOLERANCE) * 1_000;
    verified.remember(token, { user, claims }, { now: clock.now(), expiry });
    return { user, claims };
  };

  return async (token) => {
    const { user, claims } = await verify(token);
    const current = userNow(user, claims);
    if (current === null) {
      throw new InvalidTokenError('the session of the token has ended');
    }
    return current;
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

/**
 * What providers mark as an ID token is one, and so is what is addressed to the client itself (OpenID Connect Core, section 2: `aud` and,
 * where there is one, `azp`) and bears no sign of an access token.
 */
function isIdToken(header: JWTHeaderParameters, claims: JWTPayload, clientId: string): boolean {
  const { typ, at_hash, c_hash, token_use, azp } = claims as Readonly<Record<string, unknown>>;
  if (typ === 'ID' || token_use === 'id' || at_hash !== undefined || c_hash !== undefined) {
    return true;
  }
  const isForClient = listOf(claims.aud).includes(clientId) && (azp === undefined || azp === clientId);
  return isForClient && !isMarkedAsAccessToken(header, claims);
}

/** By type (RFC 9068, Keycloak, Cognito), or by what only access tokens say: for whom they were issued, and what they allow. */
function isMarkedAsAccessToken({ typ }: JWTHeaderParameters, claims: JWTPayload): boolean {
  return (
    /^(application\/)?at\+jwt$/i.test(typ ?? '') ||
    claims['typ'] === 'Bearer' ||
    claims['token_use'] === 'access' ||
    ['client_id', 'cid', 'scope', 'scp'].some((claim) => claims[claim] !== undefined)
  );
}

function userOf(claims: JWTPayload, rolesClaim: string): User {
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
    roles: rolesAt(claims, rolesClaim) ?? [],
  };
}

function textOf(claim: unknown): string | null {
  return typeof claim === 'string' && claim.trim() !== '' ? claim : null;
}

function listOf(audience: string | string[] | undefined): readonly unknown[] {
  return audience === undefined ? [] : [audience].flat();
}
