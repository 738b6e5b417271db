/** Writes the jkits that come with this version of the product into the database. */
import type { Clock } from '@wirebench/clock';
import type { Jkit } from '@wirebench/contract';
import type { LibraryChip } from '@wirebench/contract/chip-library';
import type { LibraryJkit } from './library/library-jkit.ts';
import type { LibraryChanges, LibraryRepository } from './library.repository.ts';

/** Publisher of everything that comes with the product. */
const SYSTEM_PUBLISHER = 'wirebench';

export function stockLibrary(
  repository: LibraryRepository,
  library: Readonly<Record<Jkit['type'], readonly (LibraryJkit | LibraryChip)[]>>,
  clock: Clock,
): Promise<LibraryChanges> {
  const rowOf = (type: Jkit['type'], { id, name, description, tags, content }: LibraryJkit | LibraryChip) => ({
    id,
    type,
    publisher: SYSTEM_PUBLISHER,
    name,
    description,
    tags: JSON.stringify(tags),
    version: '1.0.0',
    content: JSON.stringify(content),
  });
  const rows = [...library.uart.map((jkit) => rowOf('uart', jkit)), ...library.chip.map((chip) => rowOf('chip', chip))];
  return repository.replace(rows, new Date(clock.wallTime()).toISOString());
}
