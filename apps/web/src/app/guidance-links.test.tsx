import { cleanup, render } from '@testing-library/react';
import { type GuidanceTopic, guidancePath, guidanceTopics } from '@wirebench/contract/constants';
import { defaultPortSettings } from '@wirebench/port';
import type { ReactNode } from 'react';
import { afterEach, expect, it } from 'vitest';
import { failureTopics, findingTopics } from '../features/flasher/families/esp/failures/guidance-topics.ts';
import { InsecureContext } from '../features/terminal/failures/insecure-context.tsx';
import {
  DeviceGone,
  NoMemory,
  NothingPicked,
  PermissionDenied,
  PortBusy,
} from '../features/terminal/failures/remedies.tsx';
import { UnsupportedBrowser } from '../features/terminal/unsupported-browser.tsx';
import type { ConnectFailure } from '../workbench/port-picker/connect-failures.ts';
import { fakeBench } from '../workbench/testing/fake-bench.ts';
import { FailurePage } from './failure-page.tsx';
import { PageLoadError } from './lazy-page.ts';

fakeBench();

const topics = Object.keys(guidanceTopics) as GuidanceTopic[];

/** The topics that `shown` leads to, by its links. */
function linked(shown: ReactNode): GuidanceTopic[] {
  const { container, unmount } = render(shown);
  const targets = [...container.querySelectorAll('a')].map((link) => link.getAttribute('href'));
  unmount();
  return topics.filter((topic) => targets.includes(guidancePath(topic)));
}

const failed = (code: ConnectFailure['code']) => ({
  port: 1 as const,
  failure: { code, source: null, settings: defaultPortSettings },
});

afterEach(cleanup);

const notFetched = new TypeError('Failed to fetch dynamically imported module: /assets/page.js');

it.each<[string, ReactNode, GuidanceTopic]>([
  ['a port that another program holds', <PortBusy key="" {...failed('busy')} />, 'port-access-denied'],
  ['a browser that refuses', <PermissionDenied key="" {...failed('permission-denied')} />, 'permission-denied'],
  ['a board that is gone', <DeviceGone key="" {...failed('device-gone')} />, 'device-not-found'],
  ['a board that is not in the list', <NothingPicked key="" {...failed('nothing-picked')} />, 'device-not-found'],
  ['a buffer that is not to be had', <NoMemory key="" {...failed('no-memory')} />, 'memory-errors'],
  ['a page over plain http', <InsecureContext key="" port={1} />, 'serial-access-blocked'],
  ['a browser without serial ports', <UnsupportedBrowser key="" port={1} />, 'serial-access-blocked'],
  ['a page that does not load', <FailurePage key="" error={new PageLoadError(notFetched)} />, 'extension-conflicts'],
])('%s leads to its remedy', (_failure, shown, topic) => {
  expect(linked(shown)).toEqual([topic]);
});

it('every guidance topic is what some failure leads to', () => {
  const led = new Set<GuidanceTopic | null | undefined>([
    ...Object.values(failureTopics),
    ...Object.values(findingTopics),
    'memory-errors',
    'serial-access-blocked',
    'extension-conflicts',
  ]);
  expect(topics.filter((topic) => !led.has(topic))).toEqual([]);
});
