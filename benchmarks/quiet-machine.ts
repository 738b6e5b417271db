/**
 * Start of every benchmark. Refuses to measure on a busy machine, because its figures are meaningless. With `--busy` it
 * measures anyway, and the table says so. With `--list` it only names its scenarios.
 */
import { availableParallelism, loadavg } from 'node:os';
import { isShortest } from './shortest.ts';

/** Maximum load average for each core. The background load of an idle system stays below it. */
const QUIET_SHARE = 0.25;
const BUSY_FLAG = '--busy';
const LIST_FLAG = '--list';

interface Machine {
  /**
   * Average number of running or runnable programs over the last minute; 0 if the system does not report it
   * (Windows).
   */
  readonly load: number;
  readonly cores: number;
}

type Verdict = { readonly note: string } | { readonly refusal: string };

/** Decides if the machine may measure now, and returns the line above the figures. */
export function judgeMachine({ load, cores }: Machine, busyAllowed: boolean): Verdict {
  const measured = `load average ${load.toFixed(2)} on ${cores} ${cores === 1 ? 'core' : 'cores'}`;
  if (load <= QUIET_SHARE * cores) {
    return { note: `Quiet machine at the start: ${measured}.` };
  }
  return busyAllowed
    ? { note: `BUSY MACHINE at the start (${BUSY_FLAG}): ${measured}. Compare these rows with each other only.` }
    : {
        refusal:
          `Other programs are using this machine (${measured}), so its figures would be wrong. Stop them, wait a minute and run ` +
          `this again; or add ${BUSY_FLAG} to measure anyway; the table then says so.`,
      };
}

/**
 * Returns the line to print above the table. On a busy machine it ends the process with status 3, unless `--busy` is
 * given. It removes `--busy` from the command line, so call it before parsing that. With `--list` it prints the
 * scenarios and ends the process.
 */
export function requireQuietMachine(scenarios: readonly string[]): string {
  if (process.argv.includes(LIST_FLAG)) {
    console.log(scenarios.join('\n'));
    process.exit(0);
  }
  const at = process.argv.indexOf(BUSY_FLAG);
  if (at !== -1) {
    process.argv.splice(at, 1);
  }
  const verdict = judgeMachine({ load: loadavg()[0] ?? 0, cores: availableParallelism() }, at !== -1);
  if ('refusal' in verdict) {
    console.error(verdict.refusal);
    process.exit(3);
  }
  return isShortest
    ? `SHORTEST RUN: it proves that the benchmark works, its figures mean nothing. ${verdict.note}`
    : verdict.note;
}
