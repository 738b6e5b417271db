/**
 * MicroPython's prompt: docs.micropython.org, "The MicroPython Interactive Interpreter Mode (aka REPL)" and the
 * libraries `sys`, `os`, `gc`, `machine`. A line ends with CR.
 */
import type { LibraryJkit } from './library-jkit.ts';

const PROMPT = '>>> ';

/** Returns a message with a control character. */
const control = (byte: string) => ({ content: byte, type: 'hex', expect: { content: PROMPT, type: 'ascii' } }) as const;

const line = (content: string) => ({ content, expect: PROMPT }) as const;

export const micropython: LibraryJkit = {
  id: '01939c00-0000-7000-8000-00000000c008',
  name: 'MicroPython: at the prompt',
  description:
    'Stop the running program (03 is Ctrl+C), leave raw mode (02 is Ctrl+B), restart softly (04 is Ctrl+D), then identify the board: version, modules, files, memory, frequency, unique id, I2C devices. 115200 baud. For other pins change machine.I2C(0).',
  tags: ['MicroPython', 'Python', 'REPL', 'ESP32', 'RP2040', 'Pico', 'I2C'],
  content: {
    settings: { lineEnding: true, ending: 'cr' },
    fields: [
      control('03'),
      control('02'),
      line('import sys, os, gc, machine'),
      line('sys.implementation'),
      line('os.uname()'),
      line("help('modules')"),
      line('os.listdir()'),
      line("os.statvfs('/')"),
      line('gc.collect(); gc.mem_free()'),
      line('machine.freq()'),
      line('machine.unique_id()'),
      line('machine.reset_cause()'),
      line('[hex(a) for a in machine.I2C(0).scan()]'),
      line("print(open('main.py').read())"),
      { ...control('04'), timeoutMs: 5_000 },
      'machine.reset()',
    ],
  },
};
