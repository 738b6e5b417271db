import { useEffect, useEffectEvent } from 'react';
import { tinykeys } from 'tinykeys';
import { takesLetters } from '../../shared/ui/takes-letters.ts';
import { clearLog } from '../../workbench/console/clear-log.ts';
import { exportLog } from './console/export-log.ts';
import { changeSettings, displayByHexKey, terminalSettingsNow } from './settings/settings-store.ts';
import { shortcuts } from './shortcuts.ts';

/**
 * Installs the terminal's shortcuts. They are ignored while the user types, and in menus and dialogs.
 *
 * @param onFollow Toggles following.
 * @param onMark Goes to the next or previous marked line.
 * @param isReadOnly True: the log is a file, which is not cleared.
 */
export function useShortcuts(
  onFollow: () => void,
  onFind: () => void,
  onMark: (direction: 'next' | 'previous') => void,
  isReadOnly: boolean,
): void {
  const goToMark = useEffectEvent(onMark);
  const toggleFollow = useEffectEvent(onFollow);
  const clear = useEffectEvent(() => (isReadOnly ? undefined : void clearLog()));
  const find = useEffectEvent((event: KeyboardEvent) => {
    event.preventDefault();
    onFind();
  });
  useEffect(
    () =>
      tinykeys(
        window,
        {
          [shortcuts.hex.keys]: () => changeSettings({ layout: displayByHexKey(terminalSettingsNow()) }),
          [shortcuts.follow.keys]: () => toggleFollow(),
          [shortcuts.clear.keys]: () => clear(),
          [shortcuts.export.keys]: () => void exportLog('text'),
          [shortcuts.nextMark.keys]: () => goToMark('next'),
          [shortcuts.previousMark.keys]: () => goToMark('previous'),
          [shortcuts.find.keys]: (event) => find(event),
          // For keyboard layouts with the slash on a shifted key.
          [`Shift+${shortcuts.find.keys}`]: (event) => find(event),
        },
        { ignore: (event) => event.repeat || takesLetters(event.target) },
      ),
    [],
  );
}
