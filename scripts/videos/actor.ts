/**
 * Uses a page like a calm person, for viewers of a video: the pointer moves visibly, keys are shown, and captions can
 * be read.
 */
import type { Locator, Page } from '@playwright/test';
import { type Caption, type CaptionPlace, readingTime } from './captions.ts';

/** Milliseconds. */
const travelTime = 550;
const betweenKeys = 75;
const aMoment = 350;

const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

export class Actor {
  readonly page: Page;
  readonly #captions: Caption[] = [];
  #said: { readonly from: number; readonly text: string; readonly place: CaptionPlace } | null = null;
  #at = { x: 640, y: 400 };
  readonly #now: () => number;

  /**
   * Creates an actor.
   *
   * @param now Returns the seconds since the recording started.
   */
  constructor(page: Page, now: () => number) {
    this.page = page;
    this.#now = now;
  }

  /** Captions shown so far, with their times. */
  get captions(): readonly Caption[] {
    return this.#captions;
  }

  /** Shows a caption from now on, after the reading time of the previous one. */
  async say(text: string, place: CaptionPlace = 'bottom'): Promise<void> {
    await this.rest();
    this.#end();
    this.#said = { from: this.#now(), text, place };
    await pause(aMoment);
  }

  /** Waits for the reading time of the caption. */
  async rest(): Promise<void> {
    if (this.#said !== null) {
      const { from, text } = this.#said;
      await pause(Math.max(0, (from + readingTime(text) - this.#now()) * 1_000));
    }
  }

  /** Waits some seconds, so that viewers see the result. */
  look(seconds: number): Promise<void> {
    return pause(seconds * 1_000);
  }

  /** Ends the last caption at the end of the video. */
  async finish(): Promise<void> {
    await this.rest();
    await pause(1_000);
    this.#end();
  }

  async goto(path: string): Promise<void> {
    await this.page.goto(path);
    await this.page.mouse.move(this.#at.x, this.#at.y);
  }

  async pointAt(target: Locator): Promise<void> {
    await target.scrollIntoViewIfNeeded();
    const box = await target.boundingBox();
    if (box === null) {
      throw new Error('There is nothing to point at.');
    }
    const from = this.#at;
    const to = { x: box.x + Math.min(box.width / 2, 120), y: box.y + box.height / 2 };
    const start = performance.now();
    for (let part = 0; part < 1; ) {
      part = Math.min(1, (performance.now() - start) / travelTime);
      // Eases in and out, like a hand.
      const way = part * part * (3 - 2 * part);
      await this.page.mouse.move(from.x + (to.x - from.x) * way, from.y + (to.y - from.y) * way);
      await pause(15);
    }
    this.#at = to;
  }

  async click(target: Locator): Promise<void> {
    await this.pointAt(target);
    await pause(aMoment / 2);
    await this.page.mouse.down();
    await pause(60);
    await this.page.mouse.up();
    await pause(aMoment);
  }

  /** Types into the focused element. */
  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text, { delay: betweenKeys });
    await pause(aMoment);
  }

  /**
   * Presses keys and shows them.
   *
   * @param keys Keys in Playwright's notation, such as `Shift+H`.
   */
  async press(keys: string): Promise<void> {
    await this.page.evaluate((text) => window.showKeys(text), keys.replaceAll('+', ' + '));
    await this.page.keyboard.press(keys);
    await pause(aMoment);
  }

  #end(): void {
    if (this.#said !== null) {
      this.#captions.push({ ...this.#said, to: this.#now() });
      this.#said = null;
    }
  }
}
