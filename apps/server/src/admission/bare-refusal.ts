/**
 * Refusals that are sent without the framework, before or instead of its answer. Their bytes are prepared once, not
 * for each request.
 */
import { type ServerResponse, STATUS_CODES } from 'node:http';
import { type ErrorAnswer, type ErrorCode, errorStatus, errorText, sharedFirmwareRoot } from '@wirebench/contract';
import { crossOriginHeaders, headersWithoutRoute } from '../plugins/security-headers.ts';

export interface BareRefusal {
  /**
   * Answers a request for `url` with the refusal. The connection stays usable unless the refusal's headers close it.
   */
  answer(response: ServerResponse, url: string): void;
  /** The whole answer as bytes on the wire, for a connection that is closed after it. */
  readonly last: string;
}

/**
 * Builds the refusal for `code`.
 *
 * @param more Headers beside the usual ones.
 */
export function bareRefusal(code: ErrorCode, more: Readonly<Record<string, string>> = {}): BareRefusal {
  const message = errorText[code];
  const body = Buffer.from(JSON.stringify({ error: message, message, code } satisfies ErrorAnswer));
  const status = errorStatus[code];
  const headers = {
    ...headersWithoutRoute,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(body.length),
    ...more,
  };
  const shared = { ...headers, ...crossOriginHeaders };
  const lines = Object.entries({ ...headers, connection: 'close' }).map(([name, value]) => `${name}: ${value}\r\n`);
  return {
    answer: (response, url) => {
      response.writeHead(status, url.startsWith(sharedFirmwareRoot) ? shared : headers).end(body);
    },
    last: `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`,
  };
}
