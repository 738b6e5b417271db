/**
 * Recognises firmware that keeps its user's files in flash: MicroPython and CircuitPython. Both build with ESP-IDF, whose
 * application description has the name of the project (`project(micropython)` in `ports/esp32/CMakeLists.txt` of
 * MicroPython, `project(circuitpython)` in CircuitPython).
 */
import { type ImagePart, imagePartOf } from './image-part.ts';
import { isApp } from './partition-types.ts';

/**
 * Returns `MicroPython` or `CircuitPython`; null for other firmware.
 *
 * @param bytes Content of the file.
 * @param part What the file is, as `imagePartOf` says.
 */
export function pythonOf(bytes: Uint8Array, part: ImagePart): 'MicroPython' | 'CircuitPython' | null {
  if (part.kind === 'merged') {
    const app = part.parts.find(({ partition }) => partition !== null && isApp(partition));
    if (app === undefined) {
      return null;
    }
    const start = app.offset - part.offset;
    const inner = bytes.subarray(start, start + app.size);
    return pythonOf(inner, imagePartOf(inner));
  }
  if (part.kind !== 'app') {
    return null;
  }
  switch (part.description?.project) {
    case 'micropython':
      return 'MicroPython';
    case 'circuitpython':
      return 'CircuitPython';
    default:
      return null;
  }
}
