import { useEffect, useEffectEvent } from 'react';
import { tinykeys } from 'tinykeys';
import { clearLog, exportLog } from './console/export-log.ts';
import { changeSettings, terminalSettings } from './settings/settings-store.ts';
import { shortcuts } from './shortcuts.ts';

/** The terminal's shortcuts. They never act while one types, nor in a menu or a dialog. */
export function useShortcuts(onFollow: () => void, onFind: () => void): void {
  const toggleFollow = useEffectEvent(onFollow);
  const find = useEffectEvent((event: KeyboardEvent) => {
    event.preventDefault();
    onFind();
  });
  useEffect(
    () =>
      tinykeys(
        window,
        {
          [shortcuts.hex.keys]: () =>
            changeSettings({ layout: terminalSettings.getState().layout === 'hex' ? 'text' : 'hex' }),
          [shortcuts.follow.keys]: () => toggleFollow(),
          [shortcuts.clear.keys]: () => void clearLog(),
          [shortcuts.export.keys]: () => void exportLog('text'),
          [shortcuts.find.keys]: (event) => find(event),
          // Where the slash stands on another key's second level.
          [`Shift+${shortcuts.find.keys}`]: (event) => find(event),
        },
        { ignore: (event) => event.repeat || takesLetters(event.target) },
      ),
    [],
  );
}

const takingLetters = 'textarea, select, [contenteditable], [role="menu"], [role="dialog"]';

/** Letters typed there have a meaning of their own. A radio button or a switch takes none. */
export function takesLetters(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) {
    return target.type !== 'radio' && target.type !== 'checkbox';
  }
  return target instanceof Element && target.closest(takingLetters) !== null;
}
