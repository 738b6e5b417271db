import { guidancePath } from '@wirebench/contract/constants';
import { RotateCw, Unplug } from 'lucide-react';
import { Button } from '../shared/ui/button.tsx';
import { classNames } from '../shared/ui/class-names.ts';
import message from '../shared/ui/message-page.module.css';
import { browserName } from '../shared/ui/run-failure.ts';
import styles from './failure-page.module.css';
import { PageLoadError } from './lazy-page.ts';

/**
 * Kind of failure: a page whose code did not arrive, code that the browser could not run, or a page that was running.
 */
type FailureKind = PageLoadError['kind'] | 'stopped';

const heading = {
  'not-loaded': 'This page could not be loaded',
  'not-run': 'This browser could not run this page',
  stopped: 'Something went wrong on this page',
} satisfies Record<FailureKind, string>;

const remedy = {
  'not-loaded': () =>
    'The server did not answer, or a newer version has replaced this one. Check the connection, then reload.',
  'not-run': () => {
    const name = browserName();
    return `${name === null ? '' : `This is ${name}. `}Update the browser, or use a current Chrome, Edge or Firefox, then reload.`;
  },
  stopped: () => 'Reload to start it again. What you saved is kept.',
} satisfies Record<FailureKind, () => string>;

/** Stands where a page failed: says what happened, and reloads. */
export function FailurePage({ error }: { readonly error: unknown }) {
  const kind = error instanceof PageLoadError ? error.kind : 'stopped';
  return (
    <section className={classNames(message['page'], styles['failure'])} role="alert">
      <Unplug />
      <h1>{heading[kind]}</h1>
      <p>{remedy[kind]()}</p>
      {kind === 'not-loaded' || !(error instanceof Error) ? null : <code>{error.message}</code>}
      <Button variant="primary" icon={<RotateCw />} onClick={() => location.reload()}>
        Reload
      </Button>
      {kind === 'not-loaded' ? (
        <a className="link" href={guidancePath('extension-conflicts')}>
          Other things to check
        </a>
      ) : null}
    </section>
  );
}
