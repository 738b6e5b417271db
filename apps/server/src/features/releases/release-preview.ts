/** Title and preview tags of the release page, for chats and search engines that run no scripts. */
import { releasePath } from '@wirebench/contract';
import { escapeMarkup } from './markup.ts';
import type { SharedItem } from './shared.service.ts';
import type { SharedType } from './shared-item.ts';

/** The part of the page's head that is replaced, delimited by marks in the page. */
const MARKED = /<!-- preview -->[\s\S]*?<!-- \/preview -->/;

const DESCRIPTION_LENGTH = 200;

export function isMarked(page: string): boolean {
  return MARKED.test(page);
}

export interface Preview {
  readonly title: string;
  readonly description: string;
  /** Complete address of the item. */
  readonly url: string;
}

export function previewOf(
  publicUrl: string,
  type: SharedType,
  shareId: string,
  { project, version }: SharedItem,
): Preview {
  const isVersion = type === 'version' && version !== null;
  const what = isVersion ? `${project.name} ${version.version}` : project.name;
  const text = oneLine((isVersion ? version.description : '') || project.description);
  return {
    title: `${what}: Wirebench`,
    description: text || `Firmware by ${project.publisher}. Flash it from the browser.`,
    url: `${publicUrl}${releasePath(type, shareId)}`,
  };
}

/** Returns `page` with the item's tags in the marked place. */
export function withPreview(page: string, { title, description, url }: Preview): string {
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
    meta('property', 'og:image', new URL('/previews/social.png', url).href),
    meta('name', 'twitter:card', 'summary'),
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
