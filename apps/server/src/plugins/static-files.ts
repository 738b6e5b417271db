/**
 * The web app's files and the addresses of its pages. Files are listed at the start and each is a route of its own,
 * so that path traversal is impossible. Any other address is a page of the app, unknown, or a missing file.
 */
import { readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import fastifyStatic from '@fastify/static';
import { errorText, pagePaths, staticPages } from '@wirebench/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../api-error.ts';
import { nullIfMissing } from '../storage/blobs/disk.ts';
import { type EarlierAssets, hashedFolders } from './earlier-assets.ts';
import { sendRefusal } from './errors.ts';
import { isNavigation, pathOf } from './navigation.ts';

const DOCUMENT = 'index.html';
const IMMUTABLE = 'public, max-age=31536000, immutable';
/** Served with the tags of the release that it shows (`release-page.routes.ts`). */
const RELEASE_PAGE = staticPages.release.slice(1);

/**
 * Serves the built web app from the folder `webRoot`. Without a build, every page is answered with 404.
 *
 * @param earlier Assets of earlier builds, for tabs that were opened before an update.
 */
export async function serveWebApp(app: FastifyInstance, webRoot: string, earlier: EarlierAssets): Promise<void> {
  const folders = hashedFolders.map((name) => `${name}${sep}`);
  const document = await readDocument(webRoot);
  if (document === null) {
    app.log.warn({ webRoot }, 'The web app is not built, so there are no pages: run npm start or npm run build.');
  } else {
    await app.register(fastifyStatic, {
      root: webRoot,
      wildcard: false,
      globIgnore: ['**/*.br', '**/*.gz', RELEASE_PAGE],
      preCompressed: true,
      cacheControl: false,
      setHeaders: (reply, path) => {
        // A file outside of this build is an asset of an earlier one.
        const hashed = ['..', ...folders].some((folder) => relative(webRoot, path).startsWith(folder));
        reply.header('cache-control', hashed ? IMMUTABLE : 'no-cache');
        if (path.endsWith('.tgz')) {
          // The plugin does not know the type of a packed program.
          reply.header('content-type', 'application/gzip');
        }
      },
    });
    // The home page is the folder's index, which the plugin serves.
    for (const path of Object.values(pagePaths).filter((path) => path !== pagePaths.home)) {
      app.get(path, (_request, reply) => reply.sendFile(DOCUMENT));
    }
  }
  app.setNotFoundHandler(async (request, reply) => {
    const path = pathOf(request);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const folder = isRead && document !== null ? await earlier.folderOf(path) : null;
    return folder === null
      ? answerUnknown(request, reply, document)
      : reply.code(200).header('cache-control', IMMUTABLE).sendFile(path.slice(1), folder);
  });
}

async function readDocument(webRoot: string): Promise<Buffer | null> {
  return readFile(join(webRoot, DOCUMENT)).catch(nullIfMissing);
}

function answerUnknown(request: FastifyRequest, reply: FastifyReply, document: Buffer | null): FastifyReply {
  const path = pathOf(request);
  if (path === '/api' || path.startsWith('/api/')) {
    return sendRefusal(reply, new ApiError('not-found'));
  }
  reply.code(404).header('cache-control', 'no-cache');
  if (document !== null && isNavigation(request) && !path.startsWith('/assets/')) {
    return reply.type('text/html; charset=utf-8').send(document);
  }
  return reply.type('text/plain; charset=utf-8').send(errorText['not-found']);
}
