/**
 * Addresses of releases on any Wirebench server. The pages are those of the families, so a new family has such addresses
 * too. Pages that know where they are load `release-links.ts` alone.
 */
import { families, familyIds } from './families.ts';
import { releasePage } from './pages.ts';
import { type ReleaseAddress, releaseOfQuery } from './release-links.ts';

/**
 * Returns the release that a page of any Wirebench server shows; null for other addresses. The server may be in a folder
 * of its host, and may leave the ending of its pages out.
 */
export function releaseOfPage({ pathname, search }: URL): ReleaseAddress | null {
  const name = fileOf(pathname);
  const isOurs = [releasePage, ...familyIds.map((family) => families[family].page)].some(
    (page) => name === fileOf(page),
  );
  return isOurs ? releaseOfQuery(search) : null;
}

/** Returns the last part of a path, without `.html`. */
const fileOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace(/\.html$/, '');
