/**
 * Brings a board from its program into BOOTSEL without its button: the reset interface of `pico_stdio_usb`, the touch at 1,200
 * baud, the prompt of MicroPython or CircuitPython. Each way has a limit. Then a person presses the button.
 */
import type { Clock } from '@wirebench/clock';
import { openBytePort } from '../../byte-port.ts';
import { asciiBytes } from '../../core/bytes.ts';
import { isUnplugged } from '../../port-failure.ts';
import { inTime } from '../../time-limit.ts';
import { touch } from '../../touch.ts';
import type { UsbDevice, UsbDevices } from '../../usb-device.ts';
import { deadlines } from '../deadlines.ts';
import { isInBootsel } from '../picoboot/open-picoboot.ts';
import { settled } from '../picoboot/usb-limit.ts';
import type { RpConnectStep } from '../rp-board.ts';
import { RpError } from '../rp-failure.ts';

/** Interface of `pico_stdio_usb` that resets the board (pico-sdk, `pico/usb_reset_interface.h`): class, subclass, protocol. */
const resetInterface = { class: 0xff, subclass: 0x00, protocol: 0x01 } as const;
/** RESET_REQUEST_BOOTSEL (the same file). The value 0 leaves both interfaces of the ROM enabled. */
const RESET_TO_BOOTSEL = 0x01;

/** Longest wait for a person to press the button, in milliseconds. */
export const usualPersonWait = 60_000;

/** Boards in BOOTSEL as a program sees them: USB devices, or mounted drives. A board keeps its object while it is there. */
export interface BootselBoards<Board extends object> {
  list(): Promise<readonly Board[]>;
  /** Resolves when the list may have changed. Rejects with the reason of `signal`. */
  changed(signal: AbortSignal): Promise<void>;
  /** Longest wait from the vanished port to the board, in milliseconds. */
  readonly limit: number;
}

export interface EnterOptions<Board extends object = object> {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly boards: BootselBoards<Board>;
  /** Devices of running programs; null without access to USB. */
  readonly usb: UsbDevices | null;
  /** Port of the running program; null without one. */
  readonly port: SerialPort | null;
  /** True: a person puts the board into BOOTSEL, so its program is left alone. */
  readonly byHand: boolean;
  /** In milliseconds; 0: no person is there. */
  readonly personWait: number;
  readonly onStep: (step: RpConnectStep) => void;
}

/** Boards in BOOTSEL as USB devices. */
export const usbBoards = (usb: UsbDevices): BootselBoards<UsbDevice> => ({
  list: async () => (await usb.list()).filter(isInBootsel),
  changed: (signal) => usb.changed(signal),
  limit: deadlines.arrive,
});

/**
 * Resolves with the board in BOOTSEL: the one that was not there before. All RP2040 share a serial number, so
 * a board is known by its object alone.
 *
 * @throws RpError `not-in-bootsel`, `button-not-pressed`, `several-boards`. @throws PortError if the port cannot be opened.
 * @throws the reason of the signal.
 */
export async function enterBootsel<Board extends object>(options: EnterOptions<Board>): Promise<Board> {
  const { boards, port, byHand, personWait, onStep } = options;
  const before = new Set(await boards.list());
  let hasLeft = false;
  if (port !== null && !byHand) {
    for (const { step, start } of ways) {
      onStep(step);
      if (await start(port, options)) {
        onStep('waiting-for-bootsel');
        const board = await arrival(options, before, boards.limit);
        if (board !== null) {
          return board;
        }
        hasLeft = true;
        // The board has left its program, so the other ways have no port. The page may lack the right to see the device.
        break;
      }
    }
  }
  if (personWait === 0) {
    throw new RpError(hasLeft ? 'button-not-pressed' : 'not-in-bootsel');
  }
  onStep('press-bootsel');
  // A person who starts the board may have done so already, if it is the only one.
  const board = await arrival(options, byHand && before.size === 1 ? new Set() : before, personWait);
  if (board === null) {
    throw new RpError('button-not-pressed');
  }
  return board;
}

/** A way without the button. `start` resolves with true if the port has vanished. */
interface Way {
  readonly step: RpConnectStep;
  readonly start: (port: SerialPort, options: EnterOptions) => Promise<boolean>;
}

const ways: readonly Way[] = [
  { step: 'resetting', start: byResetInterface },
  { step: 'touching', start: byTouch },
  { step: 'asking-micropython', start: byPrompt },
];

async function byResetInterface(port: SerialPort, options: EnterOptions): Promise<boolean> {
  const { clock, usb } = options;
  if (usb === null) {
    return false;
  }
  const { usbVendorId, usbProductId } = port.getInfo();
  const same = (await usb.list()).filter(
    (device) => device.vendorId === usbVendorId && device.productId === usbProductId,
  );
  const [device] = same;
  const found = device === undefined ? undefined : resetInterfaceOf(device);
  // With several of them, another board could be reset.
  if (device === undefined || found === undefined || same.length > 1) {
    return false;
  }
  const vanished = watch(port, options);
  const { configurationValue, interfaceNumber } = found;
  const step = <Result>(work: Promise<Result>) => settled(clock, deadlines.control, work);
  try {
    if (!device.opened) {
      await step(device.open());
    }
    if (device.configuration?.configurationValue !== configurationValue) {
      await step(device.selectConfiguration(configurationValue));
    }
    await step(device.claimInterface(interfaceNumber));
    await step(
      device.controlTransferOut({
        requestType: 'class',
        recipient: 'interface',
        request: RESET_TO_BOOTSEL,
        value: 0,
        index: interfaceNumber,
      }),
    );
  } catch {
    // A board that resets does not answer, and a system without a driver refuses: whether the port vanishes decides.
  }
  const hasVanished = await vanished;
  await step(device.close()).catch(() => undefined);
  return hasVanished;
}

function resetInterfaceOf(device: UsbDevice) {
  return device.configurations
    .flatMap(({ configurationValue, interfaces }) =>
      interfaces.map(({ interfaceNumber, alternates }) => ({ configurationValue, interfaceNumber, alternates })),
    )
    .find(({ alternates }) =>
      alternates.some(
        (one) =>
          one.interfaceClass === resetInterface.class &&
          one.interfaceSubclass === resetInterface.subclass &&
          one.interfaceProtocol === resetInterface.protocol,
      ),
    );
}

async function byTouch(port: SerialPort, options: EnterOptions): Promise<boolean> {
  const vanished = watch(port, options);
  await touch(port, options.clock, options.signal);
  return vanished;
}

/** Keys of the raw mode (MicroPython documentation, "Raw mode and raw-paste mode"). */
const CTRL_A = '\x01';
const CTRL_B = '\x02';
const CTRL_C = '\x03';
const CTRL_D = '\x04';
const rawPrompt = 'raw REPL';
/** MicroPython has `machine.bootloader`, CircuitPython the next start (documentation of `microcontroller`, `on_next_reset`). */
const enterCode = [
  'try:',
  ' import machine',
  ' machine.bootloader()',
  'except ImportError:',
  ' import microcontroller as m',
  ' m.on_next_reset(m.RunMode.BOOTLOADER)',
  ' m.reset()',
  '',
].join('\r\n');

async function byPrompt(device: SerialPort, { clock, signal }: EnterOptions): Promise<boolean> {
  const port = await openBytePort(device, { baudRate: 115_200 }, clock, signal);
  try {
    await port.setLines(true, true);
    port.write(asciiBytes(`\r${CTRL_C}${CTRL_C}`));
    await port.untilSilent(() => undefined, signal);
    let text = '';
    port.write(asciiBytes(CTRL_A));
    const hasPrompt = await port.until(
      (bytes) => {
        text = (text + String.fromCharCode(...bytes)).slice(-256);
        return text.includes(rawPrompt) || undefined;
      },
      deadlines.prompt,
      signal,
    );
    if (hasPrompt === null) {
      // Another program runs. Ctrl+B would be the way back at a prompt that came late.
      port.write(asciiBytes(CTRL_B));
      return false;
    }
    port.write(asciiBytes(`${enterCode}${CTRL_D}`));
    await port.until(() => undefined, deadlines.vanish, signal);
    port.write(asciiBytes(CTRL_B));
    return false;
  } catch (error) {
    if (isUnplugged(error)) {
      return true;
    }
    throw error;
  } finally {
    await port.close();
  }
}

/** Resolves with true when the port vanishes, with false after the limit. Begins to watch at once. */
function watch(port: SerialPort, { clock, signal }: EnterOptions): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (vanished: boolean) => {
      cancel();
      port.removeEventListener('disconnect', onGone);
      signal.removeEventListener('abort', onAbort);
      resolve(vanished);
    };
    const onGone = () => end(true);
    const onAbort = () => end(false);
    const cancel = clock.schedule(deadlines.vanish, () => end(port.connected === false));
    port.addEventListener('disconnect', onGone);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}

/** Returns the new board in BOOTSEL; null if none has come in time. */
async function arrival<Board extends object>(
  { clock, signal, boards }: EnterOptions<Board>,
  before: ReadonlySet<Board>,
  limit: number,
): Promise<Board | null> {
  return inTime(clock, limit, signal, async (late) => {
    for (;;) {
      // Asked for first, so that a change during the list is not missed.
      const changed = boards.changed(late);
      changed.catch(() => undefined);
      const fresh = (await boards.list()).filter((board) => !before.has(board));
      const [first] = fresh;
      if (fresh.length > 1) {
        throw new RpError('several-boards');
      }
      if (first !== undefined) {
        return first;
      }
      await changed;
    }
  });
}
