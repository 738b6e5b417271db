/** Tells what visitors of a project's link get now, and what *Publish* would give them. */
import type { Project, Version } from '@wirebench/contract';

export interface Visitors {
  /** Version that the link installs now; null if it installs none. */
  readonly now: Version | null;
  /** Version that *Publish* makes public; null if there is none, or if visitors have it already. */
  readonly next: Version | null;
}

/** The link follows stable versions. A beta version is published if there is no stable one. */
export function visitorsOf({ isPublic, versions }: Pick<Project, 'isPublic' | 'versions'>): Visitors {
  const stable = versions.filter(({ channel }) => channel !== 'beta');
  const offered = stable.length > 0 ? stable : versions;
  const now = isPublic ? (stable.find((version) => version.isPublic) ?? null) : null;
  const newest = offered.find(({ withheld }) => withheld === undefined) ?? null;
  const isThere = newest === null || (isPublic && newest.isPublic);
  return { now, next: isThere ? null : newest };
}
