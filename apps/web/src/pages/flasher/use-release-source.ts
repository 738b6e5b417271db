import { releaseOfQuery } from '@wirebench/boards';
import { use, useState } from 'react';
import { hasServer } from '../../shared/edition.ts';
import { loadRelease } from '../../workbench/release/load-release.ts';
import type { ReleaseSource } from '../../workbench/release/release.ts';
import { releaseErrorOf } from '../../workbench/release/release-problem.tsx';
import { VisitPlaceContext } from '../../workbench/release/visit-place.ts';

/** Sources by the query of the address. The same address gives the same source, so that its files are loaded once. */
const sources = new Map<string, ReleaseSource | null>();

/**
 * Returns the source of the release that the address named when the page was shown, or the release on whose page the
 * flasher is; null without one.
 */
export function useReleaseSource(): ReleaseSource | null {
  const place = use(VisitPlaceContext);
  const [source] = useState(() => {
    const search = place?.search ?? location.search;
    const known = sources.get(search);
    if (known !== undefined) {
      return known;
    }
    const given = place?.release ?? null;
    const found = given === null ? releaseSource(search) : async () => given;
    sources.set(search, found);
    return found;
  });
  return source;
}

/**
 * Returns the source of the release that an address of a flasher names; null if it names none.
 * @param search Query of the address.
 */
export function releaseSource(search: string): ReleaseSource | null {
  const query = new URLSearchParams(search);
  const manifest = query.get('manifest');
  if (manifest !== null) {
    return async (signal) =>
      (await import('../../workbench/release/manifest-release.ts')).loadManifestRelease(manifest, signal);
  }
  if (!hasServer || (!query.has('type') && !query.has('id'))) {
    return null;
  }
  return async (signal) => {
    try {
      return await loadRelease(releaseOfQuery(search), signal);
    } catch (error) {
      throw releaseErrorOf(error);
    }
  };
}
