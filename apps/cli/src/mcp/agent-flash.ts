/**
 * Plans of builds for an agent. A plan is shown with its hash, and is carried out by that hash alone: the files are the
 * ones that were read, and a plan that is made at the write must be the same.
 */
import { loadFamily } from '@wirebench/flasher/callers';
import { onBoard, showRestart } from '../board/board-run.ts';
import type { OptionValues } from '../commands/command.ts';
import { CommandError, exitCodes } from '../exit-code.ts';
import { carryOut, showFiles } from '../flash/flash.ts';
import { type LocalBuild, readBuild } from '../flash/given-build.ts';
import { placedFile } from '../placed-file.ts';
import { type AgentPort, type AgentPorts, sinceText } from './agent-ports.ts';
import { type AgentOutput, shortHash, type WorkProgress, type WorkReport, workOnBoard } from './agent-work.ts';
import { type Allowance, allowedPath, checkAllowed, quoted, RequestRefused } from './allowance.ts';

export interface PlanRequest {
  /** Files, one folder or an archive; a file may have its offset in front: `0x10000=app.bin`. */
  readonly build: readonly string[];
  readonly family: string | undefined;
  readonly eraseAll: boolean;
  /** True: a person has started the bootloader. */
  readonly byHand: boolean;
  /** Name of one of several builds. */
  readonly buildName: string | undefined;
}

/** A plan that was shown. */
interface ShownPlan {
  readonly hash: string;
  readonly port: AgentPort;
  readonly options: OptionValues;
  readonly build: LocalBuild;
}

export class AgentFlash {
  readonly #ports: AgentPorts;
  readonly #allowance: Allowance;
  /** The plan of each port that was shown last. */
  readonly #shown = new Map<AgentPort, ShownPlan>();

  constructor(ports: AgentPorts, allowance: Allowance) {
    this.#ports = ports;
    this.#allowance = allowance;
  }

  /**
   * Makes a plan. The board is in its bootloader until the plan is made, and is then started again.
   *
   * @throws RequestRefused for what is not allowed.
   */
  async plan(port: AgentPort, request: PlanRequest, progress: WorkProgress, signal: AbortSignal): Promise<WorkReport> {
    checkAllowed(this.#allowance, 'flash');
    if (request.eraseAll) {
      checkAllowed(this.#allowance, 'erase');
    }
    this.#shown.delete(port);
    const named = await Promise.all(request.build.map((text) => this.#place(text)));
    const { family: wanted, buildName, eraseAll, byHand } = request;
    const options = { family: wanted, build: buildName, eraseAll, byHand, plan: true };
    return workOnBoard(this.#ports, port, { options, progress, signal }, async (run, output) => {
      const build = await readBuild(named, run.options, run.target.family, signal);
      if (build.kind === 'release') {
        throw new CommandError(exitCodes.refused, 'an agent writes files of this machine, and no releases.');
      }
      showFiles(run, build);
      const family = await loadFamily(build.family);
      const done = await onBoard(run, family, (board) => carryOut(run, family, board, build));
      showRestart(run, done);
      this.#checkErase(output);
      const hash = planHash(port, output);
      this.#shown.set(port, { hash, port, options: { ...options, plan: false, yes: true }, build });
      return hash;
    });
  }

  /** @throws RequestRefused without a plan of this hash. */
  async write(port: AgentPort, hash: string, progress: WorkProgress, signal: AbortSignal): Promise<WorkReport> {
    checkAllowed(this.#allowance, 'flash');
    const shown = this.#shown.get(port);
    if (shown === undefined || shown.hash !== hash) {
      throw new RequestRefused(
        `${port.given.label} has no plan ${quoted(hash)}: its write has begun before, a later plan has replaced it, or it was never shown. plan_flash makes a plan.`,
      );
    }
    // A plan is carried out once: afterwards the board is another one.
    this.#shown.delete(port);
    const { options, build } = shown;
    let from = 0;
    const report = await workOnBoard(this.#ports, port, { options, progress, signal }, async (run, output) => {
      const family = await loadFamily(build.family);
      showFiles(run, build);
      const done = await onBoard(run, family, (board) =>
        carryOut(run, family, board, build, async () => {
          this.#checkErase(output);
          if (planHash(port, output) !== hash) {
            throw new CommandError(
              exitCodes.refused,
              'nothing was written: the board is not the one, or not as it was, when the plan was shown.',
            );
          }
        }),
      );
      showRestart(run, done);
      // The port is closed: what it has received is of the program before.
      from = this.#ports.end(port);
      return null;
    });
    if (report.outcome !== 'done') {
      return report;
    }
    // A port that was closed before the write stays so, and its mark is that of what comes when it is opened.
    const open = this.#ports.isOpen(port) ? '' : ' The port is closed: open_port opens it.';
    return { ...report, said: `Done. What the new program sends begins at mark ${sinceText(from)}${open}` };
  }

  /** A link would let an agent, or a text that it has read, choose the program. */
  async #place(text: string): Promise<string> {
    if (/^[a-z]+:\/\//i.test(text)) {
      throw new RequestRefused('An agent writes files of this machine, and no links. "wirebench flash" takes a link.');
    }
    const { address, path } = placedFile(text);
    const allowed = await allowedPath(this.#allowance, path);
    return address === null ? allowed : `${address}=${allowed}`;
  }

  #checkErase(output: AgentOutput): void {
    if (erasesMore(output) && !this.#allowance.actions.has('erase')) {
      throw new CommandError(
        exitCodes.refused,
        'nothing was written: this plan erases more than the places of its files. The person who started wirebench allows it with --allow erase.',
      );
    }
  }
}

/** True: the plan erases all of the flash, or an area that none of its files is for. */
function erasesMore(output: AgentOutput): boolean {
  const { eraseAll = false, erased = [] } = output.facts('plan') as { eraseAll?: boolean; erased?: string[] };
  return eraseAll || erased.length > 0;
}

/** Returns the hash of the port, the board, the files and what is written where. */
function planHash({ given }: AgentPort, output: AgentOutput): string {
  const { duration: _duration, ...plan } = output.facts('plan') as { readonly duration: number };
  return shortHash([given.path, output.facts('board'), output.facts('files'), plan]);
}
