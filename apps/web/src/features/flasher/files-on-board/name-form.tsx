/** Asks for a path: of a new folder, of a new file, or of a file that is renamed. */
import { type FormEvent, useState } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { TextInput } from '../../../shared/ui/text-input.tsx';
import styles from './files-view.module.css';

export interface NameFormProps {
  readonly label: string;
  /** Path at the start. Its last part is selected. */
  readonly start: string;
  /** Verb on the button. */
  readonly action: string;
  /** Resolves with true when the path was accepted. */
  readonly onSubmit: (path: string) => Promise<boolean>;
  readonly onClose: () => void;
}

export function NameForm({ label, start, action, onSubmit, onClose }: NameFormProps) {
  const [path, setPath] = useState(start);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (path.trim() === start && start !== '' && !start.endsWith('/')) {
      onClose();
    } else if (await onSubmit(path.trim())) {
      onClose();
    }
  };
  return (
    <form className={`row ${styles['naming']}`} onSubmit={(event) => void submit(event)}>
      <TextInput
        mono
        autoFocus
        aria-label={label}
        autoComplete="off"
        spellCheck={false}
        value={path}
        onFocus={({ currentTarget: input }) => input.setSelectionRange(start.lastIndexOf('/') + 1, start.length)}
        onChange={({ currentTarget: { value } }) => setPath(value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            event.stopPropagation();
            onClose();
          }
        }}
      />
      <Button size="sm" type="submit">
        {action}
      </Button>
      <Button size="sm" variant="quiet" onClick={onClose}>
        Cancel
      </Button>
    </form>
  );
}
