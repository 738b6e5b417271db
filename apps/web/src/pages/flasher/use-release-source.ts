import { useState } from 'react';
import type { ReleaseSource } from '../../features/flasher/release/use-release.ts';
import { releaseSource } from './release-source.ts';

/** Sources by the query of the address. The same address gives the same source, so that its files are loaded once. */
const sources = new Map<string, ReleaseSource | null>();

/** Returns the source of the release that the address named when the page was shown; null without one. */
export function useReleaseSource(): ReleaseSource | null {
  const [source] = useState(() => sourceAt(location.search));
  return source;
}

function sourceAt(search: string): ReleaseSource | null {
  const known = sources.get(search);
  if (known !== undefined) {
    return known;
  }
  const source = releaseSource(search);
  sources.set(search, source);
  return source;
}
