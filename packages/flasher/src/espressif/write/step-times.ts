/** How long a board may take for each request of a pass. */
import { deadlines } from '../deadlines.ts';
import { longestErase, longestProgram, longestStubWork } from '../flash-times.ts';
import type { Step } from '../protocol/command-link.ts';
import type { LoadPass } from './run-load.ts';

/** How long the board may take to answer to a request, and to finish it afterwards, in milliseconds. */
type StepTimes = Required<Pick<Step, 'limit' | 'backlog'>>;

export function beginTimes(pass: LoadPass): StepTimes {
  return { limit: deadlines.flashBegin + (pass.erasesFirst ? longestErase(pass) : 0), backlog: 0 };
}

/** A ROM answers when the block is in flash, a stub when it has arrived. */
export function blockTimes(pass: LoadPass, index: number): StepTimes {
  const from = index === 0 ? 0 : pass.endOf(index - 1);
  const to = pass.endOf(index);
  return pass.erasesFirst
    ? { limit: deadlines.flashData + longestProgram(to - from), backlog: 0 }
    : { limit: deadlines.flashData, backlog: longestStubWork(pass, from, to) };
}
