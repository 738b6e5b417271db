/**
 * The picture of the README, and the list of the controls that it shows. The list stands beside the picture, so that
 * an end-to-end test fails when the screen has other controls than the picture.
 */
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { root } from '../build/web.ts';
import { twoBoards } from './terminal-screens.ts';

const folder = join(root, 'docs', 'images');

export const readmePicture = {
  screen: twoBoards,
  window: { width: 1_440, height: 900 },
  theme: 'dark',
  file: join(folder, 'terminal-dark.png'),
  controlsFile: join(folder, 'terminal-dark.controls.json'),
} as const;

/** Roles of the controls (WAI-ARIA 1.2, section 5.3.2), and of the parts of the page that hold them. */
const roles = new Set(
  (
    'banner button checkbox columnheader combobox dialog form heading link log main menuitem menuitemcheckbox navigation ' +
    'option radio radiogroup region searchbox slider spinbutton switch tab tablist tabpanel textbox toolbar'
  ).split(' '),
);

/**
 * Returns the role and the accessible name of each control of the page, in the order of the document. A number of lines
 * is left out, because it grows while the picture is taken.
 */
export async function controlsOf(page: Page): Promise<string[]> {
  const lines = (await page.locator('body').ariaSnapshot()).split('\n');
  return lines.flatMap((line) => {
    const [, role = '', name = ''] = /^\s*- (?:')?([a-z]+)(?: "((?:[^"\\]|\\.)*)")?/.exec(line) ?? [];
    return roles.has(role) ? [`${role} ${name.replace(/\d[\d\u2009]* lines?$/, 'lines')}`.trim()] : [];
  });
}
