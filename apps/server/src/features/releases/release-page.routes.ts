/**
 * The release page with the title and preview tags of the item in its address. The page itself belongs to the web
 * app.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { releasePath } from '@wirebench/boards';
import { picturePaths, staticPages } from '@wirebench/contract';
import type { FastifyPluginAsync } from 'fastify';
import type { Meter } from '../../plugins/rate-limit.ts';
import { nullIfMissing } from '../../storage/blobs/disk.ts';
import { DatabaseUnavailableError } from '../../storage/database/database-failure.ts';
import { escapeMarkup } from './markup.ts';
import type { SharedItem, SharedService } from './shared.service.ts';
import type { SharedType } from './shared-item.ts';

export interface ReleasePageOptions {
  readonly shared: Pick<SharedService, 'derived'>;
  /** Counts previews per address. Beyond the limit, the page is sent without one. */
  readonly meterReads: Meter;
  readonly publicUrl: string;
  /** Folder of the built web app. Without a release page in it, the route does not exist. */
  readonly webRoot: string;
}

/** The part of the page's head that is replaced, delimited by marks in the page. */
const MARKED = /<!-- preview -->[\s\S]*?<!-- \/preview -->/;

const DESCRIPTION_LENGTH = 200;

/** Media types of pictures that chats show. Few of them know AVIF. */
const previewTypes: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/webp']);

/** Title and preview tags of the release page, for chats and search engines that run no scripts. */
export function isMarked(page: string): boolean {
  return MARKED.test(page);
}

interface Preview {
  readonly title: string;
  readonly description: string;
  /** Complete address of the item. */
  readonly url: string;
  /** Complete address of the project's picture; null without one that previews can show. */
  readonly image: string | null;
}

export function previewOf(
  publicUrl: string,
  type: SharedType,
  shareId: string,
  { project, version }: SharedItem,
): Preview {
  const isVersion = type === 'version' && version !== null;
  const what = isVersion ? `${project.name} ${version.version}` : project.name;
  const text = oneLine((isVersion ? version.description : '') || project.sentence || project.description);
  const theme = project.picture?.light === undefined ? 'dark' : 'light';
  const mediaType = project.picture?.[theme]?.type;
  return {
    title: `${what}: Wirebench`,
    description: text || `Firmware by ${project.publisher}. Flash it from the browser.`,
    url: `${publicUrl}${releasePath(type, shareId)}`,
    image:
      mediaType !== undefined && previewTypes.has(mediaType)
        ? `${publicUrl}${picturePaths.shared(type, shareId, theme)}`
        : null,
  };
}

/** Returns `page` with the item's tags in the marked place. */
export function withPreview(page: string, { title, description, url, image }: Preview): string {
  const meta = (kind: 'name' | 'property', name: string, content: string) =>
    `<meta ${kind}="${name}" content="${escapeMarkup(content)}">`;
  const tags = [
    `<title>${escapeMarkup(title)}</title>`,
    meta('name', 'description', description),
    `<link rel="canonical" href="${escapeMarkup(url)}">`,
    meta('property', 'og:type', 'website'),
    meta('property', 'og:site_name', 'Wirebench'),
    meta('property', 'og:title', title),
    meta('property', 'og:description', description),
    meta('property', 'og:url', url),
    meta('property', 'og:image', image ?? new URL('/previews/social.png', url).href),
    meta('name', 'twitter:card', image === null ? 'summary' : 'summary_large_image'),
    meta('name', 'twitter:title', title),
    meta('name', 'twitter:description', description),
  ];
  // A function, because text may contain patterns of replacement strings.
  return page.replace(MARKED, () => tags.join('\n    '));
}

/**
 * Converts Markdown to one line: removes marks at the beginning of lines and line breaks. Other marks are readable as
 * text.
 */
function oneLine(markdown: string): string {
  const text = markdown
    .replace(/^[\s>#*+-]+/gm, ' ')
    .replace(/[`*_]{1,3}/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  const letters = [...text];
  return letters.length > DESCRIPTION_LENGTH ? `${letters.slice(0, DESCRIPTION_LENGTH - 1).join('')}…` : text;
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

function readPage(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch(nullIfMissing);
}
