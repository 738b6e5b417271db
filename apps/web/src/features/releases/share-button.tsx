import { Share2 } from 'lucide-react';
import { Button } from '../../shared/ui/button.tsx';
import { Tooltip } from '../../shared/ui/tooltip.tsx';
import type { ItemType } from './release-texts.ts';
import { useCopyShareLink } from './use-copy-share-link.ts';

export interface ShareButtonProps {
  readonly type: ItemType;
  readonly id: string;
  /** What is shared: `weather-node`, `version 1.4.0`. */
  readonly what: string;
  /** Why there is no link to share; null when there is one. */
  readonly locked: string | null;
}

/** Copies the share link. Of what is private it says why there is none, and does nothing. */
export function ShareButton({ type, id, what, locked }: ShareButtonProps) {
  const { isPending, mutate } = useCopyShareLink(type, id, what);
  return (
    <Tooltip text={locked ?? `Copy the link to ${what}`}>
      {(anchor) => (
        <Button
          {...anchor}
          size="sm"
          icon={<Share2 />}
          busy={isPending}
          aria-label={`Share ${what}`}
          aria-disabled={locked !== null || undefined}
          onClick={() => mutate()}
        >
          Share
        </Button>
      )}
    </Tooltip>
  );
}
