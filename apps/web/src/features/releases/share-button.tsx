import { Share2 } from 'lucide-react';
import { Button } from '../../shared/ui/button.tsx';
import { Tooltip } from '../../shared/ui/tooltip.tsx';
import type { ItemType } from './release-texts.ts';
import { useCopyShareLink } from './use-copy-share-link.ts';

export interface ShareButtonProps {
  readonly type: ItemType;
  readonly id: string;
  /** Name of the shared item: `weather-node`, `version 1.4.0`. */
  readonly what: string;
  /** Reason why there is no link; null if there is one. */
  readonly locked: string | null;
}

/** Copies the share link. For a private item it only explains why there is no link. */
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
