import { VirtualClock } from '@wirebench/clock';
import { describe, expect, it, vi } from 'vitest';
import { testStorage } from '../session/testing.ts';
import { interceptFrames, interceptingFetch, interceptingXhr } from './answer-login-status.ts';
import { AnswerCache, cachingFetch } from './cache-answers.ts';

const realm = 'https://id.example/realms/wirebench';
const loginStatus = `${realm}/protocol/openid-connect/login-status-iframe.html`;
const discovery = `${realm}/.well-known/openid-configuration`;

function intercepted(answer: () => Response | Promise<Response>) {
  const clock = new VirtualClock(1_000_000);
  const real = vi.fn<typeof fetch>(async () => answer());
  const storage = testStorage();
  const cache = () => new AnswerCache(storage, () => clock.now());
  const page = () => cachingFetch(interceptingFetch(real, clock), cache());
  return {
    clock,
    real,
    storage,
    fetch: page(),
    nextPage: page,
  };
}

describe('fetch', () => {
  it('answers the login-status check itself: unchanged, 200, after 10 ms', async () => {
    const { clock, real, fetch } = intercepted(() => Response.error());
    const answered = vi.fn<(response: Response) => void>();
    void fetch(`${loginStatus}/init`).then(answered);
    await clock.advance(9);
    expect(answered).not.toHaveBeenCalled();
    await clock.advance(1);
    const response = answered.mock.lastCall?.[0];
    expect(response?.status).toBe(200);
    expect(await response?.text()).toBe('unchanged');
    expect(real).not.toHaveBeenCalled();
  });

  it.each([
    new Request(`${realm}/protocol/openid-connect/token`, { method: 'POST' }),
    `${realm}/protocol/openid-connect/userinfo`,
    new URL(`${realm}/protocol/openid-connect/logout`),
    '/api/feedback',
  ])('passes everything else on, each time (%#)', async (input) => {
    const { real, fetch, storage } = intercepted(() => Response.json({}));
    const init = { cache: 'no-store' } as const;
    await fetch(input, init);
    await fetch(input, init);
    expect(real.mock.calls).toEqual([
      [input, init],
      [input, init],
    ]);
    expect(storage.items.size).toBe(0);
  });

  it('keeps discovery and keys for ten minutes, on later pages too', async () => {
    const keys = 'https://id.example/other/keys';
    const { clock, real, fetch, nextPage } = intercepted(() => Response.json({ jwks_uri: keys }));
    await fetch(discovery);
    await fetch(keys);
    const later = nextPage();
    expect(await (await later(discovery)).json()).toEqual({ jwks_uri: keys });
    await later(keys);
    expect(real).toHaveBeenCalledTimes(2);
    await clock.advance(599_999);
    await later(discovery);
    expect(real).toHaveBeenCalledTimes(2);
    await clock.advance(1);
    await later(discovery);
    expect(real).toHaveBeenCalledTimes(3);
  });

  it.each([
    ['a refusal', () => new Response('{}', { status: 503 })],
    ['a page', () => new Response('<h1>')],
  ])('does not keep %s', async (_what, answer) => {
    const { real, fetch } = intercepted(answer);
    await fetch(discovery);
    expect((await fetch(discovery)).status).toBe(answer().status);
    expect(real).toHaveBeenCalledTimes(2);
  });

  it('asks again when what it kept was damaged', async () => {
    const { real, fetch, storage } = intercepted(() => Response.json({}));
    await fetch(discovery);
    for (const key of storage.items.keys()) {
      storage.items.set(key, '{"at":"x"}');
    }
    await fetch(discovery);
    expect(real).toHaveBeenCalledTimes(2);
  });
});

describe('XMLHttpRequest', () => {
  it('answers the login-status check itself: unchanged, 200, after 10 ms', async () => {
    const clock = new VirtualClock();
    const request = new (interceptingXhr(XMLHttpRequest, clock))();
    const seen: string[] = [];
    request.onreadystatechange = () => seen.push(`state ${request.readyState}`);
    request.onload = () =>
      seen.push(`${request.status} ${request.responseText} ${request.getResponseHeader('Content-Type')}`);
    request.open('GET', `${loginStatus}?version=1`);
    seen.length = 0;
    request.send();
    await clock.advance(9);
    expect(seen).toEqual([]);
    await clock.advance(1);
    expect(seen).toEqual(['state 4', '200 unchanged text/plain']);
  });

  it('answers nothing once it is aborted', async () => {
    const clock = new VirtualClock();
    const request = new (interceptingXhr(XMLHttpRequest, clock))();
    request.onload = () => expect.unreachable();
    request.open('GET', loginStatus);
    request.send();
    request.abort();
    await clock.advance(20);
    expect(request.status).toBe(0);
  });

  it('is the real one for other addresses', () => {
    const sent: string[] = [];
    class Recorded extends XMLHttpRequest {
      override send() {
        sent.push('sent');
      }
    }
    const request = new (interceptingXhr(Recorded, new VirtualClock()))();
    request.open('GET', `${realm}/protocol/openid-connect/userinfo`);
    request.send();
    expect(sent).toEqual(['sent']);
  });
});

describe('frames', () => {
  it('show the local page in the place of the login-status page, however they are pointed at it', () => {
    interceptFrames(HTMLIFrameElement.prototype);
    const frame = document.createElement('iframe');
    frame.src = loginStatus;
    expect(frame.getAttribute('src')).toBe('/login-status.html');
    frame.setAttribute('SRC', `${loginStatus}?version=2`);
    expect(frame.getAttribute('src')).toBe('/login-status.html');
    frame.src = 'https://id.example/other';
    expect(frame.src).toBe('https://id.example/other');
    frame.setAttribute('title', loginStatus);
    expect(frame.title).toBe(loginStatus);
  });
});
