/**
 * The manifest that ESP Web Tools installs from (https://esphome.github.io/esp-web-tools/, "Creating your manifest"), with
 * a key of our own for what those tools cannot write.
 */
import { type DeviceModel, modelName, specifiedModels } from '@wirebench/boards';
import {
  type Build,
  buildsOf,
  type EspManifest,
  firmwareFormatOf,
  type ProjectSummary,
  parseOffset,
  type Version,
} from '@wirebench/contract';

/** Chips that ESP Web Tools 10.4 knows (`src/const.ts`, `Build.chipFamily`). It spells them as the vendor does. */
const toolsChips: readonly DeviceModel[] = [
  'esp32',
  'esp32c2',
  'esp32c3',
  'esp32c5',
  'esp32c6',
  'esp32c61',
  'esp32h2',
  'esp32p4',
  'esp32s2',
  'esp32s3',
  'esp8266',
];

/** Models whose versions of the simple form had their answers before there were builds. */
const specified: readonly DeviceModel[] = Object.values(specifiedModels).flat();

type ToolsBuild = EspManifest['builds'][number];

/**
 * Returns the manifest; paths are relative to its address. Returns null for a demo, which the tools would write to a real
 * chip, and for an STM32 version of the simple form, which never had one.
 */
export function espManifest(project: ProjectSummary, version: Version): EspManifest | null {
  const { deviceModel, publisher } = project;
  const isPlain = version.builds === undefined && specified.includes(deviceModel);
  if (project.demo || (isPlain && !toolsChips.includes(deviceModel))) {
    return null;
  }
  const builds = buildsOf(version, project);
  return {
    name: project.name,
    version: version.version,
    new_install_prompt_erase: true,
    builds: builds.filter(isForTools).map(toToolsBuild).toSorted(byGenerality),
    ...(isPlain
      ? {}
      : {
          wirebench: { publisher, shareId: version.shareId, builds: builds.map((build) => toOwnBuild(build, version)) },
        }),
  };
}

/** Returns true if ESP Web Tools writes the build, and to no board that its guards exclude. */
function isForTools({ deviceModel, guards, files }: Build): boolean {
  const { connection: _connection, ...others } = guards;
  return (
    toolsChips.includes(deviceModel) &&
    Object.keys(others).length === 0 &&
    files.every(({ fileName }) => firmwareFormatOf(fileName) === 'bin')
  );
}

function toToolsBuild({ deviceModel, guards: { connection }, files }: Build): ToolsBuild {
  return {
    chipFamily: modelName(deviceModel),
    ...(connection === undefined ? {} : { serialType: connection === 'usb' ? 'cdc' : 'uart' }),
    parts: files.map(({ _id, offset }) => ({ path: pathOf(_id), offset: parseOffset(offset) ?? 0 })),
  };
}

/** Puts builds for any connection first: tools before 10.4 ignore `serialType` and take the first build of a chip. */
function byGenerality(one: ToolsBuild, other: ToolsBuild): number {
  return Number(one.serialType !== undefined) - Number(other.serialType !== undefined);
}

/** The build of the simple form has no id by which flashes are reported. */
function toOwnBuild({ _id, deviceFamily, deviceModel, guards, files }: Build, version: Version) {
  return {
    ...(_id === version._id ? {} : { _id }),
    deviceFamily,
    deviceModel,
    guards,
    files: files.map(({ _id: fileId, fileName, offset, size, sha256 }) => ({
      path: pathOf(fileId),
      fileName,
      offset,
      size,
      sha256,
    })),
  };
}

const pathOf = (fileId: string) => `files/${fileId}`;
