/** Answers to probes while the server must not get requests: before it is ready, and after a stop is announced. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { apiPaths } from '@wirebench/contract';

/** Seconds after which a probe may be repeated. */
const RETRY_AFTER = 1;

const probes: ReadonlySet<string> = new Set([apiPaths.health, apiPaths.ready]);

/** Answers a request for health or readiness with 503 and `status`. Returns false for all other requests. */
export function answerProbe(
  status: 'starting' | 'stopping',
  { url = '' }: IncomingMessage,
  response: ServerResponse,
): boolean {
  const [path = ''] = url.split('?');
  if (!probes.has(path)) {
    return false;
  }
  response
    .writeHead(503, {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'retry-after': String(RETRY_AFTER),
    })
    .end(JSON.stringify({ status }));
  return true;
}
