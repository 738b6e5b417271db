/**
 * The release page with the title and preview tags of the item in its address. The page itself belongs to the web
 * app.
 */
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
  /** Counts previews per address. Beyond the limit, the page is sent without one. */
  readonly meterReads: Meter;
  readonly publicUrl: string;
  /** Folder of the built web app. Without a release page in it, the route does not exist. */
  readonly webRoot: string;
}

export const releasePage: FastifyPluginAsync<ReleasePageOptions> = async (app, options) => {
  const { shared, meterReads, publicUrl, webRoot } = options;
  const page = await readPage(join(webRoot, staticPages.release));
  if (page === null) {
    return;
  }
  if (!isMarked(page)) {
    app.log.warn('The release page has no preview marks, so links to releases show a general title.');
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

/** Sends the page without tags if the database is unavailable, because the page itself reports that. */
function none(log: { warn(details: object, text: string): void }) {
  return (error: unknown): null => {
    if (!(error instanceof DatabaseUnavailableError)) {
      throw error;
    }
    log.warn({ err: error }, 'the release page was sent without a preview');
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
