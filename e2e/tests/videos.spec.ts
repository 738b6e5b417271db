/** The demo videos for a viewer: they play, have captions of their full length, and load only on demand. */
import type { Locator, Page } from '@playwright/test';
import { pagePaths } from '@wirebench/contract';
import { findings } from '../support/accessibility.ts';
import { expect, test, withMotion } from '../support/test.ts';

test.use(withMotion);

const player = (page: Page): Locator => page.getByRole('dialog').locator('video');

/** Returns the paths of video files fetched so far. */
function fetched(page: Page): string[] {
  const paths: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/videos/')) {
      paths.push(pathname);
    }
  });
  return paths;
}

const pagesWithVideos = [
  {
    path: pagePaths.home,
    videos: { uart: 'Watch the Serial terminal video', flasher: 'Watch the Firmware flasher video' },
  },
  { path: pagePaths.releases, videos: { releases: 'Help' } },
  { path: pagePaths.uartDocs, videos: { jkits: 'Watch how a JKit is used' } },
];

for (const { path, videos } of pagesWithVideos) {
  const names = Object.keys(videos);
  test(`${names.join(' and ')}, on ${path}: a video plays, and its captions are as long as it is`, async ({ page }) => {
    const seen = fetched(page);
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    expect(seen).toEqual([]);
    for (const [name, button] of Object.entries(videos)) {
      seen.length = 0;
      await page.getByRole('button', { name: button, exact: true }).click();
      if (button === 'Help') {
        await page.getByRole('menuitem', { name: 'Watch video' }).click();
      }
      const currentTime = () => player(page).evaluate((video: HTMLVideoElement) => video.currentTime);
      await expect.poll(currentTime).toBeGreaterThan(0.5);
      await player(page).evaluate((video: HTMLVideoElement) => video.pause());
      // The captions load without an action.
      const cues = () => player(page).evaluate(({ textTracks }: HTMLVideoElement) => textTracks[0]?.cues?.length ?? 0);
      await expect.poll(cues).toBeGreaterThan(0);
      const { duration, width, height, last, mode } = await player(page).evaluate((video: HTMLVideoElement) => ({
        duration: video.duration,
        width: video.videoWidth / video.width,
        height: video.videoHeight / video.height,
        last: video.textTracks[0]?.cues?.[(video.textTracks[0]?.cues?.length ?? 0) - 1]?.endTime ?? 0,
        mode: video.textTracks[0]?.mode,
      }));
      expect(mode).toBe('showing');
      expect([width, height]).toEqual([1, 1]);
      expect(duration).toBeGreaterThan(15);
      expect(Math.abs(duration - last)).toBeLessThan(1.5);
      expect(new Set(seen)).toEqual(new Set(['webm', 'vtt', 'webp'].map((ending) => `/videos/${name}.${ending}`)));
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toBeHidden();
    }
  });
}

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test("captions are below the picture, where the player's controls cannot cover them", async ({ page }) => {
    await page.goto(pagePaths.home);
    await page.getByRole('button', { name: 'Watch the Serial terminal video' }).click();
    await expect(
      page.getByRole('dialog').locator('p').getByText('The terminal opens up to four serial ports in one tab.'),
    ).toBeVisible();
    expect(await player(page).evaluate((video: HTMLVideoElement) => video.textTracks[0]?.mode)).toBe('hidden');
  });
});

test('a video is sent in the parts that are asked for', async ({ request }) => {
  const whole = await (await request.get('/videos/uart.webm')).body();
  const part = await request.get('/videos/uart.webm', { headers: { range: 'bytes=1000-1999' } });
  expect(part.status()).toBe(206);
  expect(part.headers()).toMatchObject({
    'content-range': `bytes 1000-1999/${whole.length}`,
    'content-length': '1000',
    'content-type': 'video/webm',
    'accept-ranges': 'bytes',
  });
  expect(await part.body()).toEqual(whole.subarray(1_000, 2_000));
  const captions = await request.get('/videos/uart.vtt');
  expect(captions.headers()['content-type']).toMatch(/^text\/vtt/);
});

test('the transcript of a video can be read, and a passage seeks to its time', async ({ page }) => {
  await page.goto(pagePaths.home);
  await page.getByRole('button', { name: 'Watch the Serial terminal video' }).click();
  await page.getByText('Transcript').click();
  const passages = page.getByRole('dialog').getByRole('listitem');
  await expect(passages.first()).toContainText('four serial ports');
  expect(await findings(page)).toEqual([]);
  await passages.nth(3).getByRole('button').click();
  await expect.poll(() => player(page).evaluate((video: HTMLVideoElement) => video.currentTime)).toBeGreaterThan(5);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
});

test('a video waits for the play button when the visitor prefers reduced motion', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const seen = fetched(page);
  await page.goto(pagePaths.home);
  await page.getByRole('button', { name: 'Watch the Serial terminal video' }).click();
  await expect(page.getByText('Transcript')).toBeVisible();
  expect(await player(page).evaluate((video: HTMLVideoElement) => video.paused)).toBe(true);
  expect(seen).not.toContain('/videos/uart.webm');
});

test('a video that cannot be had says so, and what to do instead', async ({ page }) => {
  await page.route('**/videos/*.webm', (route) => route.abort());
  await page.goto(pagePaths.home);
  await page.getByRole('button', { name: 'Watch the Serial terminal video' }).click();
  await expect(page.getByText('The video of the serial terminal could not be loaded.')).toBeVisible();
  await page.getByRole('link', { name: 'Open the serial terminal' }).click();
  await expect(page).toHaveURL(pagePaths.uart);
});
