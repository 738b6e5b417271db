import type { Jkit } from '@wirebench/contract';
import { jkitText } from '@wirebench/contract';
import { fieldsOf, parseJson } from '@wirebench/contract/json';
import { useEffect, useState } from 'react';
import { useIsOwnName } from '../../shared/session/own-names.ts';
import { browserStorage } from '../../shared/storage/browser-storage.ts';
import { Notice } from '../../shared/ui/notice.tsx';
import { EmptySlot } from './empty-slot.tsx';
import { JkitForm } from './jkit-form.tsx';
import { JkitList } from './jkit-list.tsx';
import { type LibraryProps, loadedFacts, typeOf } from './jkit-panel.ts';
import styles from './library.module.css';
import { draftKeyOf, openLibrary, useLibrary } from './library-store.ts';
import { ListAnswer, type ListAnswerProps } from './list-answer.tsx';
import { saveAgainText } from './model/panel-texts.ts';
import { placed, placesOf, type SlotPlaces } from './model/slots.ts';
import { OwnSlot } from './own-slot.tsx';

export interface OwnJkitsProps extends LibraryProps {
  readonly query: ListAnswerProps['query'] & { readonly data: readonly Jkit[] | undefined };
  readonly slots: number;
}

interface SlotsOf {
  readonly user: string;
  readonly type: Jkit['type'];
}

const slotNames = { uart: 'jkit', chip: 'chip', decoder: 'decoder' } satisfies Record<Jkit['type'], string>;

const storageKey = ({ user, type }: SlotsOf) => `wirebench.${slotNames[type]}-slots.${user}`;

/**
 * Returns the user's JKits by slot, null for a free one. Stores the assignment in the browser.
 *
 * @param jkits Undefined while the list is loading.
 */
function useSlots(of: SlotsOf, jkits: readonly Jkit[] | undefined, slots: number): readonly (Jkit | null)[] {
  const key = storageKey(of);
  const all = jkits === undefined ? [] : placed(jkits, remembered(key), slots);
  const places = jkits === undefined ? null : JSON.stringify(placesOf(all));
  useEffect(() => {
    if (places !== null && places !== browserStorage.getItem(key)) {
      remember(key, places);
    }
  }, [key, places]);
  return all;
}

function remembered(key: string): SlotPlaces {
  const places = fieldsOf(parseJson(browserStorage.getItem(key) ?? ''));
  return Object.fromEntries(
    Object.entries(places).filter((entry): entry is [string, number] => Number.isInteger(entry[1])),
  );
}

/** Stores the assignment. If the storage is full, the slots are filled in list order on the next visit. */
function remember(key: string, places: string): void {
  try {
    browserStorage.setItem(key, places);
  } catch (error) {
    if (!(error instanceof DOMException)) {
      throw error;
    }
  }
}

interface OrphanedDraftsProps extends LibraryProps {
  readonly own: readonly Jkit[];
  /** True: no slot is free. */
  readonly full: boolean;
}

/**
 * Drafts of JKits that another tab or device deleted. They can be saved as new JKits. Includes the update form of a
 * panel whose JKit was deleted.
 */
function OrphanedDrafts(props: OrphanedDraftsProps) {
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

/** The user's own JKits in their slots, and the free slots. */
export function OwnJkits({ user, panel, jkits, query, slots }: OwnJkitsProps) {
  const updating = useLibrary((state) => state.updating);
  const [chosen, setChosen] = useState<string | null>(updating);
  const publisher = loadedFacts(panel)?.publisher ?? null;
  const isOwn = useIsOwnName();
  const own = useSlots({ user, type: typeOf(panel) }, query.data, slots);
  const free = own.indexOf(null);
  return (
    <>
      <ListAnswer query={query} operation="List JKits" waiting="Loading your JKits…" />
      {publisher === null || isOwn(user, publisher) ? null : (
        <div className={styles['failure']}>
          <Notice level="info" title={jkitText.notYours(publisher)}>
            {free === -1 ? null : 'Save this panel in an empty slot to make it a JKit of your own.'}
          </Notice>
        </div>
      )}
      {query.data === undefined ? null : (
        <>
          <OrphanedDrafts user={user} panel={panel} jkits={jkits} own={query.data} full={free === -1} />
          <JkitList label="My JKits">
            {own.map((jkit, index) =>
              jkit === null ? (
                <EmptySlot
                  // biome-ignore lint/suspicious/noArrayIndexKey: a slot is identified by its index.
                  key={`empty-${index}`}
                  user={user}
                  panel={panel}
                  jkits={jkits}
                  place={index + 1}
                  first={index === free}
                />
              ) : (
                <OwnSlot
                  key={jkit._id}
                  user={user}
                  panel={panel}
                  jkits={jkits}
                  jkit={jkit}
                  place={index + 1}
                  chosen={chosen === jkit._id}
                  updating={updating === jkit._id}
                  onChoose={setChosen}
                />
              ),
            )}
          </JkitList>
        </>
      )}
    </>
  );
}
