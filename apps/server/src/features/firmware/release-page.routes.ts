/** The release page with the title and preview tags of the item that its address names. The page itself is the web app's. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { staticPages } from '@wirebench/contract';
import type { FastifyPluginAsync } from 'fastify';
import type { Meter } from '../../plugins/rate-limit.ts';
import { DatabaseUnavailableError } from '../../storage/database/database-failure.ts';
import { isMarked, previewOf, withPreview } from './release-preview.ts';
import type { SharedService } from './shared.service.ts';

export interface ReleasePageOptions {
  readonly shared: Pick<SharedService, 'derived'>;
  /** Counts the previews that an address asks for: beyond the limit it gets the page without one. */
  readonly meterReads: Meter;
  readonly publicUrl: string;
  /** Folder of the built web app. Where it has no release page, there is no such route. */
  readonly webRoot: string;
}

export const releasePage: FastifyPluginAsync<ReleasePageOptions> = async (app, options) => {
  const { shared, meterReads, publicUrl, webRoot } = options;
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
    const html =
      isItem && (await meterReads(request)) === null
        ? await shared
            .derived('page', type, id, (item) => withPreview(page, previewOf(publicUrl, type, id, item)))
            .catch(none(request.log))
        : null;
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .send(html ?? page);
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
