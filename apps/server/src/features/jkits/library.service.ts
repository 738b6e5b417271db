/** Puts the jkits that come with the product into the database, as this version of the product has them. */
import type { Clock } from '@wirebench/clock';
import type { LibraryJkit } from './library/library-jkit.ts';
import type { LibraryChanges, LibraryRepository } from './library.repository.ts';

/** The publisher of everything that comes with the product. */
const SYSTEM_PUBLISHER = 'wirebench';

export function stockLibrary(
  repository: LibraryRepository,
  jkits: readonly LibraryJkit[],
  clock: Clock,
): Promise<LibraryChanges> {
  const rows = jkits.map(({ id, name, description, tags, content }) => ({
    id,
    publisher: SYSTEM_PUBLISHER,
    name,
    description,
    tags: JSON.stringify(tags),
    version: '1.0.0',
    content: JSON.stringify(content),
  }));
  return repository.replace(rows, new Date(clock.now()).toISOString());
}
