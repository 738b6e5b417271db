/**
 * Adds files to a draft: chosen one by one, dropped, or from the output of a build. Collects the notes about them. The
 * reader of builds is loaded with the first drop.
 */
import { useState } from 'react';
import {
  addBuildFiles,
  addFilesOfAnyFormat,
  type ProjectDevice,
  type ProposedBuild,
  takeProposals,
  takesAllFormats,
} from './build-drafts.ts';
import type { DroppedEntry } from './dropped-entries.ts';
import type { BuildOutput } from './propose-builds.ts';
import { type Added, addFiles, statesAddresses, type VersionDraft } from './version-draft.ts';

export interface ChosenFiles {
  /** Reason why a file was refused; null if all were accepted. */
  readonly refusal: string | null;
  /** Output of the last dropped build; null if single files were dropped. */
  readonly output: BuildOutput | null;
  /** True while dropped files are read. */
  readonly reading: boolean;
  /**
   * Puts the first file into a row and adds rows for the others.
   * @param buildId Build of the row; null for the simple form.
   */
  readonly choose: (buildId: number | null, rowId: number, files: readonly File[]) => void;
  /** Reads dropped files. A folder or an archive contains complete builds. Single files are added. */
  readonly drop: (entries: Promise<readonly DroppedEntry[]>, isFolder: boolean) => Promise<void>;
}

export function useChosenFiles(
  project: ProjectDevice,
  onChange: (change: (draft: VersionDraft) => VersionDraft) => void,
): ChosenFiles {
  const [refusal, setRefusal] = useState<string | null>(null);
  const [output, setOutput] = useState<BuildOutput | null>(null);
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
  const choose = (buildId: number | null, rowId: number, files: readonly File[]) => {
    const chosen = files.map((file) => ({ file, offset: null }));
    setOutput(null);
    take((draft) => {
      if (buildId !== null) {
        return addBuildFiles(draft, buildId, chosen, rowId);
      }
      return takesAllFormats(project)
        ? addFilesOfAnyFormat(draft, chosen, rowId, project)
        : addFiles(draft, chosen, rowId);
    });
  };
  const drop = async (entries: Promise<readonly DroppedEntry[]>, isFolder: boolean) => {
    setReading(true);
    setRefusal(null);
    setOutput(null);
    try {
      const { proposeBuilds } = await import('./propose-builds.ts');
      const dropped = await entries;
      const found = await proposeBuilds(dropped, project);
      setOutput(found);
      if (found.builds.length > 0) {
        const isComplete = isFolder || found.list !== null || dropped.some(({ path }) => /\.zip$/i.test(path));
        take((draft) => added(draft, found.builds, isComplete, project));
      } else if (found.notes.length === 0) {
        setRefusal('None of the dropped files is a firmware file.');
      }
    } catch (error) {
      console.warn('The dropped files could not be read.', error);
      setRefusal('The files could not be read. Choose them again.');
    } finally {
      setReading(false);
    }
  };
  return { refusal, output, reading, choose, drop };
}

/**
 * Takes the output of a build as builds. Single files are added: to the simple form while they are for its chip, else
 * to the build for their chip.
 */
function added(
  draft: VersionDraft,
  builds: readonly ProposedBuild[],
  isComplete: boolean,
  project: ProjectDevice,
): Added {
  const [only, second] = builds;
  if (isComplete || only === undefined || second !== undefined) {
    return takeProposals(draft, builds, project);
  }
  const { deviceModel, files } = only;
  if (draft.builds.length === 0) {
    const isSimple = (deviceModel ?? project.deviceModel) === project.deviceModel;
    const isBin = files.every(({ file }) => !statesAddresses(file));
    return isSimple && isBin ? addFiles(draft, files) : takeProposals(draft, builds, project);
  }
  const own = draft.builds.filter((build) => build.deviceModel === deviceModel);
  if (own[0] !== undefined && own.length === 1) {
    return addBuildFiles(draft, own[0].id, files);
  }
  const names = files.map(({ file }) => `"${file.name}"`).join(', ');
  return deviceModel !== null && own.length === 0
    ? takeProposals(draft, builds, project)
    : { draft, refusal: `It is not certain which build ${names} belongs to. Choose it in a row of that build.` };
}
