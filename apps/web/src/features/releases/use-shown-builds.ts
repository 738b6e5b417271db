import { buildLimits, type Project, releaseLimits } from '@wirebench/contract';
import { type ShownBuild, simpleBuild, targetOf } from './model/build-drafts.ts';
import { shownRows, type VersionDraft } from './model/version-draft.ts';
import { useFileFacts } from './use-file-facts.ts';

/** Returns the builds of the draft with their rows. The simple form is one build for the project's model. */
export function useShownBuilds(
  draft: VersionDraft,
  project: Project,
): readonly (ShownBuild & { readonly warnings: readonly string[] })[] {
  const hasBuilds = draft.builds.length > 0;
  const drafted = (hasBuilds ? draft.builds : [simpleBuild(draft, project)]).map((build) => ({
    ...build,
    target: targetOf(build, project),
  }));
  const read = useFileFacts(
    drafted.map(({ rows, target }) => ({ files: rows.flatMap(({ file }) => file ?? []), target })),
  );
  const maxFiles = hasBuilds ? buildLimits.files : releaseLimits.files;
  return drafted.map((build, index) => {
    const { byFile = new Map(), warnings = [] } = read[index] ?? {};
    const rows = { rows: build.rows, nextRowId: draft.nextRowId };
    return { ...build, shown: shownRows(rows, build.target, byFile, maxFiles), warnings };
  });
}
