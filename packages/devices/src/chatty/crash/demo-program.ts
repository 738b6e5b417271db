/**
 * The facts of the demo board's application that a crash shows. The application is the demo firmware for an ESP32,
 * with its ELF file.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { espChips } from '../../esp/chips/index.ts';
import { espFirmwareSet } from '../../esp/firmware/firmware-set.ts';

interface DemoProgram {
  /** SHA-256 of its ELF file, in hex. */
  readonly elfHash: string;
  readonly codeStart: number;
}

let program: DemoProgram | null = null;

export function demoProgram(): DemoProgram {
  program ??= readProgram();
  return program;
}

function readProgram(): DemoProgram {
  const set = espFirmwareSet({ chip: 'esp32', project: 'wirebench-demo', version: '2.0.0', text: '' });
  const elf = set.find(({ name }) => name.endsWith('.elf'))?.data ?? new Uint8Array();
  const elfHash = Array.from(sha256(elf), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return { elfHash, codeStart: espChips.esp32.layout.code };
}
