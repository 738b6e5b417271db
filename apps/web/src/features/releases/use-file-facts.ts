/**
 * Reads facts from the bytes of the chosen files. Repeats it after each change of the selection, because an offset
 * depends on the other files.
 */
import { useEffect, useState } from 'react';
import type { FilesRead } from './model/file-facts.ts';
import type { FlashTarget } from './model/suggest-offsets.ts';
import type { FileRow } from './model/version-draft.ts';
import { readFileFacts } from './read-build-output.ts';

const nothingRead: FilesRead = { byFile: new Map(), warnings: [] };

export function useFileFacts(rows: readonly FileRow[], { deviceFamily, deviceModel }: FlashTarget): FilesRead {
  const [read, setRead] = useState(nothingRead);
  const files = rows.flatMap(({ file }) => file ?? []);
  // Each keystroke creates new rows. Only changed files are read again.
  const [known, setKnown] = useState(files);
  if (known.length !== files.length || known.some((file, index) => file !== files[index])) {
    setKnown(files);
  }
  useEffect(() => {
    if (known.length === 0) {
      setRead(nothingRead);
      return;
    }
    let wanted = true;
    readFileFacts(known, { deviceFamily, deviceModel }).then(
      (result) => {
        if (wanted) {
          setRead(result);
        }
      },
      // Name and family still give suggestions. The upload reports the fault of the file.
      (error: unknown) => console.warn('The firmware files could not be inspected.', error),
    );
    return () => {
      wanted = false;
    };
  }, [known, deviceFamily, deviceModel]);
  return read;
}
