import { Button } from '../../../shared/ui/button.tsx';
import { setConnectFailure } from '../../../workbench/port-picker/connect-failures.ts';
import { connectPicked } from '../../../workbench/port-picker/connect-port.ts';
import { FailureStrip } from './failure-strip.tsx';
import type { PortFailureProps } from './port-busy.tsx';

/** Remedy: the browser denied access, by a site setting or by a policy of its administrator. */
export function PermissionDenied({ port, failure }: PortFailureProps) {
  return (
    <FailureStrip
      port={port}
      topic="permission-denied"
      title="This browser does not let the page open serial ports."
      actions={
        <Button size="sm" onClick={() => void connectPicked(port, failure.settings)}>
          Try again
        </Button>
      }
      onDismiss={() => setConnectFailure(port, null)}
    >
      <p>
        Open the site settings from the icon left of the address and set Serial ports to Ask. In a browser managed by an
        organisation, only its administrators may be able to allow it.
      </p>
    </FailureStrip>
  );
}
