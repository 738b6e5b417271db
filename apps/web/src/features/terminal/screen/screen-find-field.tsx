/** Field of the toolbar that finds text in a Screen and in the lines above it, in the place of the one for the log. */
import type { PortNumber } from '@wirebench/serial';
import { ChevronDown, ChevronUp, Search } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useEffect, useState } from 'react';
import { count as amountOf } from '../../../shared/format/numbers.ts';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import styles from '../../../workbench/console/find/find-field.module.css';
import { screenOf } from './port-screens.ts';
import { type ScreenFound, showFound } from './screen-find.ts';

export interface ScreenFindFieldProps {
  readonly port: PortNumber;
  readonly field: RefObject<HTMLInputElement | null>;
  /** Shows and focuses the field. */
  readonly onFind: () => void;
}

export function ScreenFindField({ port, field, onFind }: ScreenFindFieldProps) {
  const screen = screenOf(port);
  useEffect(() => {
    screen.onFind = onFind;
  });
  const [text, setText] = useState('');
  const [{ count, place }, setFound] = useState<ScreenFound>({ count: 0, place: 0 });
  const step = (direction: 'next' | 'previous') => setFound(showFound(screen.terminal, text, direction));
  const change = (changed: string) => {
    setText(changed);
    setFound(showFound(screen.terminal, changed, 'stay'));
  };
  const pressed = (event: KeyboardEvent) => {
    if (event.key === 'Enter') {
      event.preventDefault();
      step(event.shiftKey ? 'previous' : 'next');
    } else if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      screen.focus();
    }
  };
  return (
    <search className={styles['field']}>
      <Search aria-hidden />
      <input
        ref={field}
        type="text"
        className={styles['input']}
        value={text}
        aria-label="Find in the Screen"
        placeholder="Find in the Screen"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        aria-keyshortcuts="Control+Shift+F"
        onChange={(event) => change(event.currentTarget.value)}
        onKeyDown={pressed}
      />
      <span role="status" className={styles['count']}>
        {text === '' ? '' : count === 0 ? 'no match' : `${amountOf(place)} of ${amountOf(count)}`}
      </span>
      <IconButton
        label="Previous match"
        shortcut="Shift+Enter"
        variant="quiet"
        size="sm"
        icon={<ChevronUp />}
        disabled={count === 0}
        onClick={() => step('previous')}
      />
      <IconButton
        label="Next match"
        shortcut="Enter"
        variant="quiet"
        size="sm"
        icon={<ChevronDown />}
        disabled={count === 0}
        onClick={() => step('next')}
      />
    </search>
  );
}
