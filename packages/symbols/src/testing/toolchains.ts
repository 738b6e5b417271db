/** Finds installed compilers and builds test programs with them. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isLong } from '@wirebench/test-input';

const programs = join(import.meta.dirname, 'programs');

export interface Build {
  readonly name: string;
  /** Commands that the build needs. */
  readonly tools: readonly string[];
  /**
   * Returns the commands of the build, run in the folder of the programs.
   * @param out path of the ELF file to write
   */
  readonly steps: (out: string) => readonly (readonly string[])[];
}

const found = new Map<string, boolean>();

function hasTool(command: string): boolean {
  const known = found.get(command);
  const isThere = known ?? spawnSync(command, ['--version']).status === 0;
  found.set(command, isThere);
  return isThere;
}

/** Returns the commands that are not installed. */
export function missingTools(tools: readonly string[]): string[] {
  return tools.filter((tool) => !hasTool(tool));
}

/**
 * Builds into `folder` unless the file exists, and returns its path.
 * @throws Error if a step fails.
 */
export function builtIn(folder: string, build: Build): string {
  const out = join(folder, build.name.replaceAll(/[^\w.+-]+/g, '_'));
  if (!existsSync(out)) {
    runBuild(build, out);
  }
  return out;
}

function runBuild(build: Build, out: string): void {
  for (const [command = '', ...args] of build.steps(out)) {
    const { status, stderr } = spawnSync(command, args, { cwd: programs, encoding: 'utf8' });
    if (status !== 0) {
      throw new Error(`${build.name}: ${command} failed: ${stderr}`);
    }
  }
}

export function hosted(compiler: string, source: string, ...flags: readonly string[]): Build {
  return {
    name: [compiler, ...flags, source].join(' '),
    tools: [compiler],
    steps: (out) => [[compiler, ...flags, source, '-o', out]],
  };
}

const bareFlags = ['-ffreestanding', '-nostdlib', '-fno-exceptions', '-ffunction-sections'];
const thumbGcc = ['-mcpu=cortex-m4', '-mthumb', '-Wl,--gc-sections'];
/** Programs in the flash of an RP2040, behind its second stage, and of an RP2350. */
const rp2040Gcc = ['-mcpu=cortex-m0plus', '-mthumb', '-Wl,--gc-sections', '-Wl,-Ttext=0x10000100'];
const rp2350Gcc = ['-mcpu=cortex-m33', '-mthumb', '-Wl,--gc-sections', '-Wl,-Ttext=0x10000000'];
const riscvGcc = ['-march=rv32imac', '-mabi=ilp32', '-Wl,--gc-sections'];

function bareGcc(compiler: string, source: string, target: readonly string[], ...flags: readonly string[]): Build {
  const languageFlags = source.endsWith('.cpp') ? ['-fno-rtti'] : [];
  return hosted(compiler, source, ...flags, ...target, ...bareFlags, ...languageFlags);
}

function bareClang(target: string, linkFlags: readonly string[], ...flags: readonly string[]): Build {
  return {
    name: ['clang', target, ...flags].join(' '),
    tools: ['clang', 'ld.lld'],
    steps: (out) => [
      ['clang', `--target=${target}`, ...flags, ...bareFlags, '-c', 'bare.c', '-o', `${out}.o`],
      ['ld.lld', ...linkFlags, `${out}.o`, '-o', out],
    ],
  };
}

/** DWARF versions to test with each compiler and level. All of them take minutes. */
const versions = isLong ? [2, 3, 4, 5] : [4, 5];

/**
 * Covers versions of DWARF, optimisation levels, 32-bit and 64-bit processors, both byte orders, and features of
 * linkers.
 */
export const builds: readonly Build[] = [
  ...versions.flatMap((version) =>
    ['gcc', 'clang'].flatMap((compiler) =>
      ['-O0', '-O2'].map((level) => hosted(compiler, 'calls.c', `-gdwarf-${version}`, level)),
    ),
  ),
  hosted('gcc', 'calls.c', '-gdwarf-2', '-O2'),
  hosted('gcc', 'calls.c', '-gdwarf-3', '-O1'),
  hosted('g++', 'shapes.cpp', '-gdwarf-4', '-O0'),
  hosted('g++', 'shapes.cpp', '-gdwarf-5', '-O2'),
  hosted('g++', 'shapes.cpp', '-gdwarf-5', '-O2', '-flto'),
  hosted('clang++', 'shapes.cpp', '-gdwarf-4', '-O2'),
  hosted('clang++', 'shapes.cpp', '-gdwarf-5', '-O1', '-fdebug-types-section'),
  hosted('gcc', 'calls.c', '-gdwarf-5', '-gdwarf64', '-O2'),
  hosted('gcc', 'calls.c', '-g1', '-O2'),
  hosted('gcc', 'calls.c', '-O2'),
  hosted('clang', 'calls.c', '-gline-tables-only', '-O2'),
  hosted('gcc', 'calls.c', '-g', '-O2', '-gz=zlib'),
  hosted('gcc', 'calls.c', '-g', '-O2', '-Wl,--compress-debug-sections=zlib-gnu'),
  bareGcc('riscv64-unknown-elf-gcc', 'bare.c', riscvGcc, '-gdwarf-4', '-Os'),
  bareGcc('riscv64-unknown-elf-gcc', 'bare.c', riscvGcc, '-gdwarf-5', '-O0'),
  bareGcc('riscv64-unknown-elf-g++', 'bare.cpp', riscvGcc, '-gdwarf-5', '-O2'),
  bareGcc('xtensa-lx106-elf-gcc', 'bare.c', ['-Wl,--gc-sections'], '-gdwarf-4', '-Os'),
  bareGcc('xtensa-lx106-elf-g++', 'bare.cpp', ['-Wl,--gc-sections'], '-gdwarf-5', '-O2'),
  bareGcc('arm-none-eabi-gcc', 'bare.c', thumbGcc, '-gdwarf-4', '-Os'),
  bareGcc('arm-none-eabi-g++', 'bare.cpp', thumbGcc, '-gdwarf-5', '-O2'),
  bareGcc('arm-none-eabi-gcc', 'bare.c', rp2040Gcc, '-gdwarf-5', '-O2'),
  bareGcc('arm-none-eabi-g++', 'bare.cpp', rp2350Gcc, '-gdwarf-5', '-Os'),
  ...[4, 5].flatMap((version) => [
    bareClang('riscv32-unknown-elf', ['--gc-sections'], `-gdwarf-${version}`, '-O2', '-march=rv32imac'),
    bareClang('thumbv7m-none-eabi', [], `-gdwarf-${version}`, '-O2'),
    bareClang('powerpc-unknown-elf', [], `-gdwarf-${version}`, '-O0'),
    bareClang('powerpc64-unknown-elf', [], `-gdwarf-${version}`, '-O2', '-mabi=elfv2'),
  ]),
];

/** Builds for which GNU's own tools agree with each other: binutils 2.40 misreads some of Clang's DWARF 5. */
export const gnuBuilds: readonly (Build & { readonly addr2line: string })[] = [
  { ...hosted('gcc', 'calls.c', '-gdwarf-4', '-O2'), addr2line: 'addr2line' },
  { ...hosted('gcc', 'calls.c', '-gdwarf-5', '-O2'), addr2line: 'addr2line' },
  { ...hosted('g++', 'shapes.cpp', '-gdwarf-5', '-O2'), addr2line: 'addr2line' },
  { ...hosted('clang', 'calls.c', '-gdwarf-4', '-O2'), addr2line: 'addr2line' },
  {
    ...bareGcc('riscv64-unknown-elf-gcc', 'bare.c', riscvGcc, '-gdwarf-4', '-Os'),
    addr2line: 'riscv64-unknown-elf-addr2line',
  },
  {
    ...bareGcc('xtensa-lx106-elf-gcc', 'bare.c', ['-Wl,--gc-sections'], '-gdwarf-4', '-Os'),
    addr2line: 'xtensa-lx106-elf-addr2line',
  },
];
