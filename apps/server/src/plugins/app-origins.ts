/**
 * Lets web apps that other servers deliver call this API (CORS, Fetch section 3.2). Answers without the framework carry
 * the same headers. Public shares are open to all origins instead: see `security-headers.ts`.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import fastifyCors from '@fastify/cors';
import { sharedFirmwareRoot } from '@wirebench/contract';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** False: `@fastify/cors` leaves the answers of the route alone. */
    cors?: false;
  }
}

const exposedHeaders = [
  'accept-ranges',
  'content-disposition',
  'content-range',
  'etag',
  'retry-after',
  'x-request-id',
].join(', ');

/**
 * Adds the headers to the answers of the API, and answers preflight requests. Call it before the routes are added, and
 * after the security headers, which answer preflight requests for public shares.
 *
 * @param origins Origins of the web apps. Empty: no answer changes.
 */
export async function allowAppOrigins(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) {
    return;
  }
  app.addHook('onRoute', (route) => {
    const isPreflight = route.method === 'OPTIONS' && route.url === '*';
    if (!isPreflight && (!route.url.startsWith('/api/') || route.url.startsWith(sharedFirmwareRoot))) {
      route.config = { ...route.config, cors: false };
    }
  });
  await app.register(fastifyCors, {
    origin: [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
    allowedHeaders: 'authorization, content-type, range, if-none-match, if-range',
    exposedHeaders,
    maxAge: 86_400,
    // The strict check would answer with plain text.
    strictPreflight: false,
  });
}

/** Sets the headers on an answer that is sent without the framework. */
export function allowAppOrigin(request: IncomingMessage, response: ServerResponse, origins: ReadonlySet<string>): void {
  if (origins.size === 0) {
    return;
  }
  response.setHeader('vary', 'origin');
  const { origin } = request.headers;
  if (origin !== undefined && origins.has(origin)) {
    response.setHeader('access-control-allow-origin', origin);
    response.setHeader('access-control-expose-headers', exposedHeaders);
  }
}
