import type { Jkit } from '@wirebench/contract';
import { useState } from 'react';
import { JkitForm } from './jkit-form.tsx';
import { type LibraryProps, loadedFacts, typeOf } from './jkit-panel.ts';
import styles from './library.module.css';
import { draftKeyOf, openLibrary, useLibrary } from './library-store.ts';
import { saveAgainText } from './model/panel-texts.ts';

export interface OrphanedDraftsProps extends LibraryProps {
  readonly own: readonly Jkit[];
  /** True: no slot is free. */
  readonly full: boolean;
}

/**
 * Drafts of JKits that another tab or device deleted. They can be saved as new JKits. Includes the update form of a
 * panel whose JKit was deleted.
 */
export function OrphanedDrafts(props: OrphanedDraftsProps) {
  const { user, panel, jkits, own, full } = props;
  const drafts = useLibrary((state) => state.drafts);
  const updating = useLibrary((state) => state.updating);
  const [dismissed, setDismissed] = useState<readonly string[]>([]);
  const known = new Set(own.map(({ _id }) => _id));
  const draftsOf = draftKeyOf(user, typeOf(panel), '');
  const typed = Object.keys(drafts)
    .filter((key) => key.startsWith(draftsOf) && !key.startsWith(`${draftsOf}new `))
    .map((key) => key.slice(draftsOf.length));
  const gone = [...new Set([...typed, ...(updating === null ? [] : [updating])])].filter(
    (id) => !(known.has(id) || dismissed.includes(id)),
  );
  return gone.map((id) => {
    const draftKey = draftKeyOf(user, typeOf(panel), id);
    const facts = loadedFacts(panel);
    const name = drafts[draftKey]?.name ?? facts?.name ?? '';
    return (
      <div key={id} className={styles['orphan']}>
        <JkitForm
          panel={panel}
          jkits={jkits}
          id={null}
          title={name === '' ? 'This JKit was deleted' : `${name} was deleted`}
          text={`It was deleted in another tab or on another device. ${saveAgainText(panel)}${full ? ' once a slot is free' : ''}.`}
          draftKey={draftKey}
          initial={{ name, description: '', tags: '', version: facts?.version ?? '1.0.0' }}
          onSaved={() => jkits.forget(id)}
          onClose={() => setDismissed((before) => [...before, id])}
          onReopen={() => {
            setDismissed((before) => before.filter((other) => other !== id));
            openLibrary(panel.id, 'own');
          }}
        />
      </div>
    );
  });
}
