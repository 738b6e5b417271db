/**
 * Which address shows which page. Each page is in its own chunk but the home page, which most people see first. Addresses
 * of pages that this version does not have end on the page for unknown ones.
 */
import { pagePaths } from '@wirebench/contract/constants';
import { Route, Routes } from 'react-router';
import { HomePage } from '../pages/home/home-page.tsx';
import { UnknownPage } from '../pages/unknown/unknown-page.tsx';
import { benchPage } from './bench-page.ts';
import { Page } from './page.tsx';
import { Shell } from './shell.tsx';

const TerminalPage = benchPage(async () => (await import('../pages/terminal/terminal-page.tsx')).TerminalPage);

export function AppRoutes() {
  return (
    <Routes>
      <Route element={<Shell />}>
        <Route
          path={pagePaths.home}
          element={
            <Page title="Wirebench" footer>
              <HomePage />
            </Page>
          }
        />
        <Route
          path={pagePaths.uart}
          element={
            <Page title="Serial terminal: Wirebench">
              <TerminalPage />
            </Page>
          }
        />
        <Route
          path="*"
          element={
            <Page title="Nothing here: Wirebench" footer>
              <UnknownPage />
            </Page>
          }
        />
      </Route>
    </Routes>
  );
}
