/** Another site sends the login form, to sign a visitor in to an account that the visitor did not choose. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Browser } from '../../testing/browser.ts';
import { lab, startServerWithAccounts } from '../../testing/local-accounts.ts';
import { authorizationRequest, postPassword } from '../../testing/sign-in.ts';
import type { TestServer } from '../../testing/test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startServerWithAccounts();
});

afterAll(() => server[Symbol.asyncDispose]());

const send = (origin: string) => postPassword(new Browser(), authorizationRequest(server.address), lab, { origin });

describe('a login form that another site sends', () => {
  it('is refused by where it comes from, even where the site has guessed its address', async () => {
    // Cookies treat another port as the same site.
    for (const origin of ['https://evil.example', 'null', `http://localhost:${server.port + 1}`]) {
      expect([origin, (await send(origin)).status]).toEqual([origin, 403]);
    }
    expect((await send(server.address)).status).toBe(303);
  });

  it('is of no use to a browser that did not begin the sign-in', async () => {
    const first = await new Browser().fetch(authorizationRequest(server.address).url);
    const login = new URL(first.headers.get('location') ?? '', server.address);
    const answer = await new Browser().post(login, { ...lab });
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
  });
});
