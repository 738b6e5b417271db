/** Writes the jkits that come with this version of the product into the database. */
import type { Clock } from '@wirebench/clock';
import { type Jkit, jkitTypes } from '@wirebench/contract';
import type { LibraryChip } from '@wirebench/contract/chip-library';
import type { LibraryDecoder } from '@wirebench/contract/decoder-library';
import type { LibraryJkit } from './library/library-jkit.ts';
import type { LibraryChanges, LibraryRepository } from './library.repository.ts';

/** Publisher of everything that comes with the product. */
const SYSTEM_PUBLISHER = 'wirebench';

export function stockLibrary(
  repository: LibraryRepository,
  library: Readonly<Record<Jkit['type'], readonly (LibraryJkit | LibraryChip | LibraryDecoder)[]>>,
  clock: Clock,
): Promise<LibraryChanges> {
  const rowOf = (
    type: Jkit['type'],
    { id, name, description, tags, content }: LibraryJkit | LibraryChip | LibraryDecoder,
  ) => ({
    id,
    type,
    publisher: SYSTEM_PUBLISHER,
    name,
    description,
    tags: JSON.stringify(tags),
    version: '1.0.0',
    content: JSON.stringify(content),
  });
  const rows = jkitTypes.flatMap((type) => library[type].map((jkit) => rowOf(type, jkit)));
  return repository.replace(rows, new Date(clock.wallTime()).toISOString());
}
