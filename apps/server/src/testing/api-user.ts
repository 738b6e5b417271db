/** A user who calls the API of a test app and gets JSON. */
import type { TestApp } from './test-app.ts';

type Headers = Readonly<Record<string, string>>;

/** Makes one call. `body` is null if the answer is empty. */
export async function callApi(
  { app }: TestApp,
  headers: Headers,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  url: string,
  payload?: unknown,
) {
  const body = payload === undefined ? {} : { payload: payload as object };
  const answer = await app.inject({ method, url, headers, ...body });
  return { status: answer.statusCode, body: answer.body === '' ? null : answer.json(), headers: answer.headers };
}

let users = 0;

/** Returns a user that no other test of the file has, unless both pass the same name. */
export async function newApiUser(test: TestApp, name = `user-${++users}`) {
  const headers = await test.bearer({ sub: `subject-of-${name}`, preferred_username: name });
  return {
    name,
    headers,
    get: (url: string) => callApi(test, headers, 'GET', url),
    post: (url: string, payload?: unknown) => callApi(test, headers, 'POST', url, payload),
    put: (url: string, payload?: unknown) => callApi(test, headers, 'PUT', url, payload),
    delete: (url: string) => callApi(test, headers, 'DELETE', url),
  };
}
