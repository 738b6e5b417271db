/**
 * Figures from a machine that has other work to do say nothing. Each benchmark asks here first: on a busy machine it ends with a
 * sentence, unless `--busy` is given, and then its table says so. Knows no benchmark.
 */
import { availableParallelism, loadavg } from 'node:os';

/** Of each core, as the load average counts it: what an idle system does by itself stays below. */
const QUIET_SHARE = 0.25;
const BUSY_FLAG = '--busy';

interface Machine {
  /** Programs that ran or waited to run, on average over the last minute; 0 where the system does not say (Windows). */
  readonly load: number;
  readonly cores: number;
}

type Verdict = { readonly note: string } | { readonly refusal: string };

/** Whether figures may be taken now, and the line that is above them. */
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
 * The line to print above the table. Ends the process with status 3 when the machine is busy and nobody has asked for figures all
 * the same. Takes `--busy` out of the command line, so that no benchmark has to know it: call it before that is parsed.
 */
export function requireQuietMachine(): string {
  const at = process.argv.indexOf(BUSY_FLAG);
  if (at !== -1) {
    process.argv.splice(at, 1);
  }
  const verdict = judgeMachine({ load: loadavg()[0] ?? 0, cores: availableParallelism() }, at !== -1);
  if ('refusal' in verdict) {
    console.error(verdict.refusal);
    process.exit(3);
  }
  return verdict.note;
}
