/**
 * The addresses of the API's documentation. Takes note of every route that is added after it; what is made of them is
 * loaded when somebody asks for the first time.
 */
import { apiPaths } from '@wirebench/contract';
import type { FastifyInstance } from 'fastify';
import type { DescribedRoute } from './route-refusals.ts';

/** To be called before the routes are added that the documentation shows: those below `/api/`, and the web's configuration. */
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
