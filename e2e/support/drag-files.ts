/** Files dragged from the desktop through Chromium's own input. Events from a script would skip the browser's part. */
import type { CDPSession, Page } from '@playwright/test';

export interface Point {
  readonly x: number;
  readonly y: number;
}

/**
 * Holds files or folders over the page.
 *
 * @param paths Absolute paths on this machine.
 */
export class DraggedFiles {
  readonly #page: Page;
  readonly #paths: readonly string[];
  /** One session for all steps, because a drag ends with the session that began it. */
  #session: CDPSession | null = null;

  constructor(page: Page, paths: readonly string[]) {
    this.#page = page;
    this.#paths = paths;
  }

  /** Moves over the points in order. */
  async over(...points: readonly Point[]): Promise<void> {
    await this.#send(points.flatMap((point) => [['dragEnter', point] as const, ['dragOver', point] as const]));
  }

  async dropAt(point: Point): Promise<void> {
    await this.#send([
      ['dragEnter', point],
      ['dragOver', point],
      ['drop', point],
    ]);
  }

  async #send(steps: readonly (readonly ['dragEnter' | 'dragOver' | 'drop', Point])[]): Promise<void> {
    this.#session ??= await this.#page.context().newCDPSession(this.#page);
    const data = { items: [], files: [...this.#paths], dragOperationsMask: 1 };
    for (const [type, { x, y }] of steps) {
      await this.#session.send('Input.dispatchDragEvent', { type, x, y, data });
    }
  }
}
