/**
 * Redirects users who open a page under another name of this server to its public address, because sign-in works on
 * one origin only.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { cameThroughProxy } from './forwarded.ts';
import { isNavigation } from './navigation.ts';

export interface CanonicalHostOptions {
  readonly publicUrl: string;
  readonly trustsProxy: boolean;
  /** True: this server itself speaks https. */
  readonly servesTls: boolean;
}

/**
 * Redirects pages but not API calls, because a health check may use any address. Behind a proxy, `Host` may be the
 * same for every request, and a redirect based on it would loop. Then only the host passed on by a trusted proxy
 * counts. A proxy is assumed if the public address uses https and the server does not, or if the request carries a
 * proxy's header.
 */
export function redirectToPublicHost(app: FastifyInstance, options: CanonicalHostOptions): void {
  const { publicUrl, trustsProxy, servesTls } = options;
  const { host, protocol } = new URL(publicUrl);
  const isBehindProxy = trustsProxy || (protocol === 'https:' && !servesTls);
  // `URL` omits the default port and lower-cases letters.
  const isPublic = (name: string | undefined) => URL.parse(`${protocol}//${name}`)?.host === host;

  /** Returns true if the user has certainly opened another host than the public one. */
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
