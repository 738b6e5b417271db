import { useEffect, useEffectEvent } from 'react';
import { tinykeys } from 'tinykeys';
import { shortcuts } from '../shortcuts.ts';
import { takesLetters } from '../use-shortcuts.ts';
import { quickGuideIsOpen, toggleQuickGuide } from './quick-guide-store.ts';

/** The `?` key opens and closes the quick guide. @param onShow brings the pane that it stands in to the screen. */
export function useQuickGuideKey(onShow: () => void): void {
  const show = useEffectEvent(onShow);
  useEffect(
    () =>
      tinykeys(
        window,
        {
          [`Shift+${shortcuts.guide.keys}`]: () => {
            toggleQuickGuide();
            if (quickGuideIsOpen()) {
              show();
            }
          },
        },
        { ignore: (event) => event.repeat || takesLetters(event.target) },
      ),
    [],
  );
}
