/** Addresses that guides link to by name. The build checks each name, the page looks it up. */
import { esp32BenchPage, pagePaths, staticPages } from '@wirebench/contract/constants';

/** Guides by the name of their folder: `guide:flasher#error-codes`. */
export const guidePaths = {
  terminal: pagePaths.uartDocs,
  flasher: pagePaths.espFlasherDocs,
  releases: pagePaths.releasesDocs,
  esp32: pagePaths.esp32Docs,
  programs: pagePaths.programsDocs,
} as const;

export type GuideName = keyof typeof guidePaths;

/** Guides and pages that the static edition lacks. */
export const serverNames: readonly string[] = ['releases', 'programs'];

/** Documents of their own: a link to one leaves the app. */
const documents: Readonly<Record<string, string>> = { ...staticPages, esp32Bench: esp32BenchPage };

export interface DocsLink {
  readonly address: string;
  /** The router opens it. `document`: another document. `site`: another site. `download`: a file of this server. */
  readonly opens: 'here' | 'router' | 'document' | 'site' | 'download';
}

/**
 * Returns where a link leads, as its Markdown has it: `#anchor`, `guide:name#anchor`, `page:name`, `download:file` or
 * an address with https; null for anything else.
 */
export function docsLink(written: string): DocsLink | null {
  const [, kind = '', name = '', rest = ''] = /^(?:(guide|page|download):([\w.-]+))?(.*)$/.exec(written) ?? [];
  if (kind === 'download') {
    return { address: `/${name}`, opens: 'download' };
  }
  if (kind === '') {
    return rest.startsWith('#')
      ? { address: rest, opens: 'here' }
      : rest.startsWith('https://')
        ? { address: rest, opens: 'site' }
        : null;
  }
  const document = kind === 'page' ? documents[name] : undefined;
  const paths: Readonly<Record<string, string>> = kind === 'page' ? pagePaths : guidePaths;
  const path = document ?? paths[name];
  return path === undefined ? null : { address: path + rest, opens: document === undefined ? 'router' : 'document' };
}
