import { useEffect } from 'react';
import { tinykeys } from 'tinykeys';
import { takesLetters } from '../../../shared/ui/takes-letters.ts';
import { shortcuts } from '../shortcuts.ts';
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
