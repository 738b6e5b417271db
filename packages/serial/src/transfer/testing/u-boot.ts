/** Runs Debian's build of U-Boot for QEMU's Arm machine, with its serial port as a link. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { ByteLink } from '../byte-link.ts';
import { programLink } from './program-link.ts';

const image = '/usr/lib/u-boot/qemu_arm/u-boot.bin';
const qemu = 'qemu-system-arm';

export function hasUBoot(): boolean {
  return existsSync(image) && spawnSync(qemu, ['--version'], { stdio: 'ignore' }).status === 0;
}

export interface UBoot {
  readonly link: ByteLink;
  type(text: string): void;
  /** Resolves with the match in what U-Boot prints after the last match. */
  until(pattern: RegExp): Promise<RegExpExecArray>;
  /** Stops the countdown if it runs, and resolves at the prompt. */
  untilPrompt(): Promise<void>;
  dispose(): void;
}

export function startUBoot(): UBoot {
  const machine = [
    '-M',
    'virt',
    '-m',
    '128',
    '-display',
    'none',
    '-monitor',
    'none',
    '-serial',
    'stdio',
    '-net',
    'none',
  ];
  const child = spawn(qemu, [...machine, '-bios', image], { stdio: ['pipe', 'pipe', 'ignore'] });
  let printed = '';
  let look: (() => void) | null = null;
  const link = programLink(child, {
    fromProgram: (bytes) => {
      printed += new TextDecoder('latin1').decode(bytes);
      look?.();
      return bytes;
    },
  });
  const type = (text: string) => void child.stdin.write(text);
  const until = async (pattern: RegExp): Promise<RegExpExecArray> => {
    for (;;) {
      const match = pattern.exec(printed);
      if (match !== null) {
        printed = printed.slice(match.index + match[0].length);
        return match;
      }
      await new Promise<void>((resolve) => {
        look = resolve;
      });
    }
  };
  const untilPrompt = async () => {
    const [found] = await until(/stop autoboot|=> $/);
    if (found === 'stop autoboot') {
      type(' ');
      await until(/=> $/);
    }
  };
  return { link, type, until, untilPrompt, dispose: () => child.kill('SIGKILL') };
}
