/**
 * JKits of type `chip` besides those that come with the product: the one in the editor, the user's own on the server,
 * and shared ones for the addresses that answered. Without a server or a sign-in only the editor's is found.
 */
import { JkitList, JkitSearchList, jkitLimits, jkitPaths, type ListedJkit } from '@wirebench/contract';
import { storedDescription } from '../../features/jkits/chips/chip-storage.ts';
import type { FoundChip } from '../../features/lab/devices/known-chip.ts';
import { api } from '../../shared/api/api.ts';
import { sessionStore } from '../../shared/session/page-session.ts';

/**
 * Maximum number of addresses to search. Each is a request of its own; a bus has few devices, and a repeated scan
 * should not wait.
 */
const maxSearched = 16;

export async function fromEditor(): Promise<readonly FoundChip[]> {
  const { text } = storedDescription();
  return text === null
    ? []
    : [{ id: 'editor', name: 'The description in the editor', publisher: null, origin: 'editor', content: text }];
}

export async function fromServer(addresses: readonly number[]): Promise<readonly FoundChip[]> {
  if (sessionStore.current() === null) {
    return [];
  }
  const client = await api();
  const own = { type: 'chip', limit: 100, offset: 0, sort: 'createdAt' };
  const [mine, ...others] = await Promise.all([
    client.request(jkitPaths.jkits, JkitList, { query: own }),
    ...addresses.slice(0, maxSearched).map((address) => {
      const q = `0x${address.toString(16).padStart(2, '0')}`;
      const query = { q, type: 'chip', limit: jkitLimits.pageSize, skip: 0, shared: true };
      return client.request(jkitPaths.search, JkitSearchList, { query });
    }),
  ] as const);
  return [
    ...mine.data.map((jkit) => chipOf(jkit, 'own' as const)),
    ...others.flatMap(({ data }) => data).map((jkit) => chipOf(jkit, 'shared' as const)),
  ].flatMap((chip) => chip ?? []);
}

/** Returns null for a JKit whose content the list has left out. */
function chipOf({ _id, name, publisher, content }: ListedJkit, origin: 'own' | 'shared'): FoundChip | null {
  return content === undefined
    ? null
    : { id: _id, name, publisher: origin === 'own' ? null : publisher, origin, content };
}
