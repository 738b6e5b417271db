import type { Project } from '@wirebench/contract';
import { useUser } from '../use-user.ts';
import { DescriptionEditor } from './description-editor.tsx';
import styles from './editable-description.module.css';
import { useDescriptionEdit } from './edits-store.ts';
import { passFocus } from './pass-focus.ts';
import { projectMenuId } from './project-actions.tsx';

/** The full description of a project, or the editor in its place, which the project's menu opens. */
export function EditableDescription({ project: { _id: id, name, description } }: { readonly project: Project }) {
  const handle = useDescriptionEdit(useUser(), { type: 'project', id, what: name });
  return handle.edit !== null ? (
    <DescriptionEditor
      edit={handle.edit}
      handle={handle}
      description={description}
      onLeave={(leave) => passFocus(leave, () => document.getElementById(projectMenuId(id)))}
    />
  ) : (
    <p className={styles['text']}>{description === '' ? 'No description yet.' : description}</p>
  );
}
