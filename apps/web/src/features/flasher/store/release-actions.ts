/**
 * Loads the files of a release, checks their hashes and places them. The release's console settings become the
 * monitor's.
 */
import type { GivenFile } from '../../../protocol/flash-protocol.ts';
import type { FlasherRelease, ReleaseFile, ReleaseVersion, VersionBuild } from '../release/flasher-release.ts';
import { giveFiles, removeAllFiles } from './file-actions.ts';
import { flasherStore, pageFamily, say } from './flasher-store.ts';
import { planSoon } from './plan-actions.ts';
import { dropBuilds, loadBuild } from './release-builds.ts';

/**
 * Replaces the files by those of a version.
 *
 * @param onProgress Receives the number of bytes of all files that have arrived.
 * @throws Error if a file cannot be loaded, or differs from the published one.
 */
export async function loadVersion(
  release: Omit<FlasherRelease, 'chosen'>,
  version: ReleaseVersion,
  signal: AbortSignal,
  onProgress: (received: number) => void,
): Promise<void> {
  const builds = version.builds?.filter(({ deviceFamily }) => deviceFamily === pageFamily().name);
  const received = version.files.map(() => 0);
  const files = await Promise.all(
    version.files.map((file, index) =>
      load(file, signal, (bytes) => {
        received[index] = bytes;
        onProgress(received.reduce((sum, part) => sum + part, 0));
      }),
    ),
  );
  signal.throwIfAborted();
  await removeAllFiles();
  flasherStore().setState(({ settings }) => ({
    release: { ...release, chosen: version },
    monitorMessages: null,
    settings: {
      ...settings,
      ...(version.console !== null && {
        monitorBaudRate: version.console.baudRate,
        lineEnding: version.console.lineEnding,
      }),
    },
  }));
  void loadMessages(version, signal);
  const [only] = builds ?? [];
  if (only !== undefined) {
    if (builds?.length === 1) {
      await loadOnly(only, signal, onProgress);
    }
    planSoon();
    return;
  }
  await giveFiles(files);
  const { files: taken } = flasherStore().getState().chosen;
  const changed = version.files.find(({ name, sha256 }) => !taken.some((file) => isPublished(file, name, sha256)));
  if (changed !== undefined) {
    await removeAllFiles();
    throw new Error(`${changed.name} is not the file that was published: its SHA-256 differs. Try again.`);
  }
}

/** Loads the files of a version with one build before a board is connected. Throws the failure as the page says it. */
async function loadOnly(
  build: VersionBuild,
  signal: AbortSignal,
  onProgress: (received: number) => void,
): Promise<void> {
  const discard = () => void dropBuilds();
  signal.addEventListener('abort', discard);
  await loadBuild(build, (part) => part !== null && onProgress(Math.round(part * (build.size ?? 0))));
  signal.removeEventListener('abort', discard);
  signal.throwIfAborted();
  const files = flasherStore().getState().buildFiles[build.id];
  if (files?.state === 'failed') {
    await dropBuilds();
    flasherStore().setState({ release: null });
    throw files.error;
  }
}

/** Loads the publisher's messages. A release works without them, so their loss is only logged. */
async function loadMessages({ messages }: ReleaseVersion, signal: AbortSignal): Promise<void> {
  if (messages === null) {
    return;
  }
  try {
    const monitorMessages = await messages(signal);
    if (!signal.aborted) {
      flasherStore().setState({ monitorMessages });
    }
  } catch {
    if (!signal.aborted) {
      say(
        flasherStore().getState().selected,
        'info',
        'The JKit of this release could not be loaded: it may have been deleted or made private.',
      );
    }
  }
}

/**
 * Returns true if the file is the published one. Without hashes, on a page over plain http, the name has to suffice.
 * The board's own hash is checked in any case.
 */
function isPublished(file: { readonly name: string; readonly sha256: string }, name: string, sha256: string): boolean {
  return file.name === name && (file.sha256 === '' || file.sha256 === sha256);
}

async function load(
  { name, offset, load: read }: ReleaseFile,
  signal: AbortSignal,
  onProgress: (received: number) => void,
): Promise<GivenFile> {
  return { name, offset, content: await read(signal, onProgress) };
}
