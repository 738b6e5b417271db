import type { Jkit } from '@wirebench/contract';
import { Ban, Globe, Link, Lock } from 'lucide-react';
import { useRef, useState } from 'react';
import { useApiMutation } from '../../shared/api/use-api-mutation.ts';
import { copyText, writeClipboard } from '../../shared/files/copy-text.ts';
import { Badge } from '../../shared/ui/badge.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { classNames } from '../../shared/ui/class-names.ts';
import { Notice } from '../../shared/ui/notice.tsx';
import { toast } from '../../shared/ui/toast.ts';
import { useNextRowFocus } from '../../shared/ui/use-next-row-focus.ts';
import { Ask, type Question } from './ask.tsx';
import { useDeleteJkit, useShareJkit } from './calls/own-jkits.ts';
import { JkitForm } from './jkit-form.tsx';
import { type LibraryProps, revisionOf, typeOf } from './jkit-panel.ts';
import styles from './jkit-row.module.css';
import { closeLibrary, draftKeyOf, openUpdate } from './library-store.ts';
import { loadJkit } from './load-jkit.ts';
import { contentSummary } from './model/content-summary.ts';
import { jkitLink } from './model/jkit-link.ts';
import { doneText } from './model/library-texts.ts';
import { nextVersion } from './model/next-version.ts';
import { deletedText, replacedText, updateText } from './model/panel-texts.ts';
import { savedText } from './model/saved-text.ts';
import { Rating } from './rating.tsx';
import { RowName } from './row-name.tsx';

export interface OwnSlotProps extends LibraryProps {
  readonly jkit: Jkit;
  /** Number of the slot, from 1. */
  readonly place: number;
  readonly chosen: boolean;
  /** True: the library was opened to update this JKit. */
  readonly updating: boolean;
  readonly onChoose: (id: string | null) => void;
}

/** Copies a link without being asked to: without access to the clipboard, *Copy link* is there. */
async function copyLink(link: string, done: string): Promise<void> {
  if ((await writeClipboard(link)) === null) {
    toast(done);
  }
}

/** Confirmations and effects of the actions on the user's own JKits. */

type OwnAct = 'load' | 'share' | 'unshare' | 'delete';

interface OwnJkit extends LibraryProps {
  readonly jkit: Jkit;
}

/**
 * Returns the confirmation of each action.
 *
 * @param onDone Called after an action has succeeded.
 */
function useOwnQuestions({ panel, jkits, jkit }: OwnJkit, onDone: () => void): Record<OwnAct, Question> {
  const { _id: id, name } = jkit;
  /**
   * Keeps the panel's `updatedAt` if the content on the server differs from the panel's. A later update then still
   * detects the conflict.
   */
  const asLoaded = (changed: Jkit): Jkit => {
    const loaded = revisionOf(panel, id);
    const isSame = loaded === null || (loaded === jkit.updatedAt && changed.content === jkit.content);
    return isSame ? changed : { ...changed, updatedAt: loaded };
  };
  const loading = useApiMutation({
    mutationFn: async () => loadJkit(panel, jkits, jkit, false),
    onSuccess: closeLibrary,
  });
  const sharing = useShareJkit(id, {
    onSuccess: (changed, shared) => {
      jkits.refresh(asLoaded(changed));
      const done = doneText(shared ? 'share' : 'unshare', name);
      toast(done);
      if (shared) {
        void copyLink(jkitLink(changed), `${done}, link copied`);
      }
      onDone();
    },
  });
  const deletion = useDeleteJkit(id, {
    onSuccess: () => {
      jkits.forget(id);
      toast(doneText('delete', name));
      onDone();
    },
  });
  return {
    load: {
      title: `Load ${name}?`,
      text: replacedText(panel),
      action: 'Load',
      call: loading,
      run: loading.mutate,
    },
    share: {
      title: `Share ${name}?`,
      text: 'Anyone can find it, load it and open it by its link.',
      action: 'Share',
      call: sharing,
      run: () => sharing.mutate(true),
    },
    unshare: {
      title: `Unshare ${name}?`,
      text: 'Nobody else can find it any more, and its link stops working. Others keep the copies that they have loaded.',
      action: 'Unshare',
      call: sharing,
      run: () => sharing.mutate(false),
    },
    delete: {
      title: `Delete ${name}?`,
      text: deletedText(panel),
      action: 'Delete',
      call: deletion,
      run: deletion.mutate,
    },
  };
}

/** Slot with one of the user's JKits. The chosen slot shows its actions. */
export function OwnSlot(props: OwnSlotProps) {
  const { user, panel, jkits, jkit, place, chosen, updating, onChoose } = props;
  const [asked, setAsked] = useState<OwnAct | 'update' | null>(updating ? 'update' : null);
  const row = useRef<HTMLButtonElement>(null);
  const asks = asked !== null && asked !== 'update';
  useNextRowFocus(row, asks);
  const questions = useOwnQuestions(props, () => setAsked(null));
  return (
    <li className={classNames(styles['row'], chosen && styles['chosen'])}>
      <span className={styles['place']}>{place}</span>
      <RowName row={row} jkit={jkit} chosen={chosen} onChoose={onChoose} onLoad={() => setAsked('load')} />
      {jkit.withheld === undefined ? (
        <Badge tone={jkit.shared ? 'success' : 'neutral'} icon={jkit.shared ? <Globe /> : <Lock />}>
          {jkit.shared ? 'Shared' : 'Private'}
        </Badge>
      ) : (
        <Badge tone="danger" icon={<Ban />}>
          Taken down
        </Badge>
      )}
      <span className={`small ${styles['facts']}`}>
        {contentSummary(jkit)}. {savedText(jkit.updatedAt, Date.now())}
        {jkit.ratingCount === 0 ? null : <Rating {...jkit} />}
      </span>
      {chosen ? (
        <div className={styles['wide']}>
          {jkit.withheld === undefined ? null : (
            <Notice level="warning" title="Nobody else sees this JKit: it was taken down by whoever runs this server.">
              Reason: {jkit.withheld.reason}
            </Notice>
          )}
          {asked === 'update' ? (
            <JkitForm
              panel={panel}
              jkits={jkits}
              id={jkit._id}
              title={`Update ${jkit.name}?`}
              text={updateText(panel)}
              draftKey={draftKeyOf(user, typeOf(panel), jkit._id)}
              initial={{
                name: jkit.name,
                description: jkit.description,
                tags: jkit.tags.join(', '),
                version: nextVersion(jkit.version),
                // The list may be newer than the panel. With the panel's time, the server reports a conflict instead
                // of overwriting the change.
                basedOn: revisionOf(panel, jkit._id) ?? jkit.updatedAt,
              }}
              onClose={() => {
                setAsked(null);
                row.current?.focus();
              }}
              onReopen={() => {
                openUpdate(panel.id, jkit._id);
                onChoose(jkit._id);
                setAsked('update');
              }}
            />
          ) : (
            <SlotButtons jkit={jkit} onAsk={setAsked} />
          )}
          <Ask asked={asks ? asked : null} questions={questions} onClose={() => setAsked(null)} />
        </div>
      ) : null}
    </li>
  );
}

interface SlotButtonsProps {
  readonly jkit: Jkit;
  readonly onAsk: (act: OwnAct | 'update') => void;
}

function SlotButtons({ jkit, onAsk }: SlotButtonsProps) {
  return (
    <div className={`buttons tight ${styles['acts']}`}>
      <Button size="sm" variant="primary" onClick={() => onAsk('load')}>
        Load
      </Button>
      <Button size="sm" onClick={() => onAsk('update')}>
        Update
      </Button>
      {jkit.withheld === undefined ? (
        <Button size="sm" onClick={() => onAsk(jkit.shared ? 'unshare' : 'share')}>
          {jkit.shared ? 'Unshare' : 'Share'}
        </Button>
      ) : null}
      {jkit.shared ? (
        <Button
          size="sm"
          aria-label={`Copy link to ${jkit.name}`}
          icon={<Link />}
          onClick={() => void copyText(jkitLink(jkit), `Link to ${jkit.name} copied`)}
        >
          Copy link
        </Button>
      ) : null}
      <Button size="sm" variant="danger" className={styles['end']} onClick={() => onAsk('delete')}>
        Delete
      </Button>
    </div>
  );
}
