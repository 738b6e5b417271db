import { useEffect } from 'react';
import { tinykeys } from 'tinykeys';
import { toggleQuickGuide } from '../../../shared/quick-guide.ts';
import { takesLetters } from '../../../shared/ui/takes-letters.ts';
import { shortcuts } from '../shortcuts.ts';

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
