/** Field that finds text in a Screen. It lies over the oldest rows, so that the grid keeps its size. */
import { ChevronDown, ChevronUp, Search, X } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useState } from 'react';
import { count as amountOf } from '../../../shared/format/numbers.ts';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import type { PortScreen } from './port-screen.ts';
import { type ScreenFound, showFound } from './screen-find.ts';
import styles from './screen-view.module.css';

export interface ScreenFindFieldProps {
  readonly screen: PortScreen;
  readonly field: RefObject<HTMLInputElement | null>;
  readonly onClose: () => void;
}

export function ScreenFindField({ screen, field, onClose }: ScreenFindFieldProps) {
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
      onClose();
    }
  };
  return (
    <search className={styles['find']} onKeyDown={pressed}>
      <Search aria-hidden />
      <input
        ref={field}
        type="text"
        value={text}
        aria-label="Find in the Screen"
        placeholder="Find in the Screen"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        onChange={(event) => change(event.currentTarget.value)}
      />
      <span role="status">
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
      <IconButton label="Close" shortcut="Escape" variant="quiet" size="sm" icon={<X />} onClick={onClose} />
    </search>
  );
}
