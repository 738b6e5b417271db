/**
 * Firmware files of every family, by their format. Images for Espressif chips are in `@wirebench/flasher/espressif`.
 */
export { isBlank, notFirmware, notFirmwareText, notFirmwareTitle } from './contents/not-firmware.ts';
export { memoryFileExtensions, pickedExtensions, usualExtensions } from './formats/file-extensions.ts';
export { isMemoryFile, type MemoryFile, readMemoryFile, vectorTableOf } from './formats/memory-file.ts';
export { writeIntelHex } from './formats/write-intel-hex.ts';
export { readNestedZip, startsLikeZip } from './formats/zip.ts';
export { ImageError, imageFaultText } from './image-error.ts';
export { sha256Hex } from './sha256.ts';
