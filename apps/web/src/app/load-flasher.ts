/** Loads a flasher for the page of a release. A chunk of its own: the start of that page names one file instead of many. */
import type { FamilyId } from '@wirebench/boards';

export const loadFlasher = async (family: FamilyId) => (await import('./flasher-pages.ts')).loadFlasher(family);
