import { Notice } from '../../shared/ui/notice.tsx';
import type { ReleaseVersion, ServerRelease } from '../../workbench/release/release.ts';

export interface OwnerNoticeProps {
  readonly release: ServerRelease;
  readonly version: ReleaseVersion | null;
}

/** Informs the owner of facts that strangers do not see: the visibility of the release, and the effect of a change. */
export function OwnerNotice({ release: { type, project, versions, owned }, version }: OwnerNoticeProps) {
  if (owned?.isPublic === false) {
    const waiting = versions.filter(({ shareId }) => shareId !== null).map((each) => each.version);
    return (
      <Notice level="warning" title={`${project.name} is private: only you can see this page.`}>
        {waiting.length === 0
          ? 'Anyone else who opens its link sees no release.'
          : `When you make it public, ${waiting.length === 1 ? 'this version becomes' : 'these versions become'} visible too: ${waiting.join(', ')}.`}
      </Notice>
    );
  }
  if (version !== null && version.shareId === null) {
    return (
      <Notice level="warning" title={`Version ${version.version} is private: only you can see it.`}>
        {type === 'version' ? 'Anyone else who opens its link sees no release.' : 'The project link does not show it.'}
      </Notice>
    );
  }
  return null;
}
