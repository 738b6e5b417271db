import type { Jkit } from '@wirebench/contract';
import { pagePaths } from '@wirebench/contract/constants';

/** Returns the address that opens a shared JKit: the terminal for messages and decoders, the ESP32 bench's page for a chip. */
export function jkitLink({ _id: id, type }: Pick<Jkit, '_id' | 'type'>): string {
  const page = type === 'chip' ? pagePaths.esp32 : pagePaths.uart;
  return new URL(`${page}?jkit=${id}`, location.origin).href;
}

/**
 * Returns the id of the JKit that an address names, or null.
 *
 * @param search Query part of the address.
 */
export function linkedJkit(search: string): string | null {
  const id = new URLSearchParams(search).get('jkit')?.trim() ?? '';
  // Validated, because ids are inserted into the call's path without encoding.
  return /^[\w-]{1,64}$/.test(id) ? id : null;
}
