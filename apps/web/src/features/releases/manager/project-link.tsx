import type { Project } from '@wirebench/contract';
import { Copy, ExternalLink } from 'lucide-react';
import { useId } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { buttonClass } from '../../../shared/ui/button-class.ts';
import { TextInput } from '../../../shared/ui/text-input.tsx';
import { LinkEnd } from './link-end.tsx';
import styles from './project-link.module.css';
import { PublishAnswer } from './publish-answer.tsx';
import { ownerPage, shareLink } from './release-links.ts';
import { useCopyShareLink } from './use-copy-share-link.ts';

/**
 * The link of a public project. For a private one, a preview of the link. The owner can open the release page in both
 * cases.
 */
export function ProjectLink({ project }: { readonly project: Project }) {
  const { _id: id, name, shareId, shareEndsAt, isPublic, versions } = project;
  const fieldId = useId();
  const { isPending, mutate } = useCopyShareLink('project', id, name);
  const beta = useCopyShareLink('project', id, `${name} with beta versions`, 'beta');
  const page = (
    <a
      href={ownerPage('project', project, isPublic)}
      target="_blank"
      rel="noopener"
      className={buttonClass()}
      aria-label={`Open page of ${name}, opens in a new tab`}
    >
      <ExternalLink />
      Open page
    </a>
  );
  if (!isPublic) {
    return (
      <div className={styles['private']}>
        <PublishAnswer project={project} />
        {page}
      </div>
    );
  }
  return (
    <>
      <PublishAnswer project={project} />
      <div className={styles['link']}>
        <label htmlFor={fieldId} className="silk">
          Project link
        </label>
        <TextInput
          id={fieldId}
          mono
          readOnly
          value={shareLink(location.origin, 'project', shareId)}
          onFocus={(event) => event.currentTarget.select()}
        />
        <Button icon={<Copy />} busy={isPending} aria-label={`Copy the link of ${name}`} onClick={() => mutate()}>
          Copy
        </Button>
        {page}
      </div>
      {versions.some(({ isPublic: isShown, channel }) => isShown && channel === 'beta') ? (
        <p className="small">
          It follows stable versions.{' '}
          <Button size="sm" variant="quiet" icon={<Copy />} busy={beta.isPending} onClick={() => beta.mutate()}>
            Copy the beta link
          </Button>
        </p>
      ) : null}
      <LinkEnd endsAt={shareEndsAt} />
    </>
  );
}
