/**
 * The JSON of a public release. Flash counts change more often than the rest, so they are inserted when it is sent,
 * and its tag does not cover them.
 */
import { createHash } from 'node:crypto';
import type { Project, ProjectSummary, Version } from '@wirebench/contract';

/** `{ project }` with its public versions, or `{ project, version }`. */
export type Release = { readonly project: Project } | { readonly project: ProjectSummary; readonly version: Version };

export class ReleaseAnswer {
  /** Ids of the versions, each followed by its builds. */
  readonly countedIds: readonly string[];
  /** A weak tag (RFC 9110, section 8.8.1): it stays the same when only the counts differ. */
  readonly etag: string;
  readonly #release: Release;
  #counts: readonly number[];
  #body: string;

  constructor(release: Release) {
    const versions = 'version' in release ? [release.version] : release.project.versions;
    this.countedIds = versions.flatMap(({ _id, builds = [] }) => [_id, ...builds.map((build) => build._id)]);
    this.#release = release;
    this.#counts = this.countedIds.map(() => 0);
    this.#body = bodyOf(release, this.#counts);
    this.etag = `W/${tagOf(this.#body)}`;
  }

  /** Approximate length in UTF-16 code units. */
  get length(): number {
    return this.#body.length;
  }

  /** Returns the body with these flash counts, in the order of `countedIds`. */
  bodyWith(counts: readonly number[]): string {
    if (counts.some((count, index) => count !== this.#counts[index])) {
      this.#counts = counts;
      this.#body = bodyOf(this.#release, counts);
    }
    return this.#body;
  }
}

/** Returns the tag of a text, including its quotes. */
export function tagOf(body: string): string {
  return `"${createHash('sha256').update(body).digest('base64url')}"`;
}

function bodyOf(release: Release, counts: readonly number[]): string {
  const left = counts.values();
  const next = () => left.next().value ?? 0;
  const counted = (version: Version) => ({
    ...version,
    writeCount: next(),
    ...(version.builds === undefined
      ? {}
      : { builds: version.builds.map((build) => ({ ...build, writeCount: next() })) }),
  });
  return JSON.stringify(
    'version' in release
      ? { ...release, version: counted(release.version) }
      : { project: { ...release.project, versions: release.project.versions.map(counted) } },
  );
}
