/**
 * Reads facts from the bytes of the chosen files. Repeats it after each change of the selection, because an offset
 * depends on the other files.
 */
import { useState } from 'react';
import { useAsync } from '../../shared/ui/use-async.ts';
import type { FilesRead } from './model/file-facts.ts';
import type { FlashTarget } from './model/suggest-offsets.ts';
import type { FileRow } from './model/version-draft.ts';
import { readFileFacts } from './read-build-output.ts';

const nothingRead: FilesRead = { byFile: new Map(), warnings: [] };

export function useFileFacts(rows: readonly FileRow[], { deviceFamily, deviceModel }: FlashTarget): FilesRead {
  const files = rows.flatMap(({ file }) => file ?? []);
  // Each keystroke creates new rows. Only changed files are read again.
  const [known, setKnown] = useState(files);
  if (known.length !== files.length || known.some((file, index) => file !== files[index])) {
    setKnown(files);
  }
  const read = useAsync(
    [known, deviceFamily, deviceModel],
    async () => (known.length === 0 ? nothingRead : readFileFacts(known, { deviceFamily, deviceModel })),
    // Name and family still give suggestions. The upload reports the fault of the file.
    (error) => console.warn('The firmware files could not be inspected.', error),
  );
  return known.length === 0 ? nothingRead : (read ?? nothingRead);
}
