import { Pencil } from 'lucide-react';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { IconButton } from '../../shared/ui/icon-button.tsx';
import { DescriptionEditor } from './description-editor.tsx';
import styles from './editable-description.module.css';

export interface EditableDescriptionProps {
  readonly type: 'project';
  readonly what: string;
  /** May be empty. */
  readonly description: string;
  readonly save: (description: string) => Promise<void>;
}

/** The description of a project as a whole, or the editor in its place. */
export function EditableDescription({ type, what, description, save }: EditableDescriptionProps) {
  const [editing, setEditing] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const close = () => {
    flushSync(() => setEditing(false));
    opener.current?.focus();
  };
  return editing ? (
    <DescriptionEditor type={type} what={what} description={description} save={save} onDone={close} />
  ) : (
    <div className={styles['line']}>
      <p className={styles['text']}>{description === '' ? 'No description yet.' : description}</p>
      <IconButton
        ref={opener}
        label={`Edit the description of ${what}`}
        variant="quiet"
        size="sm"
        icon={<Pencil />}
        onClick={() => setEditing(true)}
      />
    </div>
  );
}
