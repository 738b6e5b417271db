/**
 * Finds what the tests with genuine bootloaders of Arduino boards need: libsimavr and a compiler, the bootloaders, and
 * avrdude. Installed ones, otherwise the system's package manager.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { provide, type Tool } from './packages.ts';
import type { Counts } from './step.ts';
import { compiler } from './web-serial.ts';

const core = process.env.ARDUINO_AVR_CORE ?? '/usr/share/arduino/hardware/arduino/avr';

export const simavr: Tool = {
  group: 'unit',
  packages: [...compiler.packages, 'libsimavr-dev', 'arduino-core-avr', 'avrdude'],
  isHere: () =>
    process.platform !== 'linux' ||
    (compiler.isHere() &&
      existsSync('/usr/include/simavr/sim_avr.h') &&
      existsSync(join(core, 'bootloaders')) &&
      spawnSync('avrdude', ['-?'], { stdio: 'ignore' }).error === undefined),
};

/** Finds or installs all of it; counts it as skipped if a part is missing. */
export const provideSimavr = (): Promise<Counts> =>
  provide(
    simavr,
    `Not all of ${simavr.packages.join(', ')} could be found or installed: install them. The suites with genuine bootloaders are skipped.`,
  );
