/**
 * Pins that a board still drives because nobody has left it: its page was closed, or crashed. Read before the reset that releases
 * them, from whoever answers register commands: the ROM, or the program in RAM.
 */
import {
  type CommandLink,
  EspError,
  identify,
  magicAddress,
  readRegRequest,
  registersOf,
  type SessionOptions,
} from '@wirebench/flasher/espressif/rom';
import type { LabChipName } from './chips/lab-chip.ts';
import { isLabChip, labChip } from './chips/lab-chips.ts';
import { bankOf, bitOf } from './instruments/routing.ts';
import { recogniseProbe } from './probe/recognise-probe.ts';

/** Milliseconds for the first answer, besides the time on the wire: most boards run their own program and never answer. */
const answerLimit = 60;

/** @param onOutputs gets the pins that are outputs, in the order of their numbers; locked ones are not looked at. Not called without one. */
export function askForLeftPins(
  onOutputs: (gpios: readonly number[]) => void,
): NonNullable<SessionOptions['beforeReset']> {
  return async (link, signal) => {
    // Reading it harms no chip.
    const { kind } = await link.exchange(readRegRequest(magicAddress), { limit: answerLimit, signal });
    if (kind === 'late') {
      return false;
    }
    const outputs = await outputsOf(link, signal);
    if (outputs.length > 0) {
      onOutputs(outputs);
    }
    return true;
  };
}

/** None where not everything was answered. @throws PortError; the signal's reason. */
async function outputsOf(link: CommandLink, signal: AbortSignal): Promise<readonly number[]> {
  try {
    const name = await chipBehind(link, signal);
    if (name === null) {
      return [];
    }
    const chip = labChip(name);
    const { read } = registersOf(link, signal);
    const enabled = new Map<number, number>();
    for (const { enable } of chip.gpio.banks) {
      enabled.set(enable, await read(enable));
    }
    return chip.pins
      .filter(({ gpio, locked }) => {
        const word = enabled.get(bankOf(chip, gpio).enable) ?? 0;
        return locked === undefined && (word & bitOf(chip, gpio)) !== 0;
      })
      .map(({ gpio }) => gpio);
  } catch (error) {
    if (error instanceof EspError) {
      return [];
    }
    throw error;
  }
}

/** @throws EspError; PortError; the signal's reason. */
async function chipBehind(link: CommandLink, signal: AbortSignal): Promise<LabChipName | null> {
  const program = await recogniseProbe(link, signal);
  if (program !== null) {
    return isLabChip(program.chip) ? program.chip : null;
  }
  await link.quiet(signal);
  const { name } = (await identify(link, registersOf(link, signal).read, signal)).chip;
  return isLabChip(name) ? name : null;
}
