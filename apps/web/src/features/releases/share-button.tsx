import { Share2 } from 'lucide-react';
import { Button } from '../../shared/ui/button.tsx';
import { Tooltip } from '../../shared/ui/tooltip.tsx';
import { type ItemType, releaseFailureText } from './release-texts.ts';
import { useAct } from './use-act.ts';

export interface ShareButtonProps {
  readonly type: ItemType;
  /** What is shared: `weather-node`, `version 1.4.0`. */
  readonly what: string;
  /** Why there is no link to share; null when there is one. */
  readonly locked: string | null;
  readonly share: () => Promise<void>;
}

/** Copies the share link. Of what is private it says why there is none, and does nothing. */
export function ShareButton({ type, what, locked, share }: ShareButtonProps) {
  const { busy, run } = useAct(releaseFailureText.share(type));
  return (
    <Tooltip text={locked ?? `Copy the link to ${what}`}>
      {(anchor) => (
        <Button
          {...anchor}
          size="sm"
          icon={<Share2 />}
          busy={busy}
          aria-label={`Share ${what}`}
          aria-disabled={locked !== null || undefined}
          onClick={() => void run(share)}
        >
          Share
        </Button>
      )}
    </Tooltip>
  );
}
