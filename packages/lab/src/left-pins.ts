/**
 * Pins that a board still drives because its page was closed or crashed without leaving it. They are read before the
 * reset that releases them. The ROM or the program in RAM answers.
 */
import {
  type CommandLink,
  EspError,
  identify,
  magicAddress,
  readRegRequest,
  registersOf,
  type SessionOptions,
} from '@wirebench/flasher/esp/rom';
import type { LabChipName } from './chips/lab-chip.ts';
import { isLabChip, labChip } from './chips/lab-chips.ts';
import { bankOf, bitOf } from './instruments/routing.ts';
import { recogniseProbe } from './probe/recognise-probe.ts';

/**
 * Milliseconds for the first answer, besides the time on the wire. Short, because most boards run their own program
 * and never answer.
 */
const answerLimit = 60;

/**
 * Returns a step for `SessionOptions.beforeReset` that reads which pins are outputs.
 *
 * @param onOutputs receives these pins, sorted by number and without locked ones; not called for an empty list
 */
export function askForLeftPins(
  onOutputs: (gpios: readonly number[]) => void,
): NonNullable<SessionOptions['beforeReset']> {
  return async (link, signal) => {
    // The magic word is safe to read on every chip.
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

/**
 * Returns the pins that are outputs; empty if an answer is missing.
 *
 * @throws PortError; the signal's reason.
 */
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

/**
 * Returns the chip that answers; null for one that the lab does not support.
 *
 * @throws EspError; PortError; the signal's reason.
 */
async function chipBehind(link: CommandLink, signal: AbortSignal): Promise<LabChipName | null> {
  const program = await recogniseProbe(link, signal);
  if (program !== null) {
    return isLabChip(program.chip) ? program.chip : null;
  }
  await link.quiet(signal);
  const { name } = (await identify(link, registersOf(link, signal).read, signal)).chip;
  return isLabChip(name) ? name : null;
}
