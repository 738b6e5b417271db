/** The pictures of the documentation: the screen that each shows, and the part of it. Used by `npm run pictures`. */

import type { Locator, Page } from '@playwright/test';
import { releasePath } from '@wirebench/boards';
import * as flasher from './flasher-screens.ts';
import * as lab from './lab-screens.ts';
import * as releases from './release-screens.ts';
import * as sharing from './sharing-screens.ts';
import * as terminal from './terminal-screens.ts';

export interface DocsPicture {
  readonly screen: (page: Page) => Promise<void>;
  /** Window size in pixels. */
  readonly window: { readonly width: number; readonly height: number };
  /** Part of the screen in the picture; defaults to the whole window. */
  readonly part?: (page: Page) => Locator;
}

/** Shows a whole tool with its panes. */
const wide = { width: 1_060, height: 680 };
/** Shows the console without the panels beside it. */
const console = { width: 860, height: 570 };
/** Shows the lab's bench with all instruments docked. */
const docked = { width: 1_280, height: 800 };
/** Shows the lab's bench with its instruments in tabs. */
const tabbed = { width: 1_060, height: 700 };

const region = (name: string) => (page: Page) => page.getByRole('region', { name, exact: true });

/**
 * Returns all pictures by name.
 *
 * @param example Share ID of the project of `examples.ts`.
 */
export function docsPictures(example: string): Readonly<Record<string, DocsPicture>> {
  return {
    terminal: { screen: terminal.twoBoards, window: wide },
    'terminal-find': { screen: terminal.finding, window: { ...console, height: 600 } },
    'terminal-hex': { screen: terminal.inHex, window: console },
    'terminal-panel': {
      screen: terminal.withPanel,
      window: wide,
      part: (page) => page.getByRole('region', { name: 'Panels' }).getByRole('region', { name: 'Panel 1' }),
    },
    'jkit-library': {
      screen: terminal.inLibrary,
      window: wide,
      part: (page) => page.getByRole('dialog', { name: 'JKit library' }),
    },
    'terminal-plot': { screen: terminal.plotting, window: { ...console, height: 640 } },
    'terminal-crash': { screen: terminal.crashed, window: { ...console, height: 600 } },
    'terminal-core-dump': { screen: terminal.dumped, window: { ...console, height: 700 } },
    'share-terminal': {
      screen: sharing.sharing,
      window: { ...docked, height: 760 },
      part: (page) => page.getByRole('dialog', { name: 'Share this bench' }),
    },
    'share-guest': { screen: sharing.watching, window: { ...console, height: 570 } },
    'share-flasher': { screen: sharing.sharingFlasher, window: { width: 720, height: 565 } },
    'flasher-plan': { screen: flasher.planned, window: { width: 1_080, height: 660 } },
    'flasher-done': { screen: flasher.done, window: { width: 1_080, height: 820 } },
    releases: { screen: releases.projects, window: wide },
    'releases-new-version': {
      screen: releases.newVersion,
      // The whole form, below the header that stays at the top.
      window: { ...wide, height: 1_200 },
      part: (page) => page.getByRole('form', { name: 'New version' }),
    },
    'release-page': {
      screen: async (page) => {
        await page.goto(releasePath('project', example));
        await page.getByRole('link', { name: 'Install', exact: true }).waitFor();
      },
      window: { width: 1_120, height: 640 },
    },
    lab: { screen: lab.atWork, window: { ...docked, height: 660 } },
    'lab-pins': { screen: lab.driven, window: { ...docked, height: 960 }, part: region('Pins') },
    'lab-i2c': { screen: lab.scanned, window: { ...docked, height: 1_040 }, part: region('I2C') },
    'lab-analog': { screen: lab.sampling, window: tabbed, part: region('Analog') },
    'lab-counter': { screen: lab.counting, window: { ...tabbed, height: 560 }, part: region('Counter') },
    'lab-spi': { screen: lab.exchanged, window: { ...tabbed, height: 560 }, part: region('SPI') },
    'lab-uart': { screen: lab.bridged, window: tabbed, part: region('Bus log') },
    'lab-capture': { screen: lab.captured, window: { ...tabbed, height: 820 }, part: region('Logic capture') },
    'lab-device': { screen: lab.measured, window: tabbed, part: region('Device') },
    'lab-registers': { screen: lab.registersRead, window: tabbed, part: region('Registers') },
  };
}
