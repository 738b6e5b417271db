/** Contents of partitions as they were read before, so that a view can say what has changed since. */
import { useEffect } from 'react';
import { pageStore } from '../../../../../../shared/page-store.ts';

interface ReadContents {
  /** Never changed. */
  readonly contents: Uint8Array;
  /** 32 lower-case hexadecimal digits. */
  readonly md5: string;
  /** Time of the read, in milliseconds since the Unix epoch. */
  readonly at: number;
}

interface Reads {
  readonly latest: ReadContents;
  /** The read before that found other contents. */
  readonly earlier: ReadContents | null;
}

/** Reads by place. They last as long as the page and leave it in no way. */
const readsStore = pageStore<Readonly<Record<string, Reads>>>({});

/**
 * Notes the contents of a partition, and returns the ones before them; null if they did not differ.
 *
 * @param place Board and partition. Null: the board is not known by an ID, so nothing is kept.
 * @param at Time of the read; null: now.
 */
export function useEarlierContents(
  place: string | null,
  contents: Uint8Array,
  md5: string,
  at: number | null,
): ReadContents | null {
  useEffect(() => {
    if (place !== null) {
      noteContents(place, { contents, md5, at: at ?? Date.now() });
    }
  }, [place, contents, md5, at]);
  const reads = readsStore.use((all) => (place === null ? undefined : all[place]));
  return reads?.latest.md5 === md5 ? reads.earlier : (reads?.latest ?? null);
}

/** Equal contents change nothing. */
function noteContents(place: string, read: ReadContents): void {
  const latest = readsStore.getState()[place]?.latest ?? null;
  if (latest?.md5 !== read.md5) {
    readsStore.setState({ [place]: { latest: read, earlier: latest } });
  }
}
