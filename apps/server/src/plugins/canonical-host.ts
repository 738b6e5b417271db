/** Sends people who opened a page under another name of this server to its public address: sign-in works on one origin only. */
import type { FastifyInstance } from 'fastify';
import { isNavigation } from './navigation.ts';

export interface CanonicalHostOptions {
  readonly publicUrl: string;
  readonly trustsProxy: boolean;
  /** Whether this server speaks https itself. */
  readonly servesTls: boolean;
}

/**
 * Redirects pages, not calls: a health check may use any address. With a public address on https there is a proxy in front, unless the
 * server speaks https itself, and the host in the request may be the proxy's choice; a redirect by it could go round in circles. There only the host
 * that a trusted proxy passes on counts.
 */
export function redirectToPublicHost(app: FastifyInstance, options: CanonicalHostOptions): void {
  const { publicUrl, trustsProxy, servesTls } = options;
  const { host, protocol } = new URL(publicUrl);
  const behindProxy = trustsProxy || (protocol === 'https:' && !servesTls);
  app.addHook('onRequest', (request, reply, done) => {
    if (isNavigation(request)) {
      const asked = behindProxy && request.headers['x-forwarded-host'] === undefined ? host : request.host;
      if (asked !== host) {
        reply.redirect(`${publicUrl}${request.url}`, 307);
        return;
      }
    }
    done();
  });
}
