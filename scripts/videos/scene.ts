/** What a recording is made of. */
import type { Page } from '@playwright/test';
import type { Actor } from './actor.ts';

export interface Scene {
  /** Everything up to the first frame. */
  prepare(page: Page): Promise<void>;
  play(actor: Actor): Promise<void>;
  /** Part of the video, from 0 to 1, at which it is seen best what it is about: the still that stands for it. */
  readonly still: number;
}
