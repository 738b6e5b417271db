/** An opened file system with its planned edits: the connection between the view and the worker. */
import { addEdits, type FileEdit, type FileSystemKind, isSystemFile } from '@wirebench/flasher/file-systems';
import type { FileContent, FileSystemState } from '../../../protocol/file-system-protocol.ts';
import { changedFilesText } from '../../../shared/files/changed-files.ts';
import type { LocalFile } from '../../../shared/files/local-files.ts';
import { saveFile } from '../../../shared/files/save-file.ts';
import { sizeText } from '../../../shared/format/bytes.ts';
import { counted } from '../../../shared/format/numbers.ts';
import { pageStore } from '../../../shared/page-store.ts';
import { fileSystemLine, nextFileSystemId } from '../../../workbench/file-system-line.ts';
import { noteOrigin } from '../store/disk-files.ts';
import type { FilesDraft } from './planned-files.ts';

interface Shown {
  /** Null until the partition is mounted. */
  readonly state: FileSystemState | null;
  /** Sentence about the last action that failed; null without one. */
  readonly failure: string | null;
  /** Sentence about the last action that was done. */
  readonly done: string;
  readonly isBusy: boolean;
  /** Counts the edits that did not come from typing, so that an opened file is read again. */
  readonly revision: number;
}

/** Contents of the partition as they were read or written. */
interface ReadFiles {
  readonly bytes: Uint8Array;
  /** 32 lower-case hexadecimal digits: the basis of a change. */
  readonly md5: string;
}

const nothing: FilesDraft = [];

export class FilesSession {
  readonly store = pageStore<Shown>({ state: null, failure: null, done: '', isBusy: true, revision: 0 });
  /** Newest contents. */
  #contents: ReadFiles;
  /** MD5 of the contents that the edits are made on. */
  #basis = '';
  readonly #report: (edits: FilesDraft, state: FileSystemState, md5: string) => void;
  /** 0 while it is closed. */
  #id = 0;
  #edits: FilesDraft;
  /** Edits that the owner of the draft has. */
  #reported: FilesDraft;
  #queue: Promise<unknown> = Promise.resolve();
  /** Text that waits for the worker, by path. */
  readonly #typed = new Map<string, Uint8Array>();

  /**
   * @param edits Edits that are planned already.
   * @param report Receives edits, state, and the hash of the contents that they were made on, after each change.
   */
  constructor(
    contents: ReadFiles,
    edits: FilesDraft,
    report: (edits: FilesDraft, state: FileSystemState, md5: string) => void,
  ) {
    this.#contents = contents;
    this.#edits = edits;
    this.#reported = edits;
    this.#report = report;
  }

  /** Mounts the partition and carries out the planned edits. */
  open(): void {
    const id = nextFileSystemId();
    this.#id = id;
    void this.#run(() => this.#mount(id, this.#edits, true));
  }

  async #mount(id: number, planned: FilesDraft, isRead: boolean): Promise<void> {
    const { bytes, md5 } = this.#contents;
    await fileSystemLine().call('open', id, bytes);
    this.#basis = md5;
    try {
      await this.#apply(planned, isRead);
    } catch (error) {
      if (planned.length === 0) {
        throw error;
      }
      await this.#apply(nothing, true);
      const failure = 'The planned changes no longer fit what is on the board, and were dropped.';
      this.store.setState({ failure });
    }
  }

  /**
   * Takes what the board holds now, and the edits that are planned still. After a write of its own edits the opened
   * file stays as it is, with the focus.
   */
  take(contents: ReadFiles, draft: FilesDraft | null): void {
    if (contents.md5 === this.#contents.md5) {
      this.adopt(draft);
      return;
    }
    const edits = draft ?? nothing;
    const isWritten = this.#edits.length > 0 && edits.length === 0;
    this.#contents = contents;
    this.#reported = edits;
    this.#typed.clear();
    void this.#run(async () => {
      void fileSystemLine().call('close', this.#id);
      this.#id = nextFileSystemId();
      await this.#mount(this.#id, edits, !isWritten);
    });
  }

  close(): void {
    void fileSystemLine().call('close', this.#id);
    this.#id = 0;
  }

  /** Takes edits that another part of the page changed, such as *Undo all*. */
  adopt(draft: FilesDraft | null): void {
    const edits = draft ?? nothing;
    if (edits === this.#reported || (edits.length === 0 && this.#reported.length === 0)) {
      return;
    }
    this.#reported = edits;
    this.#typed.clear();
    void this.#run(() => this.#apply(edits, true));
  }

  /**
   * Adds edits. If one of them is impossible, none is made, and the sentence is shown.
   * @param done Sentence when they are made.
   * @returns True: they are made.
   */
  edit(edits: readonly FileEdit[], done = ''): Promise<boolean> {
    return this.#run(async () => {
      await this.#apply(addEdits(this.#edits, edits), true);
      this.store.setState({ done });
    });
  }

  /** Replaces a file with typed text. Only the newest of the texts that wait for the worker is applied. */
  type(path: string, bytes: Uint8Array): void {
    const isWaiting = this.#typed.has(path);
    this.#typed.set(path, bytes);
    if (!isWaiting) {
      void this.#run(async () => {
        const newest = this.#typed.get(path);
        this.#typed.delete(path);
        if (newest === undefined) {
          return;
        }
        try {
          await this.#apply(addEdits(this.#edits, [{ kind: 'write', path, bytes: newest }]), false);
        } catch (error) {
          const why = error instanceof Error ? error.message : String(error);
          throw new Error(`${why} The plan has the text as it was before.`, { cause: error });
        }
      });
    }
  }

  /** Takes all edits back. */
  reset(): void {
    this.#typed.clear();
    void this.#run(() => this.#apply(nothing, true));
  }

  /** Reads local files and puts them into a folder of the tree. */
  async upload(local: readonly LocalFile[], folder: string): Promise<void> {
    const wanted = local.filter(({ path }) => !isSystemFile(path));
    const total = this.store.getState().state?.usage?.total ?? 0;
    const size = wanted.reduce((sum, { file }) => sum + file.size, 0);
    if (wanted.length === 0) {
      this.refuse('No files were found. Nothing was changed.');
      return;
    }
    // Larger files are not even read.
    if (size > total) {
      const what = `${counted(wanted.length, 'file')}, ${sizeText(size)} together`;
      this.refuse(`${what}: the file system has ${sizeText(total)}. Nothing was changed.`);
      return;
    }
    let edits: FileEdit[];
    try {
      edits = await Promise.all(
        wanted.map(async ({ path, file }): Promise<FileEdit> => {
          const bytes = new Uint8Array(await file.arrayBuffer());
          noteOrigin(bytes, [{ name: path, content: file }]);
          return { kind: 'write', path: `${folder}${path}`, bytes };
        }),
      );
    } catch (error) {
      console.warn('A file cannot be read.', error);
      const named = await changedFilesText(wanted.map(({ path, file }) => ({ name: path.replace(/^\//, ''), file })));
      this.refuse(`${named ?? 'A file could not be read. Choose it again.'} Nothing was changed.`);
      return;
    }
    const left = local.length - wanted.length;
    const note = left === 0 ? '' : ` ${counted(left, 'file')} of the operating system left out.`;
    await this.edit(edits, `${counted(wanted.length, 'file')} added to the plan, ${sizeText(size)}.${note}`);
  }

  /** Shows why an action was not done. */
  refuse(failure: string): void {
    this.store.setState({ failure, done: '' });
  }

  /** @param wearLevelling False: a new FAT has no wear levelling of ESP-IDF. */
  format(as: FileSystemKind, wearLevelling: boolean): Promise<boolean> {
    return this.edit([{ kind: 'format', as, ...(!wearLevelling && { wearLevelling }) }]);
  }

  /** @throws CallError with the sentence for a damaged file. */
  async read(path: string, limit: number): Promise<FileContent> {
    // After the edits that wait.
    await this.#queue;
    return fileSystemLine().call('read', this.#id, path, limit);
  }

  /** Saves a file as it is with the edits. */
  save(path: string): void {
    void this.#run(async () => {
      const { bytes } = await fileSystemLine().call('read', this.#id, path, Number.POSITIVE_INFINITY);
      saveFile(new Blob([bytes as Uint8Array<ArrayBuffer>]), path.split('/').at(-1) ?? 'file');
      this.store.setState({ done: `${path} is saved to your downloads.` });
    });
  }

  /** Saves all files as a zip, as they are with the edits. */
  saveAll(name: string): void {
    void this.#run(async () => {
      const { zipFiles } = await import('../../../workbench/recording/zip-files.ts');
      const { files, damaged, folders } = await fileSystemLine().call('readAll', this.#id);
      const lastModified = Date.now();
      const empty = new Blob([]);
      const entries = [
        ...folders.map((path) => ({ name: `${path.slice(1)}/`, content: empty, lastModified })),
        ...files.map(({ path, bytes }) => ({
          name: path.replace(/^\//, ''),
          content: new Blob([bytes as Uint8Array<ArrayBuffer>]),
          lastModified,
        })),
      ];
      saveFile(await zipFiles(entries, () => undefined), `${name}.zip`);
      const planned = this.#edits.length > 0 ? ', with the changes that are not written yet' : '';
      const lost = damaged.length > 0 ? ` Damaged and left out: ${damaged.join(', ')}.` : '';
      this.store.setState({ done: `${counted(files.length, 'file')} saved as ${name}.zip${planned}.${lost}` });
    });
  }

  async #apply(edits: FilesDraft, isRead: boolean): Promise<void> {
    const state = await fileSystemLine().call('apply', this.#id, edits);
    this.#edits = state.isChanged ? edits : nothing;
    if (this.#reported.length > 0 || this.#edits.length > 0) {
      this.#reported = this.#edits;
      this.#report(this.#edits, state, this.#basis);
    }
    this.store.setState(({ revision }) => ({ state, revision: revision + (isRead ? 1 : 0) }));
  }

  /** Does the work after earlier work. Failures become sentences. */
  #run(work: () => Promise<void>): Promise<boolean> {
    const done = this.#queue.then(async () => {
      if (this.#id === 0) {
        return false;
      }
      this.store.setState({ isBusy: true, failure: null, done: '' });
      try {
        await work();
        return true;
      } catch (error) {
        this.store.setState({ failure: error instanceof Error ? error.message : String(error) });
        return false;
      } finally {
        this.store.setState({ isBusy: false });
      }
    });
    this.#queue = done;
    return done;
  }
}
