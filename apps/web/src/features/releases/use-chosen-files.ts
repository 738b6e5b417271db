/** Adds files to a draft: chosen one by one, dropped, or from the folder of a build. Collects the notes about them. */
import { useState } from 'react';
import type { DroppedEntry } from './dropped-entries.ts';
import type { FlashTarget } from './model/suggest-offsets.ts';
import { type Added, addFiles, replaceFiles, type VersionDraft } from './model/version-draft.ts';
import { type BuildOutput, readBuildOutput } from './read-build-output.ts';

export interface ChosenFiles {
  /** Reason why a file was refused; null if all were accepted. */
  readonly refusal: string | null;
  /** Output of the last dropped build; null if single files were dropped. */
  readonly build: BuildOutput | null;
  /** True while dropped files are read. */
  readonly reading: boolean;
  /** Puts the first file into a row and adds rows for the others. */
  readonly choose: (rowId: number, files: readonly File[]) => void;
  /** Reads dropped files. A folder contains a complete build and replaces the rows. Single files are added. */
  readonly drop: (entries: Promise<readonly DroppedEntry[]>, isFolder: boolean) => Promise<void>;
}

export function useChosenFiles(
  target: FlashTarget,
  onChange: (change: (draft: VersionDraft) => VersionDraft) => void,
): ChosenFiles {
  const [refusal, setRefusal] = useState<string | null>(null);
  const [build, setBuild] = useState<BuildOutput | null>(null);
  const [reading, setReading] = useState(false);

  /** Applies to the current rows, because the user may have typed during the reading. */
  const take = (add: (draft: VersionDraft) => Added) => {
    const refusals: (string | null)[] = [];
    onChange((before) => {
      const { draft, refusal: reason } = add(before);
      refusals.push(reason);
      return draft;
    });
    setRefusal(refusals.at(-1) ?? null);
  };
  const choose = (rowId: number, files: readonly File[]) => {
    const chosen = files.map((file) => ({ file, offset: null }));
    setBuild(null);
    take((draft) => addFiles(draft, chosen, rowId));
  };
  const drop = async (entries: Promise<readonly DroppedEntry[]>, isFolder: boolean) => {
    setReading(true);
    setRefusal(null);
    setBuild(null);
    try {
      const output = await readBuildOutput(await entries, target);
      const { files, list, notes } = output;
      setBuild(output);
      if (files.length > 0) {
        take((draft) => (isFolder || list !== null ? replaceFiles(draft, files) : addFiles(draft, files)));
      } else if (notes.length === 0) {
        setRefusal('None of the dropped files is a .bin file.');
      }
    } catch (error) {
      console.warn('The dropped files could not be read.', error);
      setRefusal('The files could not be read. Choose them again.');
    } finally {
      setReading(false);
    }
  };
  return { refusal, build, reading, choose, drop };
}
