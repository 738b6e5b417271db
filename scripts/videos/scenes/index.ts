/** Recordings by file name. */
import type { Scene } from '../scene.ts';
import { flasher } from './flasher.ts';
import { jkits } from './jkits.ts';
import { lab } from './lab.ts';
import { releases } from './releases.ts';
import { uart } from './uart.ts';

export const scenes: Readonly<Record<string, Scene>> = { uart, flasher, releases, jkits, lab };
