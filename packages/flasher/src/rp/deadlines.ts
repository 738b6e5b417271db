/**
 * Time limits of each step in milliseconds, after which the board counts as silent. The long ones are maxima of flash chips
 * (W25Q16JV data sheet, 9.6: sector erase 400 ms, page program 3 ms).
 */
export const deadlines = {
  /** One control transfer, and opening, claiming and releasing. The ROM answers them during every command. */
  control: 1_000,
  /** Command without flash, from the end of the one before to its acknowledgement. */
  command: 1_000,
  /** Further time for a command that is still running when its limit is over, before it counts as stuck. */
  stillRunning: 3_000,
  /** Between two requests for the status of a running command. */
  poll: 20,
  /** After an interface reset: a command that it hit acknowledges late. The recorded sessions wait as long. */
  settle: 20,
  /** From a restart to the end of the device: twice the delay that is asked for. */
  leave: 2_000,
  /** From a touch, a reset request or a call in MicroPython until the port vanishes. */
  vanish: 2_000,
  /** From the vanished port to the device in BOOTSEL. Windows takes long for a device that it has never seen. */
  arrive: 8_000,
  /** From the vanished port to a mounted drive. Desktops look at a new drive before they mount it. */
  mount: 20_000,
  /** An answer of the prompt of MicroPython. */
  prompt: 500,
  /** From the last byte of a copy until the drive is gone. The ROM waits 500 ms; systems write what they hold back. */
  driveReturn: 20_000,
} as const;

const SECTOR_ERASE = 400;
const PAGE_PROGRAM = 3;
/** Milliseconds per byte on the wire: a tenth of full speed, for hubs that are shared. */
const WIRE_BYTE = 0.01;

/** Returns the limit of an erase in milliseconds. */
export const eraseLimit = (sectors: number): number => deadlines.command + sectors * SECTOR_ERASE;

/** Returns the limit of a write in milliseconds. @param length In bytes, whole pages of 256. */
export const writeLimit = (length: number): number =>
  deadlines.command + (length / 256) * PAGE_PROGRAM + length * WIRE_BYTE;

/** Returns the limit of a read in milliseconds. @param length In bytes. */
export const readLimit = (length: number): number => deadlines.command + length * WIRE_BYTE;
