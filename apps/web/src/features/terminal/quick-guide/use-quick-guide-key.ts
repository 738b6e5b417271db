import { useEffect } from 'react';
import { tinykeys } from 'tinykeys';
import { shortcuts } from '../shortcuts.ts';
import { takesLetters } from '../use-shortcuts.ts';
import { toggleQuickGuide } from './quick-guide-store.ts';

/** The `?` key opens and closes the quick guide. */
export function useQuickGuideKey(): void {
  useEffect(
    () =>
      tinykeys(
        window,
        {
          [`Shift+${shortcuts.guide.keys}`]: toggleQuickGuide,
        },
        { ignore: (event) => event.repeat || takesLetters(event.target) },
      ),
    [],
  );
}
