/** The parts of a recording. */
import type { Page } from '@playwright/test';
import type { Actor } from './actor.ts';

export interface Scene {
  /** Prepares the page before the first frame. */
  prepare(page: Page): Promise<void>;
  play(actor: Actor): Promise<void>;
  /** Position of the still in the video, from 0 to 1: the moment that shows the subject best. */
  readonly still: number;
}
