/** The path of a request, and whether a browser navigates to a page with it. */
import type { FastifyRequest } from 'fastify';

/** Returns the requested path without the query. */
export function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? '';
}

/** Returns true if a browser asks for a document to show, not for a part of a page. */
export function isNavigation(request: FastifyRequest): boolean {
  const readsOnly = request.method === 'GET' || request.method === 'HEAD';
  return readsOnly && (request.headers.accept ?? '').includes('text/html');
}
