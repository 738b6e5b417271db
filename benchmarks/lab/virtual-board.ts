/**
 * A simulated board with its breadboard and a lab, on a virtual clock and a wire at its real rate. The results do not
 * depend on the machine.
 */
import { createEspPort, EspDevice, type EspPort, type LabBreadboard, labBreadboard } from '@wirebench/devices';
import { PortRig } from '@wirebench/flasher/testing';
import { type Lab, openLab } from '@wirebench/lab';

export const benchChips = { esp32: 'ESP32', esp32c3: 'ESP32-C3' } as const;
export type BenchChip = keyof typeof benchChips;

export interface OpenBoard {
  readonly rig: PortRig<EspPort>;
  readonly board: LabBreadboard;
  readonly lab: Lab;
  /** Start of opening the port, on the rig's clock. */
  readonly begun: number;
  /** Returns the duration of `work` in milliseconds of the virtual clock. */
  time(work: Promise<unknown>): Promise<number>;
}

/**
 * Opens the board, runs the work, and leaves the board.
 *
 * @returns Bytes of flash that were erased, programmed or changed.
 */
export async function onVirtualBoard(
  chip: BenchChip,
  baudRate: number,
  work: (open: OpenBoard) => Promise<void>,
): Promise<number> {
  const board = labBreadboard(chip);
  const device = new EspDevice({ chip, breadboard: board, flash: { content: 'factory' } });
  const rig = new PortRig((wiring) => createEspPort(device, wiring), {});
  const { flash } = device;
  const before = flash.read(0, flash.size).slice();
  const begun = rig.clock.now();
  const time = (doing: Promise<unknown>) => {
    const from = rig.clock.now();
    return rig.run(doing.then(() => rig.clock.now() - from));
  };
  const lab = await rig.run(openLab(rig.port, { clock: rig.clock, baudRate }));
  if (lab.baudRate !== baudRate) {
    throw new Error(`The link runs at ${lab.baudRate} baud instead of ${baudRate}.`);
  }
  await work({ rig, board, lab, begun, time });
  await rig.run(lab.leave());
  await rig.clock.advance(2_000);
  const after = flash.read(0, flash.size);
  const others = before.reduce((sum, byte, at) => sum + (byte === after[at] ? 0 : 1), 0);
  return flash.erasedBytes + flash.programmedBytes + others;
}
