import { guidancePath } from '@wirebench/contract/constants';
import { RotateCw, Unplug } from 'lucide-react';
import { Button } from '../shared/ui/button.tsx';
import { classNames } from '../shared/ui/class-names.ts';
import message from '../shared/ui/message-page.module.css';
import styles from './failure-page.module.css';
import { PageLoadError } from './lazy-page.ts';

/** Stands where a page failed: says what happened, and reloads. */
export function FailurePage({ error }: { readonly error: unknown }) {
  const notLoaded = error instanceof PageLoadError;
  return (
    <section className={classNames(message['page'], styles['failure'])} role="alert">
      <Unplug />
      <h1>{notLoaded ? 'This page could not be loaded' : 'Something went wrong on this page'}</h1>
      <p>
        {notLoaded
          ? 'The server did not answer, or it has a newer version by now. Check the connection, then reload.'
          : 'Reload to start it again. What you saved is kept.'}
      </p>
      {notLoaded || !(error instanceof Error) ? null : <code>{error.message}</code>}
      <Button variant="primary" icon={<RotateCw />} onClick={() => location.reload()}>
        Reload
      </Button>
      {notLoaded ? (
        <a className="link" href={guidancePath('extension-conflicts')}>
          What else can be wrong
        </a>
      ) : null}
    </section>
  );
}
