/** Settings of a native port that Web Serial lacks, and the checked settings with which a port is opened. */
import { badArgument, checkOptions } from '@wirebench/port/web-serial';

/** Settings that replace those of `open`. Omitted: the settings of `open`. */
export interface NativeSettings {
  readonly dataBits?: 5 | 6 | 7 | 8;
  /** `mark` and `space`: the parity bit is always 1 or 0. Linux, with a driver that can, and Windows. */
  readonly parity?: ParityType | 'mark' | 'space';
  /** `software`: XON and XOFF. The bytes 0x11 and 0x13 are then not received. */
  readonly flowControl?: FlowControlType | 'software';
  /** False: other programs may open the port as well. Default: true. */
  readonly exclusive?: boolean;
}

/** Options of the binding, and the most bytes that one read returns. */
export interface OpenSettings {
  readonly bufferSize: number;
  readonly binding: {
    readonly baudRate: number;
    readonly dataBits: 5 | 6 | 7 | 8;
    readonly stopBits: 1 | 2;
    readonly parity: ParityType;
    readonly rtscts: boolean;
    readonly xon: boolean;
    readonly xoff: boolean;
    readonly lock: boolean;
    /** False: the binding leaves to the system whether a close lowers the lines. */
    readonly hupcl: false;
  };
  /** True: mark or space by a claim of Linux. The binding then has odd for mark and even for space (termios(3), CMSPAR). */
  readonly isStick: boolean;
}

/**
 * Checks the options of `open` as Web Serial does, and joins them with the native settings.
 *
 * @throws TypeError for options that Web Serial refuses.
 */
export function openSettings(options: SerialOptions, native: NativeSettings, system: string): OpenSettings {
  const { baudRate, stopBits, bufferSize, ...checked } = checkOptions(options);
  const { dataBits = checked.dataBits, parity = checked.parity, flowControl = checked.flowControl } = native;
  const isMarked = parity === 'mark' || parity === 'space';
  if (isMarked && system !== 'win32' && system !== 'linux') {
    throw badArgument('open', `Parity ${parity} is not available on this system.`);
  }
  const isStick = isMarked && system === 'linux';
  return {
    bufferSize,
    binding: {
      baudRate,
      dataBits,
      stopBits,
      // The binding's type lacks the two words that its code for Windows takes.
      parity: isStick ? (parity === 'mark' ? 'odd' : 'even') : (parity as ParityType),
      rtscts: flowControl === 'hardware',
      xon: flowControl === 'software',
      xoff: flowControl === 'software',
      lock: native.exclusive ?? true,
      hupcl: false,
    },
    isStick,
  };
}
