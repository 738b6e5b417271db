import { modelName } from '@wirebench/boards';
import { Notice } from '../../../shared/ui/notice.tsx';
import type { BuildOutput } from './propose-builds.ts';

/** Shows the notes of the build output, including the parts that did not fit. */
export function BuildNotes({ output }: { readonly output: BuildOutput | null }) {
  if (output === null) {
    return null;
  }
  const { builds, list, notes } = output;
  const chips = [...new Set(builds.flatMap(({ deviceModel }) => deviceModel ?? []))].map(modelName);
  const title =
    builds.length > 1
      ? `Found ${builds.length} builds: ${chips.join(', ')}.`
      : list === null
        ? undefined
        : `Filled in from ${list}.`;
  return notes.length === 0 && title === undefined ? null : (
    <Notice level={notes.length === 0 ? 'success' : 'warning'} title={title}>
      {notes.join(' ')}
    </Notice>
  );
}
