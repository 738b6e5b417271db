/** The sections of the introduction, from top to bottom. */
export const sections = [
  { id: 'start', name: 'Start' },
  { id: 'what-it-is', name: 'What it is' },
  { id: 'three-tools', name: 'Three tools' },
  { id: 'esp32-bench', name: 'ESP32 bench' },
  { id: 'jkits', name: 'JKits' },
  { id: 'begin', name: 'Begin' },
] as const;

export type SectionId = (typeof sections)[number]['id'];

/** Position of a section in the window, in px. */
export interface SectionPlace {
  readonly id: SectionId;
  readonly top: number;
}

/**
 * Returns the section below the middle of the window. Above all sections the first, below all the last.
 * @param places In page order.
 */
export function sectionAt(places: readonly SectionPlace[], windowHeight: number): SectionId {
  const middle = windowHeight / 2;
  const under = places.findLast(({ top }) => top <= middle);
  return under?.id ?? places[0]?.id ?? 'start';
}
