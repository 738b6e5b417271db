/** Moves the focus to the main part of the page when the focused part disappears. */
import { useEffect } from 'react';

/** Moves the focus to the main part of the page when this component unmounts, unless another element has taken it. */
export function useFocusMain(): void {
  useEffect(
    () => () => {
      requestAnimationFrame(() => {
        if (document.activeElement === document.body) {
          document.getElementById('main')?.focus({ preventScroll: true });
        }
      });
    },
    [],
  );
}
