/** Files that a page saves to the user's disk. */
import { vi } from 'vitest';

export interface SavedFile {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Runs `action` and returns the next file that the page saves. */
export async function savedBy(action: () => unknown): Promise<SavedFile> {
  const { promise, resolve } = Promise.withResolvers<SavedFile>();
  let saved: Blob | null = null;
  const create = vi.spyOn(URL, 'createObjectURL').mockImplementation((object) => {
    saved = object as Blob;
    return 'blob:saved';
  });
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    const name = this.download;
    void saved?.arrayBuffer().then((bytes) => resolve({ name, bytes: new Uint8Array(bytes) }));
  });
  try {
    await action();
    return await promise;
  } finally {
    create.mockRestore();
    click.mockRestore();
  }
}
