/** Time limits for each request of a pass. */
import { deadlines } from '../deadlines.ts';
import { longestErase, longestProgram, longestStubWork } from '../flash-times.ts';
import type { Step } from '../protocol/command-link.ts';
import type { LoadPass } from './run-load.ts';

/** Longest time until the answer, and longest work after it, in milliseconds. */
type StepTimes = Required<Pick<Step, 'limit' | 'backlog'>>;

export function beginTimes(pass: LoadPass): StepTimes {
  return { limit: deadlines.flashBegin + (pass.erasesFirst ? longestErase(pass) : 0), backlog: 0 };
}

/** Returns the times of a block. A ROM answers after the block is in flash, a stub when it has received the block. */
export function blockTimes(pass: LoadPass, index: number): StepTimes {
  const from = index === 0 ? 0 : pass.endOf(index - 1);
  const to = pass.endOf(index);
  return pass.erasesFirst
    ? { limit: deadlines.flashData + longestProgram(to - from), backlog: 0 }
    : { limit: deadlines.flashData, backlog: longestStubWork(pass, from, to) };
}
