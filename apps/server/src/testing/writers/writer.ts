/** The common part of all kinds of writes: calls, retries and answers. */
import { setTimeout as sleep } from 'node:timers/promises';

/** One kind of write with its acknowledged data. */
export interface Writer {
  /** Returns true if the write was acknowledged, false if it was refused or not answered. */
  write(call: Call): Promise<boolean>;
  /** Returns sentences about acknowledged data that is missing or wrong. */
  findMissing(call: Call): Promise<readonly string[]>;
}

/** Makes a call. Returns null if there was no answer. */
export type Call = (path: string, options?: RequestInit) => Promise<Response | null>;

/** Returns the options of a POST with a JSON body. */
export const json = (body: object): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** Returns the body of an answer. Returns null if it was cut off, which counts as no answer. */
export async function bodyOf(answer: Response | null): Promise<unknown> {
  return answer?.ok ? answer.json().catch(() => null) : null;
}

/** Attempts of a read that is answered with 503: a database on a busy machine may be slow. */
const ATTEMPTS = 12;

/** Makes a read and retries it while the answer is 503, for about a minute. */
export async function callWithRetries(call: Call, path: string): Promise<Response | null> {
  for (let attempt = 1; ; attempt++) {
    const answer = await call(path);
    if (answer?.status !== 503 || attempt === ATTEMPTS) {
      return answer;
    }
    await sleep(Number(answer.headers.get('retry-after')) * 1_000);
  }
}

/**
 * Reads JSON.
 *
 * @throws Error if there is no successful answer, which a healthy server always gives.
 */
export async function read(call: Call, path: string): Promise<unknown> {
  const answer = await callWithRetries(call, path);
  if (!answer?.ok) {
    throw new Error(`${path} answered ${answer?.status ?? 'nothing'}`);
  }
  return answer.json();
}
