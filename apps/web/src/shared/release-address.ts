/** Parses the addresses of releases: `/release.html?type=…&id=…[&channel=beta][&owned=true]`, and those of flashers. */

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
 * Returns null for an incomplete or invalid link.
 * @param search Query of the page's address.
 */
export function releaseAddress(search: string): ReleaseAddress | null {
  const query = new URLSearchParams(search);
  const type = query.get('type');
  const id = query.get('id')?.trim() ?? '';
  if ((type !== 'project' && type !== 'version') || !/^[\w-]{1,64}$/.test(id)) {
    return null;
  }
  return { type, id, owned: query.get('owned') === 'true', beta: query.get('channel') === 'beta' };
}
