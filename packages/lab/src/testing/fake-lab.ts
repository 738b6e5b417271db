/** A lab without a link, and the reason of an instrument's refusal. */
import type { LabChip } from '../chips/lab-chip.ts';
import type { Lab } from '../lab.ts';
import { LabError } from '../lab-failure.ts';
import type { Macro } from '../macro.ts';
import { policyOf } from '../policy/policy.ts';
import { wireSteps } from '../runner/wire-steps.ts';

/**
 * Runs `work`.
 *
 * @returns The reason of its refusal, or the text of another error; null if it does not throw.
 */
export const reasonOf = (work: () => unknown): string | null => {
  try {
    work();
    return null;
  } catch (error) {
    return error instanceof LabError && error.code === 'refused' ? error.detail : String(error);
  }
};

/** Makes a lab without a link: `read` provides register values, and `write` receives written values. */
export function fakeLab(
  chip: LabChip,
  read: (address: number) => number,
  write: (address: number, value: number) => unknown = () => null,
) {
  const titles: string[] = [];
  const policy = policyOf(chip);
  const lab = {
    chip,
    over: new AbortController().signal,
    run: async <T>(macro: Macro<T>): Promise<T> => {
      wireSteps(macro.steps, policy, chip.limits);
      titles.push(macro.title);
      const words: number[] = [];
      for (const step of macro.steps) {
        if (step.kind === 'write') {
          for (const { address, value } of step.entries) {
            write(address, value);
          }
        } else if (step.kind === 'read') {
          words.push(...step.addresses.map(read));
        } else {
          let word = read(step.address);
          for (let tries = 1; tries < step.tries && !step.until(word); tries++) {
            word = read(step.address);
          }
          words.push(word);
        }
      }
      return macro.value(words);
    },
  } as Lab;
  return { lab, titles };
}
