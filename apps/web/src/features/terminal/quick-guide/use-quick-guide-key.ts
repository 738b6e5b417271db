import { useEffect } from 'react';
import { tinykeys } from 'tinykeys';
import { takesLetters } from '../../../shared/ui/takes-letters.ts';
import { shortcuts } from '../shortcuts.ts';
import { toggleQuickGuide } from './quick-guide-store.ts';

/** Toggles the quick guide with the `?` key. */
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
