/** Resolves the link of a release to the versions that a crash can be sent to. */
import { type ReleaseAddress, releaseOfQuery } from '@wirebench/boards';
import { ProjectAnswer, SharedVersionAnswer, sharedFirmwarePaths, type Version } from '@wirebench/contract';
import { buildName } from '@wirebench/flasher/release/builds';
import { readPublic } from '../../../../../shared/api/api.ts';

export interface CrashTarget {
  /** Share id of the version. */
  readonly shareId: string;
  readonly name: string;
  readonly version: string;
  readonly publisher: string;
  /** Build that the board runs. Missing if it is unknown, or the version has no builds. */
  readonly build?: CrashBuild;
}

interface CrashBuild {
  readonly id: string;
  /** Board of the build in words: `ESP32-S3 with PSRAM`. */
  readonly name: string;
}

/** Parses a release link, or its query with the leading `?`. Returns null if `text` is not one. */
export function readReleaseLink(text: string): ReleaseAddress | null {
  const [, query = ''] = /\?([^#]*)/.exec(text.trim()) ?? [];
  return releaseOfQuery(query);
}

/**
 * Returns the public versions behind a link, newest first.
 *
 * @param chip Chip that crashed, such as `esp32s3`; null if the dump does not name it.
 * @throws ApiError with status 404 if the item is private, deleted or unknown.
 */
export async function targetsOf(
  { type, id, beta }: ReleaseAddress,
  chip: string | null,
  signal: AbortSignal,
): Promise<readonly CrashTarget[]> {
  const path = sharedFirmwarePaths.item(type, id);
  if (type === 'version') {
    const { project, version } = await readPublic((client) => client.request(path, SharedVersionAnswer, { signal }));
    return [targetOf(project, version, chip)];
  }
  const asked = beta ? `${path}?channel=beta` : path;
  const { project } = await readPublic((client) => client.request(asked, ProjectAnswer, { signal }));
  return project.versions.map((version) => targetOf(project, version, chip));
}

function targetOf(
  { name, publisher }: { readonly name: string; readonly publisher: string },
  { shareId, version, builds = [] }: Version,
  chip: string | null,
): CrashTarget {
  const [build, ...others] = builds.filter(({ deviceModel }) => deviceModel === chip);
  return {
    shareId,
    name,
    version,
    publisher,
    // The chip alone does not tell apart the builds for it.
    ...(build !== undefined && others.length === 0 && { build: { id: build._id, name: buildName(build) } }),
  };
}
