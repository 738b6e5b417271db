/** Editor for a chip's description: JSON text, faults and preview. Loaded on demand. */
import { jkitLimits } from '@wirebench/contract';
import { allChips } from '@wirebench/contract/chip-library';
import { useDeferredValue } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { Field } from '../../../shared/ui/field.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';
import { offerUndo } from '../../../shared/ui/offer-undo.ts';
import { Select } from '../../../shared/ui/select.tsx';
import { TextArea } from '../../../shared/ui/text-input.tsx';
import { LibraryButton } from '../library-button.tsx';
import { LinkNotice } from '../link-notice.tsx';
import { LoadedLine } from '../loaded-line.tsx';
import { useLinkedJkit } from '../use-linked-jkit.ts';
import { ChipPreview } from './chip-preview.tsx';
import {
  chipJkits,
  chipPanel,
  editDescription,
  keepOwn,
  linkedChip,
  replaceDescription,
  takeElsewhere,
  useChipEditor,
} from './chip-store.ts';
import styles from './chips.module.css';
import { emptyDescription } from './readable-description.ts';

/** @param search Query part of the page's address, which may name a chip. */
export function ChipEditor({ search }: { readonly search: string }) {
  useLinkedJkit(search, linkedChip);
  const state = useChipEditor((all) => all);
  const panel = chipPanel(state);
  const shown = useDeferredValue(state.text);
  const start = (text: string) => {
    const undo = replaceDescription(text);
    if (state.text !== emptyDescription) {
      offerUndo(`Description of ${panel.name} replaced`, undo);
    }
  };
  return (
    <div className={styles['editor']}>
      <LinkNotice panels={linkedChip} />
      {state.isElsewhere ? <Elsewhere /> : null}
      <div className="buttons">
        <Field label="Start from" layout="left">
          {(ids) => (
            <Select
              {...ids}
              value=""
              onChange={(event) => {
                const chip = allChips.find(({ id }) => id === event.currentTarget.value);
                start(chip === undefined ? emptyDescription : JSON.stringify(chip.content));
              }}
            >
              <option value="" disabled>
                Choose a description
              </option>
              <option value="empty">An empty description</option>
              {allChips.toReversed().map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <LibraryButton panel={panel} jkits={chipJkits} />
        <LoadedLine panel={panel} jkits={chipJkits} />
      </div>
      <Field label="Description" hint="JSON. Numbers may be written as text in hex, such as &quot;0x76&quot;.">
        {(ids) => (
          <TextArea
            {...ids}
            className={styles['text']}
            spellCheck={false}
            autoComplete="off"
            maxLength={jkitLimits.contentSize}
            rows={18}
            value={state.text}
            onChange={(event) => editDescription(event.currentTarget.value)}
          />
        )}
      </Field>
      <ChipPreview content={shown} />
    </div>
  );
}

/**
 * Warning that another tab has changed the description. The user chooses one of the two versions, so nothing is lost
 * silently.
 */
function Elsewhere() {
  const take = () => offerUndo('The description of the other tab is in the editor', takeElsewhere());
  return (
    <Notice
      level="warning"
      title="Another tab has changed this description."
      action={
        <>
          <Button size="sm" onClick={take}>
            Use the other tab’s
          </Button>
          <Button size="sm" onClick={keepOwn}>
            Keep this one
          </Button>
        </>
      }
    >
      What you change here is not kept in the browser until you choose.
    </Notice>
  );
}
