import type { Project } from '@wirebench/contract';
import { copyText } from '../../../shared/files/copy-text.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';
import { TextArea } from '../../../shared/ui/text-input.tsx';
import { forgetVersionDraft, useVersionDrafts } from '../form/drafts-store.ts';
import { useUser } from '../use-user.ts';
import { forgetEdit, useEdits } from './edits-store.ts';
import styles from './lost-texts.module.css';

export interface LostTextsProps {
  /** All projects of the user. */
  readonly projects: readonly Project[];
}

/** Shows text typed for projects and versions that were deleted elsewhere, so that it can still be copied. */
export function LostTexts({ projects }: LostTextsProps) {
  const user = useUser();
  const edits = useEdits(user);
  const drafts = useVersionDrafts(user);
  const known = new Set(projects.flatMap(({ _id, versions }) => [_id, ...versions.map((version) => version._id)]));
  return (
    <>
      {edits
        .filter(({ id }) => !known.has(id))
        .map(({ id, what, text }) => (
          <LostText
            key={id}
            title={`${what.replace(/^v/, 'V')} was deleted while you were editing its description.`}
            text={text}
            onDiscard={() => forgetEdit(user, id)}
          />
        ))}
      {drafts
        .filter(({ projectId, draft }) => !known.has(projectId) && draft.description.trim() !== '')
        .map(({ projectId, draft }) => (
          <LostText
            key={projectId}
            title={`The project of your new version ${draft.version} was deleted.`.replace('  ', ' ')}
            text={draft.description}
            onDiscard={() => forgetVersionDraft(user, projectId)}
          />
        ))}
    </>
  );
}

interface LostTextProps {
  readonly title: string;
  readonly text: string;
  readonly onDiscard: () => void;
}

function LostText({ title, text, onDiscard }: LostTextProps) {
  return (
    <Notice level="warning" title={title}>
      <p>It cannot be saved any more. Your text is kept here until you discard it or close the page:</p>
      <TextArea aria-label="Your text" readOnly rows={4} value={text} className={styles['text']} />
      <div className="buttons">
        <Button size="sm" onClick={() => void copyText(text, 'Text copied')}>
          Copy text
        </Button>
        <Button size="sm" variant="quiet" onClick={onDiscard}>
          Discard
        </Button>
      </div>
    </Notice>
  );
}
