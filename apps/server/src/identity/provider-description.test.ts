/** Origins that pages may use for sign-in, according to the provider's discovery document. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { freePort } from '../testing/free-port.ts';
import { buildTestApp, type TestApp } from '../testing/test-app.ts';
import { describeProvider } from './provider-description.ts';

/** Starts a provider whose discovery document is the result of `describe`. */
async function startProvider(describe: (issuer: string) => object, port = 0) {
  const server: Server = createServer((request, response) => {
    const isAsked = request.url === '/.well-known/openid-configuration';
    response.statusCode = isAsked ? 200 : 404;
    response.end(isAsked ? JSON.stringify(describe(issuer)) : '');
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const elsewhere = (issuer: string) => ({
  issuer,
  jwks_uri: 'https://keys.example.org/jwks',
  authorization_endpoint: 'https://login.example.org/authorize',
  token_endpoint: 'https://tokens.example.org/oauth/token',
  userinfo_endpoint: 'https://tokens.example.org/userinfo',
});

async function directive({ app }: TestApp, name: string): Promise<string> {
  const { headers } = await app.inject('/');
  return new RegExp(`${name} ([^;]*)`).exec(String(headers['content-security-policy']))?.[1] ?? '';
}

describe('a provider with endpoints on other hosts', () => {
  it('can be reached from the pages, because their policy names the hosts', async () => {
    await using provider = await startProvider(elsewhere);
    await using test = await buildTestApp({ OIDC_URL: undefined, OIDC_ISSUER: provider.issuer });
    await expect
      .poll(() => directive(test, 'connect-src'))
      .toBe(`'self' ${provider.issuer} https://tokens.example.org https://keys.example.org`);
    expect(await directive(test, 'frame-src')).toBe(`'self' ${provider.issuer} https://login.example.org`);
  });

  it('may be down when the server starts, and is found by the pages later', async () => {
    const port = await freePort();
    const issuer = `http://127.0.0.1:${port}`;
    await using test = await buildTestApp({ OIDC_URL: undefined, OIDC_ISSUER: issuer });
    await expect
      .poll(() => test.log.join(''))
      .toContain('the discovery document of the identity provider could not be read');
    expect(test.log.join('')).toContain(`127.0.0.1 refused the connection to port ${port}.`);
    expect(await directive(test, 'connect-src')).toBe(`'self' ${issuer}`);

    await using _provider = await startProvider(elsewhere, port);
    await expect
      .poll(async () => {
        await test.clock.advance(10_000);
        return directive(test, 'connect-src');
      })
      .toContain('https://tokens.example.org');
    // Logged once, in spite of several requests.
    expect(test.log.join('').split('the discovery document of the identity provider could not be read')).toHaveLength(
      2,
    );
  });
});

describe('discovery document', () => {
  it.each([
    'https://tokens.example.org;script-src',
    "https://a;script-src'unsafe-inline'",
    'https://a,b.example',
    'javascript:alert(1)',
    'ftp://tokens.example.org/',
    'not an address',
    '*',
  ])('cannot write into the content policy: %s', async (address) => {
    await using provider = await startProvider((issuer) => ({ ...elsewhere(issuer), token_endpoint: address }));
    const { origins } = await describeProvider(provider.issuer);
    expect(origins.called).toEqual([provider.issuer, 'https://tokens.example.org', 'https://keys.example.org']);
    expect(JSON.stringify(origins)).not.toMatch(/;|,b|\*|unsafe|javascript|ftp/);
  });

  it('is rejected if it describes another issuer', async () => {
    await using provider = await startProvider(() => elsewhere('https://id.example.org'));
    await expect(describeProvider(provider.issuer)).rejects.toThrow(
      `calls itself https://id.example.org, and the configuration calls it ${provider.issuer}. If it is your provider`,
    );
  });

  it('is rejected if it describes no issuer', async () => {
    await using provider = await startProvider(() => ({}));
    await expect(describeProvider(provider.issuer)).rejects.toThrow('does not describe the issuer');
  });

  it.each<[string, (issuer: string) => string, (issuer: string) => string]>([
    ['more', (issuer) => `${issuer}/`, (issuer) => issuer],
    ['less', (issuer) => issuer, (issuer) => `${issuer}/`],
  ])(
    'with a slash %s than the configuration is rejected, and the line to change is logged',
    async (_name, own, given) => {
      await using provider = await startProvider((issuer) => elsewhere(own(issuer)));
      const configured = given(provider.issuer);
      const right = own(provider.issuer);
      await using test = await buildTestApp({
        OIDC_URL: undefined,
        OIDC_JWKS_URL: undefined,
        OIDC_ISSUER: configured,
        OIDC_CLIENT_ID: 'wirebench-web',
      });
      const message = `The identity provider calls itself ${right}, and the configuration calls it ${configured}. The slash at the end counts. Write OIDC_ISSUER=${right} into the configuration, and start the server again.`;
      const lines = () => test.log.filter((line) => JSON.parse(line).msg === message);
      await expect.poll(lines).toHaveLength(1);
      await test.clock.advance(60_000);
      expect(lines()).toHaveLength(1);
      const { statusCode } = await test.app.inject({ url: '/api/feedback', headers: await test.bearer() });
      expect(statusCode).toBe(503);
    },
  );

  it('is logged with its issuer also if the provider was down at first', async () => {
    const port = await freePort();
    await using test = await buildTestApp({ OIDC_URL: undefined, OIDC_ISSUER: `http://127.0.0.1:${port}/` });
    await expect.poll(() => test.log.join('')).toContain('could not be read');
    await using _provider = await startProvider(elsewhere, port);
    await expect
      .poll(async () => {
        await test.clock.advance(10_000);
        return test.log.join('');
      })
      .toContain(`Write OIDC_ISSUER=http://127.0.0.1:${port} into the configuration`);
  });
});
