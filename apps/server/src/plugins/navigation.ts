/** What a request is after: the path, and whether it is a person on the way to a page. */
import type { FastifyRequest } from 'fastify';

/** The path that was asked for, without the query. */
export function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? '';
}

/** Whether a browser wants a document to show, as opposed to a page that loads its parts. */
export function isNavigation(request: FastifyRequest): boolean {
  const readsOnly = request.method === 'GET' || request.method === 'HEAD';
  return readsOnly && (request.headers.accept ?? '').includes('text/html');
}
