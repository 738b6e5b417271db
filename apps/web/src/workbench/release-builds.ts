/**
 * Builds of a release's version. A version of the simple form has one build without guards, for its project's model. Its
 * words are in `@wirebench/flasher/release/builds`.
 */

import type { Build, FirmwareFile, Version } from '@wirebench/contract';
import { deviceModelName } from '@wirebench/contract/builds';
import type { DeviceFamily, DeviceModel } from '@wirebench/contract/constants';

/** Build as the release page and the manager show it. */
export interface ShownBuild extends Pick<Build, 'deviceFamily' | 'deviceModel' | 'guards'> {
  readonly id: string;
  readonly files: readonly FirmwareFile[];
}

interface Device {
  readonly deviceFamily: DeviceFamily;
  readonly deviceModel: DeviceModel;
}

/** Returns the builds of a version, at least one. The first one is for the project's model. */
export function buildsOf(
  { _id, builds, files }: Version,
  { deviceFamily, deviceModel }: Device,
): readonly ShownBuild[] {
  return (
    builds?.map(({ _id: id, ...build }) => ({ id, ...build })) ?? [
      { id: _id, deviceFamily, deviceModel, guards: {}, files },
    ]
  );
}

/** Returns the names of the builds' chips in the vendors' spelling, each once. */
export function chipNamesOf(builds: readonly Pick<ShownBuild, 'deviceModel'>[]): readonly string[] {
  return [...new Set(builds.map(({ deviceModel }) => deviceModelName(deviceModel)))];
}
