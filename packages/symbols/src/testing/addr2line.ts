/** Runs `llvm-addr2line` or GNU `addr2line` and parses its output, as a reference for tests. */
import { spawnSync } from 'node:child_process';
import type { Frame } from '../symbol-file.ts';

/** Frames of one address, innermost first, in addr2line's notation: `??` and 0 for unknown values. */
export interface Answer {
  readonly address: number;
  readonly frames: readonly AnswerFrame[];
}

export interface AnswerFrame {
  readonly function: string;
  readonly file: string;
  readonly line: number;
}

/**
 * Looks up addresses with an external tool.
 * @param demangled true: names of functions are demangled
 * @throws Error if the tool fails.
 */
export function askAddr2line(tool: string, elf: string, addresses: readonly number[], demangled = false): Answer[] {
  const { stdout, status, stderr } = spawnSync(tool, ['-a', '-f', '-i', ...(demangled ? ['-C'] : []), '-e', elf], {
    input: `${addresses.map((address) => `0x${address.toString(16)}`).join('\n')}\n`,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (status !== 0) {
    throw new Error(`${tool} failed: ${stderr}`);
  }
  return readAnswers(stdout);
}

/** Parses the output of `addr2line -a -f -i`: for each address, the address and then pairs of function and position. */
export function readAnswers(output: string): Answer[] {
  return output
    .split(/^(?=0x[0-9a-f]+$)/m)
    .filter((block) => block !== '')
    .map((block) => {
      const [address = '', ...lines] = block.trimEnd().split('\n');
      const frames = Array.from({ length: Math.floor(lines.length / 2) }, (_, index) =>
        answerFrame(lines[2 * index] ?? '', lines[2 * index + 1] ?? ''),
      );
      return { address: Number.parseInt(address, 16), frames };
    });
}

function answerFrame(name: string, place: string): AnswerFrame {
  // GNU adds a discriminator, and prints `?` for an unknown line.
  const [, file = '', line = ''] = /^(.*):(\d+|\?)(?: \(discriminator \d+\))?$/.exec(place) ?? [];
  return { function: name, file, line: line === '?' ? 0 : Number(line) };
}

/** Converts our frames into addr2line's notation. */
export function asAnswer(address: number, frames: readonly Frame[], demangled = false): Answer {
  const known = frames.length === 0 ? [{}] : frames;
  return {
    address,
    frames: known.map((frame: Frame) => ({
      function: (demangled ? frame.name : frame.symbol) ?? '??',
      file: frame.file ?? '??',
      line: frame.line ?? 0,
    })),
  };
}
