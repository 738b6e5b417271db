/**
 * Builds of a release's version, in words for people. A version of the simple form has one build without guards, for
 * its project's model.
 */

import type { Build, BuildGuards, FirmwareFile, Version } from '@wirebench/contract';
import { deviceModelName } from '@wirebench/contract/builds';
import type { DeviceFamily, DeviceModel } from '@wirebench/contract/constants';
import { memoryText } from '../shared/format/bytes.ts';

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
export function chipsOf(builds: readonly Pick<ShownBuild, 'deviceModel'>[]): readonly string[] {
  return [...new Set(builds.map(({ deviceModel }) => deviceModelName(deviceModel)))];
}

/**
 * Returns one phrase for each requirement, to follow the word "with":
 * `at least 8 MB of flash`, `PSRAM`, `revision 1.0 or newer`, `a USB connection`.
 */
export function guardPhrases({ flashSize, psram, minRevision, connection }: BuildGuards): readonly string[] {
  return [
    ...(flashSize === undefined ? [] : [`at least ${memoryText(flashSize)} of flash`]),
    ...(psram === undefined ? [] : [psram ? 'PSRAM' : 'no PSRAM']),
    ...(minRevision === undefined ? [] : [`chip revision ${revisionText(minRevision)} or newer`]),
    ...(connection === undefined ? [] : [connection === 'usb' ? 'a USB connection' : 'a UART connection']),
  ];
}

/** `ESP32-S3`, or `ESP32-S3 with at least 8 MB of flash and PSRAM`. */
export function boardText({ deviceModel, guards }: Pick<ShownBuild, 'deviceModel' | 'guards'>): string {
  const phrases = guardPhrases(guards);
  const name = deviceModelName(deviceModel);
  return phrases.length === 0 ? name : `${name} with ${listText(phrases)}`;
}

/** `1.0` for the revision 100. */
export const revisionText = (revision: number): string => `${Math.floor(revision / 100)}.${revision % 100}`;

/** `a`, `a and b`, `a, b and c`. */
export function listText(words: readonly string[], last: 'and' | 'or' = 'and'): string {
  const final = words.at(-1) ?? '';
  return words.length < 2 ? final : `${words.slice(0, -1).join(', ')} ${last} ${final}`;
}
