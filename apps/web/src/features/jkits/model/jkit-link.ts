import type { Jkit } from '@wirebench/contract';
import { pagePaths } from '@wirebench/contract/constants';

/** The address that opens a shared jkit for everybody: messages in the terminal, a chip on the page of the ESP32 bench. */
export function jkitLink({ _id: id, type }: Pick<Jkit, '_id' | 'type'>): string {
  const page = type === 'chip' ? pagePaths.esp32 : pagePaths.uart;
  return new URL(`${page}?jkit=${id}`, location.origin).href;
}

/** The jkit that an address asks for; null when it asks for none. @param search the query part of the address */
export function linkedJkit(search: string): string | null {
  const id = new URLSearchParams(search).get('jkit')?.trim() ?? '';
  // Ids go into the path of the call as they are.
  return /^[\w-]{1,64}$/.test(id) ? id : null;
}
