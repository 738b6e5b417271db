/** The release page with the title and preview tags of the item that its address names. The page itself is the web app's. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { staticPages } from '@wirebench/contract';
import type { FastifyPluginAsync } from 'fastify';
import { DatabaseUnavailableError } from '../../storage/database/database-failure.ts';
import { isMarked, previewOf, withPreview } from './release-preview.ts';
import type { SharedService } from './shared.service.ts';

export interface ReleasePageOptions {
  readonly shared: Pick<SharedService, 'item'>;
  readonly publicUrl: string;
  /** Folder of the built web app. Where it has no release page, there is no such route. */
  readonly webRoot: string;
}

export const releasePage: FastifyPluginAsync<ReleasePageOptions> = async (app, { shared, publicUrl, webRoot }) => {
  const page = await readPage(join(webRoot, staticPages.release));
  if (page === null) {
    return;
  }
  if (!isMarked(page)) {
    app.log.warn('The release page has no place for a preview: links to releases show general titles.');
  }

  app.get<{ Querystring: Readonly<Record<string, unknown>> }>(staticPages.release, async (request, reply) => {
    const { type, id } = request.query;
    const isItem = (type === 'project' || type === 'version') && typeof id === 'string';
    const item = isItem ? await shared.item(type, id).catch(none(request.log)) : null;
    const html = item === null || !isItem ? page : withPreview(page, previewOf(publicUrl, type, id, item));
    return reply.type('text/html; charset=utf-8').header('cache-control', 'no-store').send(html);
  });
};

/** The page says itself what is wrong when nothing can be read: it does not need its tags to do so. */
function none(log: { warn(details: object, text: string): void }) {
  return (error: unknown): null => {
    if (!(error instanceof DatabaseUnavailableError)) {
      throw error;
    }
    log.warn({ err: error }, 'release page without preview');
    return null;
  };
}

async function readPage(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) {
      return null;
    }
    throw error;
  }
}
