import { publicConfig } from '../../../shared/config/public-config.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { useAsync } from '../../../shared/ui/use-async.ts';
import { PublishWays, type PublishWaysProps } from '../../../workbench/release/publish-ways.tsx';

export interface ShareDialogProps {
  /** Name of the shared item: `weather-node`, `version 1.4.0`. */
  readonly what: string;
  readonly release: Omit<PublishWaysProps['release'], 'apiUrl'>;
  /** True: the link is in the clipboard. False: the browser did not copy it. */
  readonly isCopied: boolean;
  readonly open: boolean;
  readonly onClose: () => void;
  /** Opens the settings of the link, with its expiry. */
  readonly onSettings: () => void;
}

/** *Share*: says what was copied, and offers every other way to hand the release on. */
export function ShareDialog({ what, release, isCopied, open, onClose, onSettings }: ShareDialogProps) {
  const apiUrl = useAsync([], async () => (await publicConfig()).apiUrl);
  return (
    <Dialog open={open} onClose={onClose} title={`Share ${what}`} size="lg">
      <p>
        {isCopied ? <b>The link to {what} is copied.</b> : <b>The link to {what} is not copied yet.</b>} Anyone with the
        link can open it. It is listed nowhere.
      </p>
      <PublishWays release={{ ...release, apiUrl: apiUrl ?? '' }} installable={false} />
      <div className="buttons">
        <Button onClick={onSettings}>Change the expiry</Button>
      </div>
    </Dialog>
  );
}
