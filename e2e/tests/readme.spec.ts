import { readFileSync } from 'node:fs';
import { controlsOf, readmePicture } from '../../scripts/pictures/readme-picture.ts';
import { inTheme } from '../../scripts/pictures/views.ts';
import { origin } from '../support/product.ts';
import { expect, test } from '../support/test.ts';

test.use({
  viewport: readmePicture.window,
  storageState: { cookies: [], origins: [{ origin, localStorage: inTheme(readmePicture.theme) }] },
});

test('the picture of the README shows the controls of the terminal today', async ({ page }) => {
  await readmePicture.screen(page);
  const stored = JSON.parse(readFileSync(readmePicture.controlsFile, 'utf8')) as string[];
  expect(await controlsOf(page), 'The screen has changed. Run: npm run pictures -- --only readme').toEqual(stored);
});
