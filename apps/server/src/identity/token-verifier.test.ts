import { VirtualClock } from '@wirebench/clock';
import { generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { type Claims, startTokenIssuer, type TokenIssuer } from '../testing/token-issuer.ts';
import { providerKeys } from './identity.ts';
import { IdentityUnavailableError, InvalidTokenError, tokenVerifier } from './token-verifier.ts';

const now = 1_800_000_000;

function verifierFor(issuer: TokenIssuer, audience: string | null = null) {
  const keys = providerKeys({ issuer: issuer.issuer, jwksUrl: null });
  return tokenVerifier(
    { issuer: issuer.issuer, clientId: 'wirebench-web', audience, keys },
    new VirtualClock(now * 1_000),
  );
}

const claims = (issuer: TokenIssuer, more: Claims = {}): Claims => ({
  iss: issuer.issuer,
  sub: 'f81d4fae',
  exp: now + 300,
  aud: 'account',
  azp: 'wirebench-web',
  ...more,
});

describe('bearer token', () => {
  it('gives the user as Keycloak describes it', async () => {
    await using issuer = await startTokenIssuer('RS256');
    const token = await issuer.sign(
      claims(issuer, {
        preferred_username: 'maker',
        name: 'Mina Maker',
        email: 'maker@wirebench.example',
        picture: 'https://id.example.org/maker.png',
        realm_access: { roles: ['user', 'admin', 7] },
      }),
    );
    expect(await verifierFor(issuer)(token)).toEqual({
      subject: 'f81d4fae',
      username: 'maker',
      name: 'Mina Maker',
      email: 'maker@wirebench.example',
      picture: 'https://id.example.org/maker.png',
      roles: ['user', 'admin'],
    });
  });

  it('is accepted with only a subject', async () => {
    await using issuer = await startTokenIssuer();
    expect(await verifierFor(issuer)(await issuer.sign(claims(issuer, { name: '', realm_access: 'all' })))).toEqual({
      subject: 'f81d4fae',
      username: 'f81d4fae',
      name: null,
      email: null,
      picture: null,
      roles: [],
    });
  });

  it('has its roles at the path that the provider uses', async () => {
    await using issuer = await startTokenIssuer();
    const keys = providerKeys({ issuer: issuer.issuer, jwksUrl: null });
    const rolesClaim = 'resource_access.wirebench-web.roles';
    const verify = tokenVerifier(
      { issuer: issuer.issuer, clientId: 'wirebench-web', audience: null, keys, rolesClaim },
      new VirtualClock(now * 1_000),
    );
    const resource_access = { 'wirebench-web': { roles: ['admin'] }, other: { roles: ['root'] } };
    const { roles } = await verify(
      await issuer.sign(claims(issuer, { resource_access, realm_access: { roles: ['x'] } })),
    );
    expect(roles).toEqual(['admin']);
  });

  it.each<[string, Claims]>([
    ['is for the client by azp', { aud: 'account', azp: 'wirebench-web' }],
    ['is for the client by aud', { aud: ['account', 'wirebench-web'], azp: 'other' }],
    [
      'is for the client by client_id',
      { aud: 'https://bench.example.org/api', azp: 'other', client_id: 'wirebench-web' },
    ],
    ['expired 29 seconds ago by our clock', { exp: now - 29 }],
    ['begins in 29 seconds by our clock', { nbf: now + 29 }],
  ])('is accepted if it %s', async (_name, more) => {
    await using issuer = await startTokenIssuer();
    await expect(verifierFor(issuer)(await issuer.sign(claims(issuer, more)))).resolves.toBeDefined();
  });

  it.each<[string, Claims]>([
    ['is for another client', { azp: 'other' }],
    ['has another issuer', { iss: 'https://id.example.org/realms/wirebench' }],
    ['names no issuer', { iss: undefined }],
    ['expired 31 seconds ago', { exp: now - 31 }],
    ['never expires', { exp: undefined }],
    ['begins in a minute', { nbf: now + 60 }],
    ['names no subject', { sub: undefined }],
    ['names an empty subject', { sub: '' }],
    ["is Keycloak's ID token", { typ: 'ID', aud: 'wirebench-web' }],
    ['is an ID token that came with an access token', { at_hash: 'x', aud: 'wirebench-web' }],
    ['is an ID token that says nothing of an access token', { aud: 'wirebench-web' }],
  ])('is refused if it %s', async (_name, more) => {
    await using issuer = await startTokenIssuer();
    await expect(verifierFor(issuer)(await issuer.sign(claims(issuer, more)))).rejects.toBeInstanceOf(
      InvalidTokenError,
    );
  });

  it('is refused with both issuers in the reason if they differ in a slash', async () => {
    await using issuer = await startTokenIssuer();
    const iss = `${issuer.issuer}/`;
    await expect(verifierFor(issuer)(await issuer.sign(claims(issuer, { iss })))).rejects.toThrow(
      `the issuer of the token is ${iss}, and that of the configuration is ${issuer.issuer}`,
    );
  });

  it('must name the audience if one is configured', async () => {
    await using issuer = await startTokenIssuer();
    const verify = verifierFor(issuer, 'bench-api');
    await expect(
      verify(await issuer.sign(claims(issuer, { aud: ['bench-api'], azp: 'other' }))),
    ).resolves.toBeDefined();
    await expect(verify(await issuer.sign(claims(issuer)))).rejects.toBeInstanceOf(InvalidTokenError);
  });

  it('is refused if another key signed it, whatever key it names', async () => {
    await using issuer = await startTokenIssuer();
    await using impostor = await startTokenIssuer();
    const [, body] = (await issuer.sign(claims(issuer))).split('.');
    const [head, , signature] = (await impostor.sign(claims(issuer))).split('.');
    const verify = verifierFor(issuer);
    for (const forged of [
      await impostor.sign(claims(issuer)),
      await impostor.sign(claims(issuer), { kid: JSON.parse(atob((await issuer.sign({})).split('.')[0] ?? '')).kid }),
      `${head}.${body}.${signature}`,
    ]) {
      await expect(verify(forged)).rejects.toBeInstanceOf(InvalidTokenError);
    }
  });

  it('is refused with another algorithm, without a signature, or in another format', async () => {
    await using issuer = await startTokenIssuer('PS256');
    const verify = verifierFor(issuer);
    const secret = new TextEncoder().encode('a shared secret of thirty-two bytes');
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    for (const token of [
      await issuer.sign(claims(issuer)),
      await new SignJWT(claims(issuer) as JWTPayload).setProtectedHeader({ alg: 'HS256' }).sign(secret),
      `${encode({ alg: 'none' })}.${encode(claims(issuer))}.`,
      'not.a.token',
      '',
    ]) {
      await expect(verify(token)).rejects.toBeInstanceOf(InvalidTokenError);
    }
  });
});

describe('a verified bearer token', () => {
  it('is accepted again for a minute without another check of its signature', async () => {
    await using issuer = await startTokenIssuer();
    const token = await issuer.sign(claims(issuer));
    const clock = new VirtualClock(now * 1_000);
    const found = providerKeys({ issuer: issuer.issuer, jwksUrl: null });
    let looks = 0;
    const verify = tokenVerifier(
      {
        issuer: issuer.issuer,
        clientId: 'wirebench-web',
        audience: null,
        keys: (header, jws) => {
          looks++;
          return found(header, jws);
        },
      },
      clock,
    );
    const user = await verify(token);
    await clock.advance(59_000);
    expect(await verify(token)).toEqual(user);
    expect(looks).toBe(1);
    await clock.advance(2_000);
    expect(await verify(token)).toEqual(user);
    expect(looks).toBe(2);
  });

  it('is refused once it has expired', async () => {
    await using issuer = await startTokenIssuer();
    const clock = new VirtualClock(now * 1_000);
    const keys = providerKeys({ issuer: issuer.issuer, jwksUrl: null });
    const verify = tokenVerifier({ issuer: issuer.issuer, clientId: 'wirebench-web', audience: null, keys }, clock);
    const token = await issuer.sign(claims(issuer, { exp: now + 5 }));
    await verify(token);
    await clock.advance(34_000);
    await expect(verify(token)).resolves.toBeDefined();
    await clock.advance(1_000);
    await expect(verify(token)).rejects.toBeInstanceOf(InvalidTokenError);
  });

  it('does not make another token with the same claims valid', async () => {
    await using issuer = await startTokenIssuer();
    const verify = verifierFor(issuer);
    const token = await issuer.sign(claims(issuer));
    await verify(token);
    const [head, body, signature = ''] = token.split('.');
    const turned = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
    await expect(verify(`${head}.${body}.${turned}`)).rejects.toBeInstanceOf(InvalidTokenError);
  });
});

describe('keys of the provider', () => {
  it('are fetched once for many tokens', async () => {
    await using issuer = await startTokenIssuer();
    const verify = verifierFor(issuer);
    for (let call = 0; call < 5; call++) {
      await verify(await issuer.sign(claims(issuer)));
    }
    expect(issuer.fetches()).toBe(1);
  });

  it('are reported as unavailable, not as a fault of the token', async () => {
    const issuer = await startTokenIssuer();
    const token = await issuer.sign(claims(issuer));
    const byDiscovery = verifierFor(issuer);
    const keys = providerKeys({ issuer: issuer.issuer, jwksUrl: `${issuer.issuer}/protocol/openid-connect/certs` });
    const byAddress = tokenVerifier(
      { issuer: issuer.issuer, clientId: 'wirebench-web', audience: null, keys },
      new VirtualClock(now * 1_000),
    );
    await issuer[Symbol.asyncDispose]();
    await expect(byDiscovery(token)).rejects.toBeInstanceOf(IdentityUnavailableError);
    await expect(byAddress(token)).rejects.toBeInstanceOf(IdentityUnavailableError);
  });

  it('are refused from a document that describes another issuer', async () => {
    await using issuer = await startTokenIssuer();
    const elsewhere = `${issuer.url}/realms/other`;
    const keys = providerKeys({ issuer: elsewhere, jwksUrl: null });
    const verify = tokenVerifier(
      { issuer: elsewhere, clientId: 'wirebench-web', audience: null, keys },
      new VirtualClock(now * 1_000),
    );
    await expect(verify(await issuer.sign(claims(issuer, { iss: elsewhere })))).rejects.toThrow(
      IdentityUnavailableError,
    );
  });

  it('do not verify a token signed with EdDSA', async () => {
    const { privateKey } = await generateKeyPair('EdDSA');
    await using issuer = await startTokenIssuer();
    const token = await new SignJWT(claims(issuer) as JWTPayload).setProtectedHeader({ alg: 'EdDSA' }).sign(privateKey);
    await expect(verifierFor(issuer)(token)).rejects.toBeInstanceOf(InvalidTokenError);
  });
});
