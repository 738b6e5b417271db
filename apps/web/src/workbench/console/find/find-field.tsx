/** Field for finding and filtering lines, with the number of matches and buttons to step through them. */
import { ChevronDown, ChevronUp, ListFilter, Search, X } from 'lucide-react';
import type { KeyboardEvent, RefObject } from 'react';
import { count as amountOf } from '../../../shared/format/numbers.ts';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { useBenchStatus } from '../../bench-status.ts';
import { joinField, splitField, withoutChip } from './find-chips.ts';
import styles from './find-field.module.css';
import { changeFind, useFind } from './find-store.ts';

export interface FindFieldProps {
  readonly field: RefObject<HTMLInputElement | null>;
  readonly onStep: (direction: 'next' | 'previous') => void;
  /** Called for Escape in an empty field. */
  readonly onLeave: () => void;
}

const failureId = 'find-failure';
/** The focus keeper finds the field by this id after a layout change. */
const fieldId = 'find-in-console';

export function FindField({ field, onStep, onLeave }: FindFieldProps) {
  const text = useFind((find) => find.text);
  const matchesOnly = useFind((find) => find.matchesOnly);
  const failed = useFind((find) => find.failure !== null);
  // After a failure the previous search remains active, but its count does not match the text in the field.
  const count = useBenchStatus((view) => view.find?.count ?? null);
  const found = failed ? null : count;
  const split = splitField(text);
  const remove = (index: number) => {
    changeFind({ text: withoutChip(split, index) });
    field.current?.focus();
  };
  const pressed = (event: KeyboardEvent) => {
    if (event.key === 'Enter') {
      event.preventDefault();
      onStep(event.shiftKey ? 'previous' : 'next');
    } else if (event.key === 'Escape') {
      event.preventDefault();
      if (text === '') {
        onLeave();
      } else {
        changeFind({ text: '' });
      }
    } else if (event.key === 'Backspace' && split.rest === '' && split.chips.length > 0) {
      event.preventDefault();
      remove(split.chips.length - 1);
    }
  };
  return (
    <div className={styles['field']}>
      <Search />
      {split.chips.map((chip, index) => (
        <span key={chip} className={styles['chip']}>
          {chip}
          <button type="button" aria-label={`Remove ${chip}`} onClick={() => remove(index)}>
            <X />
          </button>
        </span>
      ))}
      <input
        ref={field}
        id={fieldId}
        type="text"
        className={styles['input']}
        value={split.rest}
        aria-label="Find in the console"
        aria-keyshortcuts="/ Control+F"
        aria-invalid={failed}
        aria-describedby={failed ? failureId : undefined}
        placeholder="Find: text, /expression/, hex:B562, port:1"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        onChange={(event) => changeFind({ text: joinField({ ...split, rest: event.target.value }) })}
        onKeyDown={pressed}
      />
      {found === null ? null : <FoundCount />}
      {found === null ? null : (
        <>
          <IconButton
            label="Previous match"
            shortcut="Shift+Enter"
            variant="quiet"
            size="sm"
            icon={<ChevronUp />}
            onClick={() => onStep('previous')}
          />
          <IconButton
            label="Next match"
            shortcut="Enter"
            variant="quiet"
            size="sm"
            icon={<ChevronDown />}
            onClick={() => onStep('next')}
          />
          <IconButton
            label="Show only lines that match"
            variant="quiet"
            size="sm"
            icon={<ListFilter />}
            pressed={matchesOnly}
            onClick={() => changeFind({ matchesOnly: !matchesOnly })}
          />
        </>
      )}
    </div>
  );
}

function FoundCount() {
  const found = useBenchStatus((view) => view.find?.count ?? 0);
  const index = useBenchStatus((view) => view.find?.index ?? null);
  const complete = useBenchStatus((view) => view.find?.complete ?? true);
  return (
    <span className={styles['count']}>
      {index === null ? `${amountOf(found)} found` : `${amountOf(index + 1)} of ${amountOf(found)}`}
      {complete ? '' : ' …'}
    </span>
  );
}

/** Shows the reason why the text in the find field is invalid. */
export function FindFailure() {
  const failure = useFind((find) => find.failure);
  return failure === null ? null : (
    <p id={failureId} className={styles['failure']} role="alert">
      {failure}
    </p>
  );
}
