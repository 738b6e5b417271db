/** Sends people who opened a page under another name of this server to its public address: sign-in works on one origin only. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { cameThroughProxy } from './forwarded.ts';
import { isNavigation } from './navigation.ts';

export interface CanonicalHostOptions {
  readonly publicUrl: string;
  readonly trustsProxy: boolean;
  /** Whether this server speaks https itself. */
  readonly servesTls: boolean;
}

/**
 * Redirects pages, not calls: a health check may use any address. Behind a proxy, `Host` may be the proxy's choice, and the same for
 * every request: a redirect by it would go round in circles. There only the host that a trusted proxy passes on counts. A proxy is in
 * front when the public address is on https and the server is not, or when the request carries a header of one.
 */
export function redirectToPublicHost(app: FastifyInstance, options: CanonicalHostOptions): void {
  const { publicUrl, trustsProxy, servesTls } = options;
  const { host, protocol } = new URL(publicUrl);
  const isBehindProxy = trustsProxy || (protocol === 'https:' && !servesTls);
  // `URL` leaves out the usual port and writes letters small.
  const isPublic = (name: string | undefined) => URL.parse(`${protocol}//${name}`)?.host === host;

  /** Whether it is certain that the person asked for another host than the public one. */
  function isElsewhere({ headers, host: asked }: FastifyRequest): boolean {
    const isNamed = trustsProxy && headers['x-forwarded-host'] !== undefined;
    const mayBeOfProxy = isBehindProxy || cameThroughProxy(headers);
    return (isNamed || !mayBeOfProxy) && !isPublic(asked) && !isPublic(headers.host);
  }

  app.addHook('onRequest', (request, reply, done) => {
    if (isNavigation(request) && isElsewhere(request)) {
      reply.redirect(`${publicUrl}${request.url}`, 307);
      return;
    }
    done();
  });
}
