/**
 * Status of the stub: the first of two bytes; the second one is 0. Source: espressif/esp-flasher-stub, `commands.h`.
 */
export const stubStatus = {
  good: 0x00,
  /** The data does not have the size that the command requires. */
  length: 0xc0,
  checksum: 0xc1,
  blockSize: 0xc2,
  command: 0xc3,
  /** A flash operation failed. */
  flash: 0xc4,
  notInFlashMode: 0xc6,
  inflate: 0xc7,
  tooLittle: 0xc8,
  tooMuch: 0xc9,
  notImplemented: 0xff,
} as const;
export type StubStatus = (typeof stubStatus)[keyof typeof stubStatus];
