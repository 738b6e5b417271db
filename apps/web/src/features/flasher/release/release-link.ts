/**
 * Converts a pasted link to the address of this flasher's page with that release: a share link of this server, or any
 * other address as that of a manifest.
 */

import { releaseOfQuery } from '@wirebench/boards';
import { hasServer } from '../../../shared/edition.ts';

/** Name of the dialog for such a link, and of its menu item. Without a server, releases are manifests. */
export const releaseLinkLabel = hasServer ? 'Load from release link' : 'Load from a manifest';

export type ReleaseLink =
  | { readonly ok: true; readonly address: string }
  | { readonly ok: false; readonly fault: string };

/**
 * @param text The link, or its query with the leading `?`.
 * @param here Address of this page.
 */
export function releaseLink(text: string, here: string): ReleaseLink {
  const link = URL.parse(text.trim(), here);
  if (link === null || text.trim() === '') {
    return { ok: false, fault: hasServer ? 'Paste the link of a release.' : 'Enter the address of a manifest.' };
  }
  const page = new URL(here).pathname;
  if (!/^https?:$/.test(link.protocol)) {
    return { ok: false, fault: 'This is not a link. Links begin with https:// or http://.' };
  }
  if (!hasServer || link.origin !== new URL(here).origin || link.pathname.endsWith('.json')) {
    return { ok: true, address: `${page}?${new URLSearchParams({ manifest: link.href })}` };
  }
  const release = releaseOfQuery(link.search);
  if (release === null) {
    return {
      ok: false,
      fault: 'This is not a release link. Release links end in ?type=version&id=… or ?type=project&id=…',
    };
  }
  const { type, id, beta } = release;
  const query = new URLSearchParams({ type, id, ...(beta && { channel: 'beta' }) });
  return { ok: true, address: `${page}?${query}` };
}
