import { Pencil } from 'lucide-react';
import { useRef } from 'react';
import { IconButton } from '../../shared/ui/icon-button.tsx';
import { DescriptionEditor } from './description-editor.tsx';
import styles from './editable-description.module.css';
import { type EditedItem, useDescriptionEdit } from './edits-store.ts';
import { passFocus } from './pass-focus.ts';
import { useUser } from './use-user.ts';

export interface EditableDescriptionProps {
  readonly item: EditedItem;
  /** May be empty. */
  readonly description: string;
}

/** The full description of a project, or the editor in its place. */
export function EditableDescription({ item, description }: EditableDescriptionProps) {
  const handle = useDescriptionEdit(useUser(), item);
  const opener = useRef<HTMLButtonElement>(null);
  return handle.edit !== null ? (
    <DescriptionEditor
      edit={handle.edit}
      handle={handle}
      description={description}
      onLeave={(leave) => passFocus(leave, () => opener.current)}
    />
  ) : (
    <div className={styles['line']}>
      <p className={styles['text']}>{description === '' ? 'No description yet.' : description}</p>
      <IconButton
        ref={opener}
        label={`Edit the description of ${item.what}`}
        variant="quiet"
        size="sm"
        icon={<Pencil />}
        onClick={() => handle.start(description)}
      />
    </div>
  );
}
