import { pagePaths } from '@wirebench/contract/constants';

/** The address that opens the terminal with a shared jkit, for everybody. */
export const jkitLink = (id: string): string => new URL(`${pagePaths.uart}?jkit=${id}`, location.origin).href;

/** The jkit that an address asks for; null when it asks for none. @param search the query part of the address */
export function linkedJkit(search: string): string | null {
  const id = new URLSearchParams(search).get('jkit')?.trim() ?? '';
  // Ids go into the path of the call as they are.
  return /^[\w-]{1,64}$/.test(id) ? id : null;
}
