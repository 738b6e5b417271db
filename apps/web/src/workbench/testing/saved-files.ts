/** Files that a page saves to the user's disk. */
import { afterAll, type Mock, vi } from 'vitest';

export interface SavedFile {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Calls `take` with each file that the page saves, in place of the browser's download. Returns what ends that. */
function takeDownloads(take: (file: Blob, name: string) => void): () => void {
  let saved: Blob | null = null;
  const create = vi.spyOn(URL, 'createObjectURL').mockImplementation((object) => {
    saved = object as Blob;
    return 'blob:saved';
  });
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    if (saved !== null) {
      take(saved, this.download);
    }
  });
  return () => {
    create.mockRestore();
    click.mockRestore();
  };
}

/** Runs `action` and returns the next file that the page saves. */
export async function savedBy(action: () => unknown): Promise<SavedFile> {
  const { promise, resolve } = Promise.withResolvers<SavedFile>();
  const end = takeDownloads((file, name) => {
    void file.arrayBuffer().then((bytes) => resolve({ name, bytes: new Uint8Array(bytes) }));
  });
  try {
    await action();
    return await promise;
  } finally {
    end();
  }
}

/** Replaces downloads until the end of the test file. Returns a mock that is called with each file and its name. */
export function fakeDownloads(): Mock<(file: Blob, name: string) => void> {
  const saved = vi.fn<(file: Blob, name: string) => void>();
  afterAll(takeDownloads(saved));
  return saved;
}
