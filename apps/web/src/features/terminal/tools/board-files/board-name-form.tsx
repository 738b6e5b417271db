/** Asks for the path of a new file or folder, or for another one. */
import { useState } from 'react';
import { Button } from '../../../../shared/ui/button.tsx';
import { TextInput } from '../../../../shared/ui/text-input.tsx';
import type { PortProps } from './board-part.ts';
import { makeFileOnBoard, makeFolderOnBoard, renameOnBoard } from './board-store.ts';

/** A name that is asked for. */
export type Naming =
  | { readonly kind: 'file' | 'folder'; readonly start: string }
  | { readonly kind: 'rename'; readonly from: string; readonly start: string };

interface NameFormProps extends PortProps {
  readonly naming: Naming;
  readonly onDone: () => void;
}

export function BoardNameForm({ port, naming, onDone }: NameFormProps) {
  const [path, setPath] = useState(naming.start);
  const label = { file: 'Path of the new file', folder: 'Path of the new folder', rename: 'New path' }[naming.kind];
  return (
    <form
      className="buttons"
      onSubmit={(event) => {
        event.preventDefault();
        onDone();
        if (naming.kind === 'rename') {
          renameOnBoard(port, naming.from, path);
        } else if (naming.kind === 'file') {
          makeFileOnBoard(port, path);
        } else {
          makeFolderOnBoard(port, path);
        }
      }}
    >
      <TextInput
        mono
        autoFocus
        aria-label={label}
        value={path}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            event.stopPropagation();
            onDone();
          }
        }}
        onChange={(event) => setPath(event.currentTarget.value)}
      />
      <Button size="sm" type="submit">
        {naming.kind === 'rename' ? 'Rename' : 'Create'}
      </Button>
      <Button size="sm" variant="quiet" onClick={onDone}>
        Cancel
      </Button>
    </form>
  );
}
