import { describe, expect, it } from 'vitest';
import { readPlainStart } from './read-plain-start.ts';

const talking = { kind: 'app', project: null, version: null };

describe('start of a program on a chip that prints nothing of its own', () => {
  it('is silence until something comes, and unreadable at another rate', () => {
    expect(readPlainStart(' \r\n')).toEqual({ kind: 'silence' });
    expect(readPlainStart('\ufffd\ufffd\u0000\ufffd\ufffd')).toEqual({ kind: 'unreadable' });
  });

  it('is heard whatever the program says', () => {
    expect(readPlainStart('Wirebench demo for STM32\r\n')).toEqual(talking);
    expect(readPlainStart('default temperature 21.5 °C\n')).toEqual(talking);
  });

  it.each([
    '[00:00:00.251,000] <err> os: ***** BUS FAULT *****',
    '[00:00:00.251,000] <err> os: >>> ZEPHYR FATAL ERROR 0: CPU exception on CPU 0',
    'HardFault_Handler',
    'Hard Fault at 0x08001234',
  ])('is a crash that says %s', (line) => {
    const verdict = readPlainStart(`hello\n${line}\n`);
    expect(verdict).toEqual(line.startsWith('HardFault_') ? talking : { kind: 'panic', line });
  });

  it('is a loop when the same banner comes again and again, each once from bootloader and program is not', () => {
    const boot = '*** Booting MCUboot v2.1.0 ***\n*** Booting Zephyr OS build v3.7.0 ***\n';
    expect(readPlainStart(boot)).toEqual(talking);
    expect(readPlainStart(boot.repeat(5))).toEqual({ kind: 'boot-loop', resets: 5, reason: null });
  });
});
