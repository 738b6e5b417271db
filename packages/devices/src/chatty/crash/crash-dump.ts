/** The core dump of a crash of the demo application, as stored in flash or printed. */
import { sha256 } from '@noble/hashes/sha2.js';
import { espChips } from '../../esp/chips/index.ts';
import { espFirmwareSet } from '../../esp/firmware/firmware-set.ts';
import { wrappedCore } from './core-file.ts';
import { type CrashKind, type Scene, scenes } from './scenes.ts';
import { type TaskImage, taskImage } from './task-image.ts';

interface CrashDump {
  readonly scene: Scene;
  /** One image for each task, the crashed task first. */
  readonly images: readonly TaskImage[];
  /** SHA-256 of the program's ELF file, in hex. */
  readonly elfHash: string;
  readonly dump: Uint8Array<ArrayBuffer>;
}

export function crashDump(kind: CrashKind): CrashDump {
  const scene = scenes[kind];
  const { elfHash, codeStart } = demoProgram();
  const images = scene.tasks.map((task, number) => taskImage(task, number, codeStart));
  return { scene, images, elfHash, dump: wrappedCore({ scene, images, elfHash }) };
}

/** Facts of the demo firmware for an ESP32 that a crash shows. */
interface DemoProgram {
  /** SHA-256 of its ELF file, in hex. */
  readonly elfHash: string;
  readonly codeStart: number;
}

let program: DemoProgram | null = null;

function demoProgram(): DemoProgram {
  program ??= readProgram();
  return program;
}

function readProgram(): DemoProgram {
  const set = espFirmwareSet({ chip: 'esp32', project: 'wirebench-demo', version: '2.0.0', text: '' });
  const elf = set.find(({ name }) => name.endsWith('.elf'))?.data ?? new Uint8Array();
  const elfHash = Array.from(sha256(elf), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return { elfHash, codeStart: espChips.esp32.layout.code };
}
