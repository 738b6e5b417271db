/**
 * Firmware files of every family, by their format. Images for Espressif chips are in `@wirebench/flasher/esp`.
 */
export { flashersOf } from './contents/flashers-of.ts';
export { isBlank, notFirmware, notFirmwareTitle } from './contents/not-firmware.ts';
export { FileFault } from './file-fault.ts';
export { memoryFileExtensions, pickedExtensions, usualExtensions } from './formats/file-extensions.ts';
export { type MemoryFile, readMemoryFile, vectorTableOf } from './formats/memory-file.ts';
export { archivePath, readNestedZip, startsLikeZip } from './formats/zip.ts';
export { ImageError, imageFaultText } from './image-error.ts';
export { sha256Hex } from './sha256.ts';
export { type Wholeness, wholenessOf } from './wholeness.ts';
