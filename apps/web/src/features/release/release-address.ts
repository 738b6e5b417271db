/** Parses the address `/release.html?type=…&id=…[&owned=true]`. */

export type ReleaseType = 'project' | 'version';

export interface ReleaseAddress {
  readonly type: ReleaseType;
  /** A share id; from the owner's list it may be the id of a private item. */
  readonly id: string;
  /** Opened by its owner, who sees what is not public too. */
  readonly owned: boolean;
}

/** Null when the link was cut or mistyped. @param search the query of the page's address */
export function releaseAddress(search: string): ReleaseAddress | null {
  const query = new URLSearchParams(search);
  const type = query.get('type');
  const id = query.get('id')?.trim() ?? '';
  if ((type !== 'project' && type !== 'version') || !/^[\w-]{1,64}$/.test(id)) {
    return null;
  }
  return { type, id, owned: query.get('owned') === 'true' };
}
