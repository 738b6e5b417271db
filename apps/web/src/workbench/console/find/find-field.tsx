/** Field for finding and filtering lines, with the number of matches and buttons to step through them. */

import { joinWords, parseFilterField, partWords } from '@wirebench/serial';
import { ChevronDown, ChevronUp, ListFilter, Search, SplitSquareHorizontal, X } from 'lucide-react';
import type { KeyboardEvent, RefObject } from 'react';
import { count as amountOf } from '../../../shared/format/numbers.ts';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { useBenchStatus } from '../../bench-status.ts';
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

/**
 * Splits the text of the find field. Scopes at its start, such as `port:1,2`, are shown as chips, the rest as
 * editable text.
 */

interface SplitField {
  readonly chips: readonly string[];
  readonly rest: string;
}

const scope = /^\s*((?:port|dir|level):\S+)\s/i;

/**
 * Returns chips and rest. A scope becomes a chip after a following space, because before that the user may still be
 * typing it.
 */
export function splitField(text: string): SplitField {
  const chips: string[] = [];
  let rest = text;
  for (let found = scope.exec(rest); found !== null; found = scope.exec(rest)) {
    const [whole, chip = ''] = found;
    if (!parseFilterField(chip).ok) {
      break;
    }
    chips.push(chip);
    rest = rest.slice(whole.length);
  }
  return { chips, rest };
}

export function joinField({ chips, rest }: SplitField): string {
  return [...chips.map((chip) => `${chip} `), rest].join('');
}

export function withoutChip({ chips, rest }: SplitField, index: number): string {
  return joinField({ chips: chips.toSpliced(index, 1), rest });
}

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
      <WordsApart />
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

/** Parts the words of a phrase, or joins them again. It is there while the field has several words. */
function WordsApart() {
  const text = useFind((find) => find.text);
  const parted = partWords(text);
  const joined = joinWords(text);
  if (parted === null && joined === null) {
    return null;
  }
  return (
    <IconButton
      label="Words apart, in any order"
      variant="quiet"
      size="sm"
      icon={<SplitSquareHorizontal />}
      pressed={parted === null}
      onClick={() => changeFind({ text: parted ?? joined ?? text })}
    />
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
