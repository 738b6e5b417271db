/**
 * Resetting a board by its control lines, as Espressif's boards and their many relatives have it. Two transistors pull EN low
 * while RTS is asserted and DTR is not, and IO0 low while DTR is asserted and RTS is not; the chip looks at IO0 when EN rises,
 * and low means its bootloader (esptool documentation, "Boot Mode Selection", section "Automatic Bootloader", and the
 * schematic of the ESP32-DevKitC that it names). Chips with a serial port of their own on USB take the lines as requests
 * (ESP32-C3 Technical Reference Manual, "USB Serial/JTAG Controller", table "Reset SoC into Download Mode").
 *
 * On other boards the lines do what their maker thought of: an Arduino Uno resets when DTR is asserted, a plain bridge does
 * nothing. Nobody can tell from here whether a board has been reset; what it says then shows it.
 */
import type { Clock } from '@wirebench/clock';
import type { ControlLines, SignalChange } from '../control-lines.ts';

/** `run`: the board starts its program. `boot`: it waits in its bootloader for a flasher. */
export type ResetMode = 'run' | 'boot';

/**
 * EN is held low for this long, in milliseconds; then the chip has this long to look at IO0, while the capacitor at EN makes
 * it rise slowly (esptool documentation, "Configuration File", sections "Custom Reset Sequence" and "Options").
 */
const HOLD = 100;
const STRAP = 50;
/** A chip that is on USB itself answers no request while it comes out of reset, in milliseconds. */
const USB_RELEASE = 200;

/**
 * The USB Serial/JTAG port inside a chip (esptool, `ESPRESSIF_VID` and `USB_JTAG_SERIAL_PID`). The vendor alone does not tell: its
 * bridge (esp-usb-bridge, 0x1002) has the circuit behind it, and programs give their own USB port another product.
 */
const USB_SERIAL_JTAG = { usbVendorId: 0x303a, usbProductId: 0x1001 };

type Step = { readonly set: SignalChange } | { readonly wait: number };

const lines = (dtr: boolean, rts: boolean): Step => ({ set: { dtr, rts } });
const wait = (milliseconds: number): Step => ({ wait: milliseconds });

/** Setting both lines is one call, and on Linux two steps all the same: the capacitor at EN bridges the time between them. */
const circuit = {
  run: [lines(false, true), wait(HOLD), lines(false, false), wait(STRAP)],
  boot: [lines(false, true), wait(HOLD), lines(true, false), wait(STRAP), lines(false, false)],
} satisfies Record<ResetMode, readonly Step[]>;

/** DTR alone sets the flag for the bootloader, neither clears it, and DTR released while RTS is asserted resets. */
const usb = {
  run: [lines(false, false), wait(HOLD), lines(false, true), wait(HOLD), lines(false, false), wait(USB_RELEASE)],
  boot: [
    lines(false, false),
    wait(HOLD),
    lines(true, false),
    wait(HOLD),
    lines(true, true),
    lines(false, true),
    wait(HOLD),
    lines(false, false),
    wait(USB_RELEASE),
  ],
} satisfies Record<ResetMode, readonly Step[]>;

/** What the job needs of a session. */
export interface ResetTarget {
  readonly info: SerialPortInfo | null;
  /** The lines as they are now, and as they shall be afterwards. */
  readonly signals: ControlLines;
  /** Aborts when the port is being closed, or lost. */
  readonly over: AbortSignal;
  setSignals(change: SignalChange): Promise<void>;
}

/**
 * Plays the sequence and puts the lines back as they were. False when the port was closed or lost before the end, as happens
 * to chips on USB that come back under another identity. Rejects when the lines cannot be set, and with the reason of an
 * abort; then, too, the lines are put back.
 */
export async function resetBoard(
  clock: Clock,
  target: ResetTarget,
  mode: ResetMode,
  signal?: AbortSignal,
): Promise<boolean> {
  const { usbVendorId, usbProductId } = target.info ?? {};
  const isUsbSerialJtag = usbVendorId === USB_SERIAL_JTAG.usbVendorId && usbProductId === USB_SERIAL_JTAG.usbProductId;
  const { dtr, rts } = target.signals;
  const stop = AbortSignal.any([target.over, ...(signal === undefined ? [] : [signal])]);
  const play = async (steps: readonly Step[], until: AbortSignal) => {
    for (const step of steps) {
      if (until.aborted) {
        return;
      }
      if ('set' in step) {
        await target.setSignals(step.set);
      } else {
        await clock.sleep(step.wait, until).catch(() => undefined);
      }
    }
  };
  try {
    await play((isUsbSerialJtag ? usb : circuit)[mode], stop);
    if (signal?.aborted) {
      // The lines as they were may be those of the bootloader: the chip leaves its reset first.
      await play([lines(false, false), wait(STRAP)], target.over);
    }
  } finally {
    await play([lines(dtr, rts)], target.over);
  }
  if (!target.over.aborted) {
    signal?.throwIfAborted();
  }
  return !target.over.aborted;
}
