/** What the kinds of writes have in common: how they call, and what counts as an answer. */
import { setTimeout as sleep } from 'node:timers/promises';

/** One kind of write, with what it remembers. */
export interface Writer {
  /** True when it was acknowledged, false when it was refused or nobody answered. */
  write(call: Call): Promise<boolean>;
  /** What was acknowledged and is not as it should be, in words. */
  findMissing(call: Call): Promise<readonly string[]>;
}

/** An answer, or null when nobody gave one. */
export type Call = (path: string, options?: RequestInit) => Promise<Response | null>;

/** The options of a POST with a JSON body. */
export const json = (body: object): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** The body of an answer; null when its end never came, which counts as no answer. */
export async function bodyOf(answer: Response | null): Promise<unknown> {
  return answer?.ok ? answer.json().catch(() => null) : null;
}

/** Times that a read is tried where the server says to come back: a database on a busy machine may keep it waiting. */
const ATTEMPTS = 12;

/** The answer to a read; one that says to come back only when it has been saying so for a minute. */
export async function callWithRetries(call: Call, path: string): Promise<Response | null> {
  for (let attempt = 1; ; attempt++) {
    const answer = await call(path);
    if (answer?.status !== 503 || attempt === ATTEMPTS) {
      return answer;
    }
    await sleep(Number(answer.headers.get('retry-after')) * 1_000);
  }
}

/** Throws when there is no answer, which a server that is well never does. */
export async function read(call: Call, path: string): Promise<unknown> {
  const answer = await callWithRetries(call, path);
  if (!answer?.ok) {
    throw new Error(`${path} answered ${answer?.status ?? 'nothing'}`);
  }
  return answer.json();
}
