/**
 * Checks bearer tokens: signature, issuer, expiry, audience. Returns the user. The header's `typ` is not required:
 * RFC 9068 uses `at+jwt`, Keycloak uses `JWT`.
 */
import type { Clock } from '@wirebench/clock';
import { defaultRolesClaim, rolesAt } from '@wirebench/contract';
import { errors, type JWTHeaderParameters, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { BoundedMap } from '../bounded-map.ts';
import type { User } from './user.ts';

export interface TokenRules {
  readonly issuer: string;
  readonly clientId: string;
  /** Value that `aud` must contain. Null: the client id in `aud`, `azp` or `client_id` suffices. */
  readonly audience: string | null;
  readonly keys: JWTVerifyGetKey;
  /** Path of the claim with the roles. Default: Keycloak's. */
  readonly rolesClaim?: string;
  /**
   * Returns the current state of the user of a valid token, if the issuer can be asked; null if the token has ended.
   */
  readonly userNow?: (user: User, claims: JWTPayload) => User | null;
}

export type VerifyToken = (token: string) => Promise<User>;

/** The token is invalid. The reason is for the log only. */
export class InvalidTokenError extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = 'InvalidTokenError';
  }
}

/** The provider's keys are not available, so tokens cannot be checked. */
export class IdentityUnavailableError extends Error {
  constructor(options: ErrorOptions) {
    super('The keys of the identity provider cannot be read', options);
    this.name = 'IdentityUnavailableError';
  }
}

/** Seconds by which the clocks of provider and server may differ. */
const CLOCK_TOLERANCE = 30;

/** Milliseconds after which a token is checked again, in case its key was withdrawn. */
const REMEMBERED = 60_000;

const MAX_TOKENS = 5_000;

export interface VerifiedToken {
  readonly user: User;
  readonly claims: JWTPayload;
}

/**
 * Cache of verified tokens. A page makes many calls with the same token, and checking a signature takes longer than
 * most calls. Invalid tokens are never cached.
 */
export class VerifiedTokens {
  readonly #clock: Clock;
  readonly #tokens: BoundedMap<string, VerifiedToken & { readonly expiry: number }>;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#tokens = new BoundedMap({ capacity: MAX_TOKENS, clock });
  }

  /** Returns the verified token; null if it has to be checked. */
  find(token: string): VerifiedToken | null {
    const known = this.#tokens.get(token);
    return known === undefined || this.#clock.wallTime() >= known.expiry ? null : known;
  }

  /**
   * Caches a token that is valid now.
   *
   * @param expiry Date from which the token is invalid, in milliseconds since the Unix epoch.
   */
  remember(token: string, verified: VerifiedToken, expiry: number): void {
    this.#tokens.set(token, { ...verified, expiry }, this.#clock.now() + REMEMBERED);
  }
}

/**
 * Returns a verifier. A valid token is cached for a minute, or until it expires.
 *
 * @throws InvalidTokenError for an invalid token.
 * @throws IdentityUnavailableError if the provider's keys are not available.
 */
export function tokenVerifier(rules: TokenRules, clock: Clock): VerifyToken {
  const { issuer, clientId, audience, keys, rolesClaim = defaultRolesClaim, userNow = (user: User) => user } = rules;
  const isForUs = (claims: JWTPayload) =>
    audience === null
      ? [...listOf(claims.aud), claims['azp'], claims['client_id']].includes(clientId)
      : listOf(claims.aud).includes(audience);

  const verified = new VerifiedTokens(clock);

  const verify = async (token: string): Promise<VerifiedToken> => {
    const known = verified.find(token);
    if (known !== null) {
      return known;
    }
    const { payload: claims, protectedHeader } = await jwtVerify(token, keys, {
      issuer,
      algorithms: ['RS256', 'ES256'],
      clockTolerance: CLOCK_TOLERANCE,
      requiredClaims: ['sub', 'exp'],
      currentDate: new Date(clock.wallTime()),
    }).catch((error: unknown) => {
      throw isTokenFault(error)
        ? new InvalidTokenError(reasonOf(error, issuer), { cause: error })
        : new IdentityUnavailableError({ cause: error });
    });
    if (isIdToken(protectedHeader, claims, clientId)) {
      throw new InvalidTokenError('an ID token is meant for the client that signed in, not for an API');
    }
    if (!isForUs(claims)) {
      throw new InvalidTokenError('the token was issued for another client or audience');
    }
    const user = userOf(claims, rolesClaim);
    // `exp` is always present, because it is a required claim.
    const { exp = 0 } = claims;
    const expiry = (exp + CLOCK_TOLERANCE) * 1_000;
    verified.remember(token, { user, claims }, expiry);
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

/** Returns true for jose's errors about the token. Its other errors are about fetching the keys. */
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

/** Claims are checked after the signature, so that the issuer in the reason is the provider's own. */
function reasonOf(error: errors.JOSEError, issuer: string): string {
  return error instanceof errors.JWTClaimValidationFailed && error.claim === 'iss' && error.reason === 'check_failed'
    ? `the issuer of the token is ${String(error.payload.iss)}, and that of the configuration is ${issuer}`
    : error.message;
}

/**
 * Returns true for an ID token: one that its provider marks as such, or one addressed to the client itself (OpenID
 * Connect Core, section 2: `aud` and `azp`, if present) without marks of an access token.
 */
function isIdToken(header: JWTHeaderParameters, claims: JWTPayload, clientId: string): boolean {
  const { typ, at_hash, c_hash, token_use, azp } = claims as Readonly<Record<string, unknown>>;
  if (typ === 'ID' || token_use === 'id' || at_hash !== undefined || c_hash !== undefined) {
    return true;
  }
  const isForClient = listOf(claims.aud).includes(clientId) && (azp === undefined || azp === clientId);
  return isForClient && !isMarkedAsAccessToken(header, claims);
}

/**
 * Returns true for an access token, by its type (RFC 9068, Keycloak, Cognito) or by claims that only access tokens
 * have: client and scope.
 */
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
