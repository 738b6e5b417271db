import { Save } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from '../../shared/ui/button.tsx';
import { JkitForm } from './jkit-form.tsx';
import { type LibraryProps, loadedFacts, typeOf } from './jkit-panel.ts';
import styles from './jkit-row.module.css';
import { draftKeyOf, type JkitDraft, openLibrary, useLibrary } from './library-store.ts';
import { saveText, saveTitle } from './model/panel-texts.ts';

export interface EmptySlotProps extends LibraryProps {
  readonly place: number;
  /** True: the first empty slot, in which new JKits are saved. */
  readonly first: boolean;
}

/** A free slot. The first one has a form that saves the panel as a new JKit. */
export function EmptySlot({ user, panel, jkits, place, first }: EmptySlotProps) {
  const draftKey = draftKeyOf(user, typeOf(panel), `new ${panel.id}`);
  const [naming, setNaming] = useState(useLibrary(({ drafts }) => drafts[draftKey]) !== undefined);
  const button = useRef<HTMLButtonElement>(null);
  const initial: JkitDraft = { name: loadedFacts(panel)?.name ?? '', description: '', tags: '', version: '1.0.0' };
  return (
    <li className={styles['empty']}>
      <span className={styles['place']}>{place}</span>
      {first && naming ? (
        <div className={styles['wide']}>
          <JkitForm
            panel={panel}
            jkits={jkits}
            id={null}
            title={saveTitle(panel)}
            text={saveText(panel)}
            draftKey={draftKey}
            initial={initial}
            onClose={() => {
              setNaming(false);
              queueMicrotask(() => button.current?.focus());
            }}
            onReopen={() => {
              setNaming(true);
              openLibrary(panel.id, 'own');
            }}
          />
        </div>
      ) : (
        <>
          <span>Empty slot</span>
          {first ? (
            <Button ref={button} size="sm" data-row="" icon={<Save />} onClick={() => setNaming(true)}>
              {saveTitle(panel)}
            </Button>
          ) : null}
        </>
      )}
    </li>
  );
}
