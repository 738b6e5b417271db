/**
 * Opens a board as an instrument: connects to its ROM, or to the probe in its flash, and identifies the chip. Nothing
 * is loaded or written to flash.
 */
import type { Clock } from '@wirebench/clock';
import { type EspConnectStep, type EspInfo, encodeFrame, openRom, type RomBoard } from '@wirebench/flasher/esp/rom';
import type { LabChip } from './chips/lab-chip.ts';
import { isLabChip, labChip } from './chips/lab-chips.ts';
import type { Lab, LabInfo, LabStep, LabTraffic, OpenLabOptions } from './lab.ts';
import { asLabError, LabError } from './lab-failure.ts';
import { askForLeftPins } from './left-pins.ts';
import { recogniseProbe } from './probe/recognise-probe.ts';
import { ConnectedLab, type LabParts } from './runner/connected-lab.ts';

/** Crystal of nearly all boards, in MHz. */
const usualCrystal = 40;

/**
 * Commands of the ROM that read, write, erase or set up flash. A lab sends none. Source: esptool, "Serial Protocol".
 */
export const flashCommands: readonly number[] = [0x02, 0x03, 0x04, 0x0b, 0x0d, 0x0e, 0x10, 0x11, 0x12, 0x13];

/**
 * Returns true for a frame with a flash command.
 *
 * @param frame The frame with its delimiters. The direction byte and these commands are never escaped, so the command
 *   is at index 2.
 */
const isFlashCommand = (frame: Uint8Array): boolean => flashCommands.includes(frame[2] ?? -1);

/**
 * Opens the port and checks for a running probe. Without one it resets into the boot ROM and synchronises. Then it
 * identifies the chip and raises the rate. Sends no command that reads, writes or sets up flash.
 *
 * @throws LabError; the port is closed then.
 */
export async function openLab(device: SerialPort, options: OpenLabOptions): Promise<Lab> {
  const { clock, signal, baudRate, entry, expectedMac, returned, patience = 1, onLeftPins } = options;
  let answered = false;
  let flashCommands = 0;
  const onTraffic = (event: LabTraffic) => {
    if (event.kind === 'sent' && isFlashCommand(event.bytes)) {
      flashCommands++;
    }
    options.onTraffic?.(event);
  };
  try {
    const board = await openRom(device, {
      clock,
      entry: entry === 'buttons' ? 'buttons' : 'automatic',
      ...(signal && { signal }),
      ...(baudRate !== undefined && { baudRate }),
      ...(returned && { returned }),
      // An expected board is recognised by the MAC that its ROM reports, so the check for a probe is skipped.
      ...(expectedMac === undefined ? { recognise: recogniseProbe } : { expectedMac }),
      ...(onLeftPins && { beforeReset: askForLeftPins(onLeftPins) }),
      bringBack: true,
      onStep: (step) => {
        answered ||= step === 'identifying';
        tellStep(step, options);
      },
      onText: (bytes) => onTraffic({ kind: 'text', at: clock.wallTime(), bytes }),
      tap: tapOf(clock, onTraffic),
    });
    return await labOn(board, { clock, patience, onTraffic, flashCommands: () => flashCommands });
  } catch (error) {
    const failure = asLabError(error, signal);
    throw answered && entry === 'buttons' && failure.code !== 'unplugged' ? stillInRom(failure) : failure;
  }
}

/** Adds the advice to press EN: a board entered by buttons has no line that could reset it. */
function stillInRom({ code, detail, cause }: LabError): LabError {
  const still = 'The board is still in its boot ROM: press EN to start its own program.';
  return new LabError(code, { cause, detail: [detail, still].filter(Boolean).join(' ') });
}

async function labOn(
  board: RomBoard,
  parts: Pick<LabParts, 'clock' | 'patience' | 'onTraffic' | 'flashCommands'>,
): Promise<Lab> {
  const { info } = board;
  const failure = unfitness(board);
  if (failure !== null || !isLabChip(info.chip)) {
    await board.restart(board.link.port.over).catch(() => undefined);
    await board.close();
    throw failure ?? new LabError('unsupported-chip');
  }
  const chip = labChip(info.chip, {
    link: info.link === 'uart' ? 'uart' : 'usb-jtag',
    packageName: info.model,
    crystal: info.crystal ?? usualCrystal,
  });
  return new ConnectedLab({ ...parts, board, chip, info: labInfoOf(info, chip) });
}

function unfitness({ info: { chip, model }, ability }: RomBoard): LabError | null {
  if (!isLabChip(chip)) {
    return new LabError('unsupported-chip', { detail: `This is an ${model}.` });
  }
  return ability.canAccessRegisters ? null : new LabError('secure-download');
}

function labInfoOf({ model, mac, revision }: EspInfo, chip: LabChip): LabInfo {
  return {
    chip: chip.name,
    description: model,
    mac: mac ?? '',
    revision: revision === null ? 'unknown' : `v${revision.major}.${revision.minor}`,
    crystal: chip.crystal,
    link: chip.link,
    packageName: chip.packageName,
  };
}

function tellStep(step: EspConnectStep, { onStep }: OpenLabOptions): void {
  if (step !== 'uploading-stub' && step !== 'reading-flash-chip') {
    onStep?.(step satisfies LabStep);
  }
}

function tapOf(clock: Clock, onTraffic: (event: LabTraffic) => void) {
  return {
    sent: (frame: Uint8Array) => onTraffic({ kind: 'sent', at: clock.wallTime(), bytes: frame }),
    received: (frame: Uint8Array) => onTraffic({ kind: 'received', at: clock.wallTime(), bytes: encodeFrame(frame) }),
  };
}
