/** Runs third-party tools that tests compare with, if this machine has them. */
import { spawnSync } from 'node:child_process';

/** Returns those of `commands` that this machine does not have. */
export function missingCommands(...commands: readonly string[]): string[] {
  return commands.filter((command) => spawnSync(command, ['--version']).status !== 0);
}

/** @throws Error if the command fails. */
export function run(command: string, ...args: readonly string[]): void {
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) {
    throw new Error(`${command} ${args.join(' ')} failed: ${stderr}`);
  }
}

/** Espressif's esptool. Version 5 has commands with hyphens, version 4 with underscores. */
export interface Esptool {
  /**
   * Returns the output of the command.
   *
   * @throws Error if it fails.
   */
  run(command: 'image-info' | 'merge-bin', ...args: readonly string[]): string;
}

/** Returns the tool that the variable `ESPTOOL` names, or an installed one; null if this machine has neither. */
export function findEsptool(): Esptool | null {
  const { ESPTOOL } = process.env;
  for (const tool of ESPTOOL ? [ESPTOOL.split(' ')] : [['esptool'], ['esptool.py']]) {
    const [program = '', ...first] = tool;
    const version = spawnSync(program, [...first, 'version'], { encoding: 'utf8' });
    const [, major] = /v?(\d+)\.\d+/.exec(version.stdout ?? '') ?? [];
    if (version.status === 0 && major !== undefined) {
      return {
        run: (command, ...args) => runEsptool(program, [...first, ...wordsOf(command, Number(major)), ...args]),
      };
    }
  }
  return null;
}

/** Espressif's espefuse, which comes with esptool. */
export interface Espefuse {
  /** @throws Error if the command fails. */
  run(...args: readonly string[]): void;
}

/** Returns the tool that the variable `ESPEFUSE` names, or an installed one; null if this machine has neither. */
export function findEspefuse(): Espefuse | null {
  const { ESPEFUSE } = process.env;
  for (const tool of ESPEFUSE ? [ESPEFUSE.split(' ')] : [['espefuse'], ['espefuse.py']]) {
    const [program = '', ...first] = tool;
    const help = spawnSync(program, [...first, '--help'], { encoding: 'utf8' });
    // Older versions know fewer chips and fields.
    if (help.status === 0 && /espefuse v?([5-9]|\d\d)\./.test(`${help.stdout}`)) {
      return { run: (...args) => void runEsptool(program, [...first, ...args]) };
    }
  }
  return null;
}

function wordsOf(command: 'image-info' | 'merge-bin', major: number): string[] {
  const old = command === 'image-info' ? ['image_info', '--version', '2'] : ['merge_bin'];
  return ['--chip', 'esp32', ...(major < 5 ? old : [command])];
}

function runEsptool(program: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) {
    throw new Error(`${program} ${args.join(' ')} failed: ${stdout}${stderr}`);
  }
  return stdout;
}
