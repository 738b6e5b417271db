/** Ids and files of the recordings that `npm run videos` makes. */
import { basePath } from '@wirebench/boards';

export type DemoVideoId = 'uart' | 'flasher' | 'releases' | 'jkits' | 'lab';

/** Text alternatives for users who cannot see the player. */
export const demoVideoLabel = {
  uart: 'Video of the serial terminal with two demo boards',
  flasher: 'Video of the flasher writing to the Demo ESP32',
  releases: 'Video of a first release, from the project to its link',
  jkits: 'Video of a JKit that is found, loaded and sent',
  lab: 'Video of the ESP32 bench with its demo board',
} satisfies Record<DemoVideoId, string>;

/** Size of every video in px. The player has this shape before the first byte arrives. */
export const demoVideoSize = { width: 1_024, height: 576 } as const;

export function demoVideoFiles(id: DemoVideoId): {
  readonly video: string;
  readonly captions: string;
  readonly still: string;
} {
  const file = (ending: string) => `${basePath}/videos/${id}.${ending}`;
  return { video: file('webm'), captions: file('vtt'), still: file('webp') };
}
