/**
 * Links to releases: `/release.html?type=…&id=…[&channel=beta][&owned=true]`, and the pages of flashers with the same
 * query.
 */
import { type FamilyId, families } from './families.ts';
import { releasePage } from './pages.ts';

export type ReleaseType = 'project' | 'version';

export interface ReleaseAddress {
  readonly type: ReleaseType;
  /** A share id. From the owner's list it may be the id of a private item. */
  readonly id: string;
  /** True: opened by its owner, who can also see private items. */
  readonly owned: boolean;
  /** True: beta versions of a project, too. */
  readonly beta: boolean;
}

/**
 * Returns the release that a query names; null for an incomplete or invalid one.
 *
 * @param search With or without the leading `?`.
 */
export function releaseOfQuery(search: string): ReleaseAddress | null {
  const query = new URLSearchParams(search);
  const type = query.get('type');
  const id = query.get('id')?.trim() ?? '';
  if ((type !== 'project' && type !== 'version') || !/^[\w-]{1,64}$/.test(id)) {
    return null;
  }
  return { type, id, owned: query.get('owned') === 'true', beta: query.get('channel') === 'beta' };
}

/** Returns the share link of a project or a version, without the origin. `id` is a share ID. */
export function releasePath(type: ReleaseType, id: string): string {
  return `${releasePage}?type=${type}&id=${encodeURIComponent(id)}`;
}

/** Returns the link to a family's flasher with a release filled in, without the origin. `id` is a share ID. */
export function flasherPath(family: FamilyId, type: ReleaseType, id: string): string {
  return `${families[family].page}?type=${type}&id=${encodeURIComponent(id)}`;
}
