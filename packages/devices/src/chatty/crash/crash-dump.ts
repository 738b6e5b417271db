/** The core dump of a crash of the demo application, as stored in flash or printed. */
import { wrappedCore } from './core-file.ts';
import { demoProgram } from './demo-program.ts';
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
