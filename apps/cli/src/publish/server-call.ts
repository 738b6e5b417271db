/** Calls of a server with a publishing token, and what its answers name. */
import { ErrorAnswer, nameKey, type Project, pagePaths, type Version } from '@wirebench/contract';
import { isLoopback } from '@wirebench/flasher/release';
import { ConnectionError, outgoingFetch } from '../network/outgoing-fetch.ts';
import { PublishError } from './publish-error.ts';

interface Schema<Answer> {
  parse(value: unknown): Answer;
}

const againText = 'Run the same command again: it continues where this one ended.';

/**
 * Returns the function that calls a server with a publishing token. It throws a PublishError for every failure. Warns
 * on standard error when the token would cross a network in clear; a lab may have no certificate, so it is not refused.
 */
export function caller(server: string, token: string) {
  const { protocol, hostname } = new URL(server);
  if (protocol === 'http:' && !isLoopback(hostname)) {
    console.error(
      `Warning: the publishing token goes to ${server} without encryption: whoever can read the traffic can publish with it. Use https, or a network that you trust.`,
    );
  }
  return async <Answer>(
    path: string,
    schema: Schema<Answer>,
    body?: FormData | object,
    signal: AbortSignal | null = null,
  ): Promise<Answer> => {
    const json = body === undefined || body instanceof FormData ? null : JSON.stringify(body);
    const failed = (error: unknown): never => {
      signal?.throwIfAborted();
      // Something may have been stored, unless the call only reads.
      const hint = body === undefined ? '' : ` ${againText}`;
      throw error instanceof ConnectionError ? new PublishError(`${error.message}${hint}`, { cause: error }) : error;
    };
    const answer = await outgoingFetch(`${server}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${token}`, ...(json === null ? {} : { 'content-type': 'application/json' }) },
      body: json ?? (body instanceof FormData ? body : null),
      signal,
    }).catch(failed);
    if (answer.status === 401) {
      throw new PublishError(
        `The publishing token is invalid, expired or revoked. Create a new one on ${server}${pagePaths.releases}, under Tokens.`,
      );
    }
    const content = readJson(await answer.text().catch(failed));
    if (!answer.ok) {
      const refusal = ErrorAnswer.safeParse(content);
      const isPassing = answer.status >= 500;
      const text = refusal.success ? refusal.data.error : `${server} answered ${answer.status}`;
      throw new PublishError(isPassing ? `${text.replace(/\.$/, '')}. ${againText}` : text, { status: answer.status });
    }
    try {
      return schema.parse(content);
    } catch (error) {
      throw new PublishError(`${server} does not answer like a Wirebench server. Check --server.`, { cause: error });
    }
  };
}

/** Returns null for a text that is no JSON. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Returns the version of that number; null if the project has none. */
export function versionNumbered(number: string, { _id }: Project, projects: readonly Project[]): Version | null {
  const versions = projects.find((project) => project._id === _id)?.versions ?? [];
  return versions.find(({ version }) => nameKey(version) === nameKey(number)) ?? null;
}

/** @throws PublishError without such a project. */
export function projectNamed(wanted: string, projects: readonly Project[]): Project {
  const found = projects.find(({ _id, name }) => _id === wanted || nameKey(name) === nameKey(wanted));
  if (found === undefined) {
    const names = projects.map(({ name }) => `"${name}"`).join(', ');
    throw new PublishError(
      `There is no project "${wanted}". ${names === '' ? 'You have no projects yet.' : `Your projects: ${names}.`}`,
    );
  }
  return found;
}
