/**
 * Whether a set of files is a release that can be flashed: the checks of the flash plans without a board. The server, the form of
 * a new version and the command line use this entry and nothing else of the package; it knows no port and no document.
 */
export {
  checkRelease,
  type ReleaseCheck,
  type ReleaseDevice,
  type ReleaseFileInfo,
  type ReleaseFinding,
} from './check-release.ts';
export {
  type FirmwareReading,
  firmwareHeadSize,
  readFirmware,
  readFirmwareHead,
} from './read-firmware.ts';
