/**
 * Checks the files of a release by the rules of the flash plans, without a board. The server, the form of a new
 * version and the command line use only this entry of the package.
 */

export { appVersionOf } from './app-version.ts';
export * from './builds.ts';
export { type BuildFile, checkBuild } from './check-build.ts';
export {
  checkRelease,
  type ReleaseCheck,
  type ReleaseDevice,
  type ReleaseFinding,
} from './check-release.ts';
export {
  isLoopback,
  type LoadedManifestFile,
  loadBuildFiles,
  loadManifest,
  loadManifestFile,
  type ManifestRequest,
  manifestAddress,
} from './load-manifest.ts';
export { ManifestError, type ManifestFailure } from './manifest-fault.ts';
export { type BuildFileReading, binaryReading, readBuildFile } from './read-build-file.ts';
export {
  type FirmwareReading,
  firmwareHeadSize,
  type ReleaseFileInfo,
  readFirmware,
  readFirmwareHead,
} from './read-firmware.ts';
export {
  type ManifestBuild,
  type ManifestFile,
  type ManifestRelease,
  type ManifestVersion,
  manifestLimits,
  readManifest,
} from './read-manifest.ts';
