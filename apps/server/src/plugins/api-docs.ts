/**
 * Serves the API's documentation. It records every route that is added after it. The documentation is generated at
 * the first request.
 */
import { apiPaths } from '@wirebench/contract';
import type { FastifyInstance } from 'fastify';
import type { DescribedRoute } from './route-refusals.ts';

/** Call it before the documented routes are added: those below `/api/`, and the web app's configuration. */
export function documentApi(app: FastifyInstance): void {
  const routes: DescribedRoute[] = [];
  app.addHook('onRoute', (route) => {
    if (route.method !== 'HEAD' && isDocumented(route.url)) {
      routes.push(route);
    }
  });

  let loading: Promise<FastifyInstance> | null = null;
  const load = async () => {
    const { buildApiDocs } = await import('../api-docs/api-document.ts');
    return buildApiDocs(routes);
  };
  app.addHook('onClose', async () => (await loading)?.close());
  for (const url of [apiPaths.docs, `${apiPaths.docs}/*`]) {
    app.get(url, async (request, reply) => {
      loading ??= load();
      const docs = await loading;
      reply.hijack();
      for (const [name, value] of Object.entries(reply.getHeaders())) {
        reply.raw.setHeader(name, value ?? '');
      }
      docs.routing(request.raw, reply.raw);
    });
  }
}

function isDocumented(url: string): boolean {
  return url === apiPaths.config || (url.startsWith('/api/') && !url.startsWith(apiPaths.docs));
}
