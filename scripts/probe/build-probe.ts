/** Builds the lab's RAM program with Debian's compilers, byte for byte reproducible. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../build/web.ts';
import { loadedFrom, type Segment } from './elf-segments.ts';

export const probeFolder = join(root, 'firmware', 'probe');

interface Toolchain {
  readonly compiler: string;
  /** Debian package of the compiler. */
  readonly package: string;
  readonly flags: readonly string[];
}

export const toolchains = {
  esp32: { compiler: 'xtensa-lx106-elf-gcc', package: 'gcc-xtensa-lx106', flags: [] },
  esp32c3: {
    compiler: 'riscv64-unknown-elf-gcc',
    package: 'gcc-riscv64-unknown-elf',
    flags: [
      // This version of the instruction set has a library that saves registers. Later versions require `zicsr` by
      // name and have no such library.
      ...['-march=rv32imc', '-misa-spec=2.2', '-mabi=ilp32', '-msmall-data-limit=128', '-msave-restore'],
      ...['-fno-inline-functions-called-once', '-fno-tree-coalesce-vars'],
    ],
  },
} as const satisfies Record<string, Toolchain>;
export type ProbeChip = keyof typeof toolchains;
export const probeChips = Object.keys(toolchains) as ProbeChip[];

/** Flags after `-flto` were found by trial: each makes the program smaller than -Os alone. */
const commonFlags = [
  ...['-std=gnu11', '-Os', '-Wall', '-Wextra', '-Werror', '-ffreestanding', '-fno-builtin', '-nostdlib'],
  ...['-fno-jump-tables', '-fno-tree-loop-distribute-patterns', '-flto', '-fwhole-program'],
  ...['-fno-tree-loop-im', '-fno-cse-follow-jumps', '-fno-thread-jumps', '-fno-caller-saves'],
  ...['-fno-move-loop-invariants', '-fno-guess-branch-probability'],
  ...[
    '-ffunction-sections',
    '-fdata-sections',
    '-Wl,--gc-sections',
    '-Wl,--build-id=none',
    '-Wl,--no-warn-rwx-segments',
  ],
];

export interface Program {
  readonly entry: number;
  readonly segments: readonly Segment[];
  /** Hash of the concatenated bytes of all segments. */
  readonly sha256: string;
  /** First line of the compiler's `--version`. */
  readonly compiler: string;
}

/** Returns the version line of a chip's compiler; undefined if it is not installed. */
export function compilerFor(chip: ProbeChip): string | undefined {
  const { status, stdout } = spawnSync(toolchains[chip].compiler, ['--version'], { encoding: 'utf8' });
  return status === 0 ? stdout.split('\n')[0] : undefined;
}

/**
 * Builds the program for a chip.
 *
 * @throws Error with the compiler's output.
 */
export function buildProbe(chip: ProbeChip): Program {
  const { compiler, flags } = toolchains[chip];
  const folder = mkdtempSync(join(tmpdir(), 'wirebench-probe-'));
  try {
    const elf = join(folder, 'probe.elf');
    const sources = readdirSync(probeFolder).filter((name) => name.endsWith('.c'));
    const args = [
      ...[...commonFlags, ...flags, `-DCHIP_HEADER="chips/${chip}.h"`, '-T', `chips/${chip}.ld`],
      ...[`chips/start-${chip}.S`, ...sources.sort(), '-lgcc', '-o', elf],
    ];
    const { status, stderr, error } = spawnSync(compiler, args, { cwd: probeFolder, encoding: 'utf8' });
    if (status !== 0) {
      throw new Error(`${compiler} failed: ${stderr ?? error}`);
    }
    const { entry, segments } = loadedFrom(readFileSync(elf));
    const hash = createHash('sha256');
    for (const { bytes } of segments) {
      hash.update(bytes);
    }
    return { entry, segments, sha256: hash.digest('hex'), compiler: compilerFor(chip) ?? compiler };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
