/**
 * Commands of PICOBOOT as bytes, and the answers to requests for status and facts. Little endian. Sources: RP2040
 * datasheet 2.8.5, RP2350 datasheet 5.6; ids and status codes also in pico-sdk, `boot/picoboot.h`.
 */
import { viewOf } from '../../core/bytes.ts';

const MAGIC = 0x431f_d10b;
const COMMAND_SIZE = 32;

/** Id of each command. Bit 7 means that the data goes to the host. */
const commandIds = {
  exclusiveAccess: 0x01,
  reboot: 0x02,
  flashErase: 0x03,
  write: 0x05,
  exitXip: 0x06,
  reboot2: 0x0a,
  read: 0x84,
  getInfo: 0x8b,
} as const;

export interface PicobootCommand {
  readonly id: number;
  /** At most 16 bytes. */
  readonly args: Uint8Array;
  /** Data to the board. */
  readonly data?: Uint8Array;
  /** Bytes to the host; 0 for a command that sends none. */
  readonly length: number;
  /** Words for the log: `read 0x10000000`. */
  readonly what: string;
}

/** Returns the bytes of a command. @param token Any number of 32 bits; the status repeats it. */
export function commandBytes({ id, args, data, length }: PicobootCommand, token: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(COMMAND_SIZE);
  const view = viewOf(bytes);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, token, true);
  bytes[8] = id;
  bytes[9] = args.length;
  view.setUint32(12, data?.length ?? length, true);
  bytes.set(args, 16);
  return bytes;
}

function words(...values: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(4 * values.length);
  const view = viewOf(bytes);
  values.forEach((value, index) => {
    view.setUint32(4 * index, value, true);
  });
  return bytes;
}

const hex = (value: number) => `0x${value.toString(16)}`;

/** Takes the flash for this interface: writes to the drive are swallowed. `release` gives it back. */
export const exclusiveAccess = (mode: 'release' | 'take'): PicobootCommand => ({
  id: commandIds.exclusiveAccess,
  args: Uint8Array.of(mode === 'take' ? 1 : 0),
  length: 0,
  what: `${mode} exclusive access`,
});

/** Connects the flash to the commands. The RP2350 takes it and does nothing. */
export const exitXip: PicobootCommand = {
  id: commandIds.exitXip,
  args: new Uint8Array(0),
  length: 0,
  what: 'exit XIP',
};

/** @param address Multiple of 4,096, as is `length`. */
export const flashErase = (address: number, length: number): PicobootCommand => ({
  id: commandIds.flashErase,
  args: words(address, length),
  length: 0,
  what: `erase ${length} bytes at ${hex(address)}`,
});

/** @param address Multiple of 256 in flash. @param data Whole pages: the ROM fills a part of one with 0. */
export const writeMemory = (address: number, data: Uint8Array): PicobootCommand => ({
  id: commandIds.write,
  args: words(address, data.length),
  data,
  length: 0,
  what: `write ${data.length} bytes at ${hex(address)}`,
});

/** @param address Multiple of 256 in flash; any in RAM and ROM. */
export const readMemory = (address: number, length: number): PicobootCommand => ({
  id: commandIds.read,
  args: words(address, length),
  length,
  what: `read ${length} bytes at ${hex(address)}`,
});

/** End of the RP2040's RAM (datasheet 2.2): the stack of the program. */
const RAM_END = 0x2004_2000;
/** Milliseconds between the acknowledgement and the restart. Without them the RP2040 does not acknowledge. */
const RESTART_DELAY = 500;

/** Starts the program in flash, as after power-on. `REBOOT` exists on the RP2040 only. */
export const reboot: PicobootCommand = {
  id: commandIds.reboot,
  args: words(0, RAM_END, RESTART_DELAY),
  length: 0,
  what: 'reboot',
};

/** Starts the program in flash, as after power-on. `REBOOT2` exists on the RP2350 only; flags 0 are a normal boot. */
export const reboot2: PicobootCommand = {
  id: commandIds.reboot2,
  args: words(0, RESTART_DELAY, 0, 0),
  length: 0,
  what: 'reboot',
};

/** Parts of `GET_INFO` about the system (RP2350 datasheet 5.4.8.17). */
const infoFlags = { chip: 0x01, critical: 0x02, cpu: 0x04, flash: 0x08 } as const;
const INFO_SYS = 1;
const INFO_SIZE = 256;

/** Parts of `GET_INFO` about partitions (RP2350 datasheet 5.4.8.16), and the request for a family's place. */
const tableFlags = { table: 0x01, location: 0x10, id: 0x20, families: 0x40, name: 0x80, single: 0x8000 } as const;
const INFO_PARTITIONS = 2;
const INFO_TARGET = 3;

const getInfo = (type: number, parameter: number): PicobootCommand => ({
  id: commandIds.getInfo,
  args: words(type, parameter, 0, 0),
  length: INFO_SIZE,
  what: `get info ${type} ${hex(parameter)}`,
});

/** Requests the facts of `parseSystemInfo`. Exists on the RP2350 only. */
export const getSystemInfo: PicobootCommand = getInfo(
  INFO_SYS,
  infoFlags.chip | infoFlags.critical | infoFlags.cpu | infoFlags.flash,
);

/** Requests the number of partitions and the space outside of them. Exists on the RP2350 only. */
export const getPartitionTable: PicobootCommand = getInfo(INFO_PARTITIONS, tableFlags.table);

/** Requests one partition: all of them with names would be longer than an answer. */
export const getPartition = (index: number): PicobootCommand =>
  getInfo(
    INFO_PARTITIONS,
    (tableFlags.location |
      tableFlags.id |
      tableFlags.families |
      tableFlags.name |
      tableFlags.single |
      (index << 24)) >>>
      0,
  );

/** Requests the partition that the ROM chooses for a family. */
export const getTarget = (familyId: number): PicobootCommand => getInfo(INFO_TARGET, familyId);

/** Returns the words of an answer to `GET_INFO` behind their count; none of an answer that is too short. */
export function infoWordsOf(bytes: Uint8Array): Uint32Array {
  const whole = Math.floor(bytes.length / 4);
  const view = viewOf(bytes);
  const count = whole === 0 ? 0 : Math.min(view.getUint32(0, true), whole - 1);
  return Uint32Array.from({ length: count }, (_, index) => view.getUint32(4 * (index + 1), true));
}

export interface SystemInfo {
  /** Unique id of the chip, 16 upper-case hexadecimal digits; null if it was not sent. */
  readonly id: string | null;
  /** Processor that runs now. */
  readonly cpu: 'arm' | 'riscv' | null;
  /** True: only signed programs start. */
  readonly secureBoot: boolean | null;
  /** Size in bytes of the flash that the OTP states; null if it states none. */
  readonly statedFlash: number | null;
}

/** Parses the answer: a count of words, the parts that follow, and the parts (RP2350 datasheet 5.6.4.11). */
export function parseSystemInfo(bytes: Uint8Array): SystemInfo | null {
  if (bytes.length < 8) {
    return null;
  }
  const view = viewOf(bytes);
  const count = Math.min(view.getUint32(0, true), Math.floor(bytes.length / 4) - 1);
  const included = view.getUint32(4, true);
  let at = 8;
  const take = (flag: number, wordCount: number): readonly number[] | null => {
    if ((included & flag) === 0 || at + 4 * wordCount > 4 * (count + 1)) {
      return null;
    }
    const taken = Array.from({ length: wordCount }, (_, index) => view.getUint32(at + 4 * index, true));
    at += 4 * wordCount;
    return taken;
  };
  const chip = take(infoFlags.chip, 3);
  const critical = take(infoFlags.critical, 1)?.[0] ?? null;
  const cpu = take(infoFlags.cpu, 1)?.[0] ?? null;
  const flash = take(infoFlags.flash, 1)?.[0] ?? null;
  const digits = (value = 0) => value.toString(16).toUpperCase().padStart(8, '0');
  return {
    id: chip === null ? null : `${digits(chip[2])}${digits(chip[1])}`,
    cpu: cpu === 0 ? 'arm' : cpu === 1 ? 'riscv' : null,
    secureBoot: critical === null ? null : (critical & 1) !== 0,
    statedFlash: flash === null ? null : sizeOfField((flash >>> 8) & 0xf),
  };
}

/** Size at chip select 0 in FLASH_DEVINFO (RP2350 datasheet 13.10): 0 none, then 8 KiB doubled by each step. */
const sizeOfField = (field: number): number | null => (field === 0 ? null : 4_096 << field);

export interface CommandStatus {
  readonly token: number;
  readonly code: number;
  readonly id: number;
  readonly inProgress: boolean;
}

export const STATUS_SIZE = 16;

/** Parses the answer to GET_COMMAND_STATUS; null if it is too short. */
export function parseStatus(data: DataView | undefined): CommandStatus | null {
  return data === undefined || data.byteLength < STATUS_SIZE
    ? null
    : {
        token: data.getUint32(0, true),
        code: data.getUint32(4, true),
        id: data.getUint8(8),
        inProgress: data.getUint8(9) !== 0,
      };
}

/** Status codes in words. The RP2040 knows 0 to 7 and 8 for all others (RP2040 datasheet 2.8.5.5, RP2350 datasheet 5.6.5.1). */
const statusWords: readonly string[] = [
  'ok',
  'unknown command',
  'arguments of another length',
  'data of another length',
  'invalid address',
  'address not aligned',
  'another write is in the way',
  'it is restarting',
  'unknown error',
  'not possible in this state',
  'not permitted',
  'invalid argument',
  'too little room for the answer',
  'a condition is not met',
  'the data has been changed',
  'invalid data',
  'not found',
  'this change is not supported',
];

/** Status codes of GET_INFO for a partition table that has changed since the boot ROM read it. */
export const changedTable: readonly number[] = [
  statusWords.indexOf('the data has been changed'),
  statusWords.indexOf('invalid data'),
];

export const statusText = (code: number): string => statusWords[code] ?? `status ${code}`;
