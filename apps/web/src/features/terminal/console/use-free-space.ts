/** Space that the browser still grants this site. */
import { useEffect, useState } from 'react';
import { sizeText } from '../../../shared/format/bytes.ts';

/** @returns Free space in bytes; null until it is known, and in browsers that do not tell. */
export function useFreeSpace(): number | null {
  const [free, setFree] = useState<number | null>(null);
  useEffect(() => {
    let isWanted = true;
    void navigator.storage?.estimate?.().then(
      ({ quota, usage }) => {
        if (isWanted && quota !== undefined && usage !== undefined) {
          setFree(Math.max(0, quota - usage));
        }
      },
      () => undefined,
    );
    return () => {
      isWanted = false;
    };
  }, []);
  return free;
}

/** `About 4.2 GB are free for this site.`, or an empty text. */
export const freeSpaceText = (free: number | null): string =>
  free === null ? '' : `About ${sizeText(free)} are free for this site.`;
