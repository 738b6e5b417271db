/** Figures that are read from the bench again and again while they are shown. */
import { useEffect, useEffectEvent, useState } from 'react';

/** Time between two updates, in milliseconds. */
const interval = 500;

/**
 * Returns the newest figures.
 *
 * @param about Subject of the figures. Another one is read at once.
 * @param look Reads the figures, given the ones before.
 */
export function useFigures<Figures>(
  about: string,
  first: Figures,
  look: (before: Figures) => Promise<Figures>,
): Figures {
  const [figures, setFigures] = useState(first);
  const read = useEffectEvent(() => look(figures));
  // biome-ignore lint/correctness/useExhaustiveDependencies: `read` looks at what `about` names.
  useEffect(() => {
    let wanted = true;
    const begin = async () => {
      try {
        const found = await read();
        if (wanted) {
          setFigures(found);
        }
      } catch (error) {
        // The bench has stopped. Keep the last figures.
        console.warn('The statistics have ended.', error);
        clearInterval(timer);
      }
    };
    const timer = setInterval(() => void begin(), interval);
    void begin();
    return () => {
      wanted = false;
      clearInterval(timer);
    };
  }, [about]);
  return figures;
}
