/** The stub's status: the first of two bytes, the second is 0. Source: espressif/esp-flasher-stub, `commands.h`. */
export const stubStatus = {
  good: 0x00,
  /** The data has another size than the command demands. */
  length: 0xc0,
  checksum: 0xc1,
  blockSize: 0xc2,
  command: 0xc3,
  /** The flash did not do what it was asked. */
  flash: 0xc4,
  notInFlashMode: 0xc6,
  inflate: 0xc7,
  tooLittle: 0xc8,
  tooMuch: 0xc9,
  notImplemented: 0xff,
} as const;
export type StubStatus = (typeof stubStatus)[keyof typeof stubStatus];
