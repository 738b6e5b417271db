/**
 * Maps addresses to pages. Each page has its own chunk, except the home page, which most people see first. Addresses
 * of pages that this version lacks lead to the page for unknown addresses.
 */

import { type FamilyId, families, familyIds } from '@wirebench/boards';
import { pagePaths } from '@wirebench/contract/constants';
import { type ComponentType, useEffect, useRef } from 'react';
import { Outlet, Route, Routes, useLocation, useNavigate, useNavigationType } from 'react-router';
import { FeedbackSlot } from '../features/feedback/feedback-slot.tsx';
import { HomePage } from '../pages/home/home-page.tsx';
import { hasServer } from '../shared/edition.ts';
import { benchPage } from './bench-page.ts';
import { Header } from './header.tsx';
import { lazyPage } from './lazy-page.ts';
import { Page } from './page.tsx';
import { SkipLink } from './skip-link.tsx';

const AdminPage = lazyPage(async () => (await import('../pages/admin/admin-page.tsx')).AdminPage);
const Esp32AppPage = lazyPage(async () => (await import('../pages/esp32-app/esp32-app-page.tsx')).Esp32AppPage);
const FlasherPlaceholderPage = lazyPage(
  async () => (await import('../pages/flasher-placeholder/flasher-placeholder-page.tsx')).FlasherPlaceholderPage,
);
const IntroPage = lazyPage(async () => (await import('../pages/intro/intro-page.tsx')).IntroPage);
const ModerationPage = lazyPage(async () => (await import('../pages/admin/moderation-page.tsx')).ModerationPage);
const PrivacyPage = lazyPage(async () => (await import('../pages/policies/privacy-page.tsx')).PrivacyPage);
const ReleasesPage = lazyPage(async () => (await import('../pages/releases/releases-page.tsx')).ReleasesPage);
const TermsPage = lazyPage(async () => (await import('../pages/policies/terms-page.tsx')).TermsPage);
const guideAt = (path: string) => lazyPage(async () => (await import('../pages/docs/guide-page.tsx')).guidePage(path));
const UnknownPage = lazyPage(async () => (await import('../pages/unknown/unknown-page.tsx')).UnknownPage);
const flasherAt = (family: FamilyId) => lazyPage(async () => (await import('./flasher-pages.ts')).loadFlasher(family));
const TerminalPage = benchPage(
  async () => (await import('../pages/terminal/terminal-page.tsx')).startTerminalPage(),
  pagePaths.uart,
);

interface AppPage {
  readonly path: string;
  /** Title of the document, without the product's name. */
  readonly title: string;
  readonly Content: ComponentType<object>;
  /** The tools fill the window and have none. */
  readonly footer: boolean;
}

const pages: readonly AppPage[] = [
  { path: pagePaths.uart, title: 'Serial terminal', Content: TerminalPage, footer: false },
  { path: pagePaths.uartDocs, title: 'Terminal documentation', Content: guideAt(pagePaths.uartDocs), footer: false },
  ...(hasServer
    ? [{ path: pagePaths.espFlasher, title: 'ESP flasher', Content: FlasherPlaceholderPage, footer: true }]
    : []),
  {
    path: pagePaths.espFlasherDocs,
    title: 'Flasher documentation',
    Content: guideAt(pagePaths.espFlasherDocs),
    footer: false,
  },
  ...(hasServer
    ? [
        { path: pagePaths.releases, title: 'Firmware releases', Content: ReleasesPage, footer: true },
        {
          path: pagePaths.releasesDocs,
          title: 'Release documentation',
          Content: guideAt(pagePaths.releasesDocs),
          footer: false,
        },
        { path: pagePaths.programsDocs, title: 'Programs', Content: guideAt(pagePaths.programsDocs), footer: false },
      ]
    : []),
  { path: pagePaths.esp32, title: 'ESP32 bench', Content: Esp32AppPage, footer: true },
  { path: pagePaths.esp32Docs, title: 'ESP32 documentation', Content: guideAt(pagePaths.esp32Docs), footer: false },
  { path: pagePaths.intro, title: 'Introduction', Content: IntroPage, footer: true },
  { path: pagePaths.privacy, title: 'Privacy', Content: PrivacyPage, footer: true },
  { path: pagePaths.terms, title: 'Terms of use', Content: TermsPage, footer: true },
  ...familyIds.map((family) => ({
    path: families[family].page,
    title: `${families[family].name} flasher`,
    Content: flasherAt(family),
    footer: false,
  })),
  { path: '*', title: 'Page not found', Content: UnknownPage, footer: true },
];

const moderation = [
  { path: pagePaths.adminReports, view: 'reports', title: 'Reports' },
  { path: pagePaths.adminItems, view: 'items', title: 'Public items' },
  { path: pagePaths.adminAccounts, view: 'accounts', title: 'Accounts' },
  { path: pagePaths.adminAudit, view: 'audit', title: 'Audit' },
  { path: pagePaths.adminState, view: 'state', title: 'Server' },
] as const;

/** Pages of administrators, which have a head of their own below the product’s. */
const adminRoutes = hasServer ? (
  <>
    <Route
      path={pagePaths.admin}
      element={
        <Page title="Admin Dashboard: Wirebench">
          <AdminPage />
        </Page>
      }
    />
    {moderation.map(({ path, view, title }) => (
      <Route
        key={path}
        path={path}
        element={
          <Page key={path} title={`${title}: Wirebench`}>
            <ModerationPage view={view} />
          </Page>
        }
      />
    ))}
    <Route path={pagePaths.adminFeedback} element={<Redirect to={pagePaths.admin} />} />
  </>
) : null;

/** The frame around every page. */
function Shell() {
  useFocusOnNavigation();
  return (
    <>
      <SkipLink />
      <Header />
      <Outlet />
      {hasServer ? <FeedbackSlot /> : null}
    </>
  );
}

/** After a change of page keyboard and screen reader start at its beginning, as they would in a new document. */
function useFocusOnNavigation(): void {
  const { pathname } = useLocation();
  const navigation = useNavigationType();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) {
      return;
    }
    shown.current = pathname;
    document.getElementById('main')?.focus({ preventScroll: true });
    if (navigation !== 'POP') {
      window.scrollTo(0, 0);
    }
  }, [pathname, navigation]);
}

export function AppRoutes() {
  return (
    <Routes>
      {hasServer ? null : <Route path={pagePaths.espFlasher} element={<Redirect to={families.esp.page} />} />}
      <Route path={pagePaths.docs} element={<Redirect to={pagePaths.uartDocs} />} />
      <Route element={<Shell />}>
        {adminRoutes}
        <Route
          path={pagePaths.home}
          element={
            <Page title="Wirebench" footer>
              <HomePage />
            </Page>
          }
        />
        {pages.map(({ path, title, Content, footer }) => (
          <Route
            key={path}
            path={path}
            element={
              <Page key={path} title={`${title}: Wirebench`} footer={footer}>
                <Content />
              </Page>
            }
          />
        ))}
      </Route>
    </Routes>
  );
}

/** The router's own one brings a kilobyte that nothing else uses into the start of every page. */
function Redirect({ to }: { readonly to: string }) {
  const navigate = useNavigate();
  useEffect(() => void navigate(to, { replace: true }), [navigate, to]);
  return null;
}
