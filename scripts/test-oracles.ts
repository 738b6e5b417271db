/**
 * `npm run test:oracles`: finds or installs third-party programs and runs the tests that compare the product with
 * them. `npm test` runs these tests with the installed programs only. The last line is the result.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './build/web.ts';
import { provideAvrdude } from './test/avrdude.ts';
import { installPackages } from './test/packages.ts';
import { countReport } from './test/report.ts';
import { vitest } from './test/runners.ts';
import { provideSimavr } from './test/simavr.ts';
import { countsText } from './test/step.ts';
import { provideStm32flash } from './test/stm32flash.ts';

/** Debian packages, each with a program that proves its installation: its name, or its path. */
const packages = {
  srecord: 'srec_cat',
  'binutils-arm-none-eabi': 'arm-none-eabi-objcopy',
  'g++': 'g++',
  clang: 'clang',
  lld: 'ld.lld',
  llvm: 'llvm-addr2line',
  'gcc-arm-none-eabi': 'arm-none-eabi-gcc',
  'gcc-riscv64-unknown-elf': 'riscv64-unknown-elf-gcc',
  'gdb-multiarch': 'gdb-multiarch',
  'gcc-xtensa-lx106': 'xtensa-lx106-elf-gcc',
  'qemu-user': 'qemu-riscv32',
  'qemu-system-arm': 'qemu-system-arm',
  'u-boot-qemu': '/usr/lib/u-boot/qemu_arm/u-boot.bin',
  'qemu-system-misc': 'qemu-system-xtensa',
  'python3-venv': 'python3',
  dosfstools: '/usr/sbin/mkfs.fat',
  mtools: 'mcopy',
  lrzsz: 'sz',
  expect: 'expect',
  'libxml2-utils': 'xmllint',
  tshark: 'tshark',
  ola: 'olad',
  'python3-pymodbus': '/usr/lib/python3/dist-packages/pymodbus',
  gammu: 'gammu',
  mbpoll: 'mbpoll',
  'python3-crcmod': '/usr/lib/python3/dist-packages/crcmod',
  'python3-can': '/usr/lib/python3/dist-packages/can',
  'python3-canmatrix': '/usr/lib/python3/dist-packages/canmatrix',
  'python3-junitparser': '/usr/lib/python3/dist-packages/junitparser',
  'python3-nmea2': '/usr/lib/python3/dist-packages/pynmea2',
  'python3-ais': '/usr/lib/python3/dist-packages/ais',
  'gpsd-clients': 'gpsdecode',
  gpsd: 'ubxtool',
};

/** Python packages, each with the variable that passes the program's path to the tests. */
const pythonTools = { esptool: 'ESPTOOL', 'adafruit-nrfutil': 'ADAFRUIT_NRFUTIL' };

/** Python packages without a program, each with the variable that passes the Python which has it. */
const pythonModules = { 'esp-idf-nvs-partition-gen': 'NVS_PYTHON' };

const comparisons = ['oracle.test.ts', 'packages/symbols/src/addr2line.test.ts', 'scripts/probe/probe-files.test.ts'];

function isOnPath(program: string): boolean {
  if (program.startsWith('/')) {
    return existsSync(program);
  }
  return (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, program)));
}

const pythonFolder = join(root, '.cache', 'python-tools', 'bin');

/** Installs a Python package into its own folder. Returns true if that worked. */
function installPython(name: string): boolean {
  const run = (command: string, ...args: string[]) =>
    spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'], timeout: 300_000 }).status === 0;
  console.log(`Installing ${name} with pip.`);
  const isReady = existsSync(join(pythonFolder, 'pip')) || run('python3', '-m', 'venv', join(pythonFolder, '..'));
  return isReady && run(join(pythonFolder, 'pip'), 'install', '--quiet', name);
}

/** Returns the path of a Python program; undefined if it cannot be installed. */
function pythonTool(name: string): string | undefined {
  const program = join(pythonFolder, name);
  return existsSync(program) || (installPython(name) && existsSync(program)) ? program : undefined;
}

/** Returns the path of a Python that has the package; undefined if it cannot be installed. */
function pythonWith(name: string): string | undefined {
  const module = name.replaceAll('-', '_');
  const has = (python: string) => spawnSync(python, ['-c', `import ${module}`]).status === 0;
  const own = join(pythonFolder, 'python3');
  return ['python3', own].find(has) ?? (installPython(name) ? own : undefined);
}

const lacking = Object.entries(packages).filter(([, program]) => !isOnPath(program));
for (const [name, program] of lacking) {
  // Installs packages one by one, because another system may lack one of them.
  if (!(await installPackages(name)) || !isOnPath(program)) {
    console.error(
      `${program} could not be obtained: install the package ${name}. What is compared with it is skipped.`,
    );
  }
}

await provideStm32flash();
await provideAvrdude();
await provideSimavr();

const environment: NodeJS.ProcessEnv = {};
for (const [name, variable] of Object.entries(pythonTools)) {
  const program = process.env[variable] ?? (isOnPath(name) ? name : pythonTool(name));
  if (program === undefined) {
    console.error(`${name} could not be obtained: set ${variable} to its path. What is compared with it is skipped.`);
  } else {
    environment[variable] = program;
  }
}

// espefuse comes with esptool.
const espefuse = process.env.ESPEFUSE ?? environment.ESPTOOL?.replace(/esptool(\.py)?$/, 'espefuse$1');
if (espefuse !== undefined) {
  environment.ESPEFUSE = espefuse;
}

for (const [name, variable] of Object.entries(pythonModules)) {
  const python = process.env[variable] ?? pythonWith(name);
  if (python === undefined) {
    console.error(
      `${name} could not be obtained: set ${variable} to a Python that has it. Its comparisons are skipped.`,
    );
  } else {
    environment[variable] = python;
  }
}

const oracles = vitest({ name: 'oracles', args: ['--project=node', ...comparisons], env: () => environment });
const counts = countReport(await oracles.run());
console.log(countsText(counts));
process.exit(counts.failed === 0 && counts.passed > 0 ? 0 : 1);
